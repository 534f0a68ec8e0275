// allowed: violated unknown
public class CharAt { public static void main(String[] a) { char c = "abc".charAt(7); } }

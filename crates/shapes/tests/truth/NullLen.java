// allowed: violated unknown
public class NullLen { static String s; public static void main(String[] a) { System.out.println(s.length()); } }

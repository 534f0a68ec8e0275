// allowed: violated unknown
public class ParseInt { public static void main(String[] a) { int k = Integer.parseInt("x"); } }

// allowed: violated unknown
public class NullArr { static int[] s; public static void main(String[] a) { int k = s.length; } }

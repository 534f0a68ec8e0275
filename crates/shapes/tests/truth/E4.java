// allowed: violated unknown
public class E4 { static Integer f() { return null; } public static void main(String[] x) { int[] a = new int[f()]; } }

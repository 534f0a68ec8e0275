// allowed: violated unknown
public class NegArr { static int n = -1; public static void main(String[] a) { int[] s = new int[n]; } }

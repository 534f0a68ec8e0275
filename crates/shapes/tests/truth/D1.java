// allowed: violated unknown
public class D1 { static int[] a = new int[2]; public static void main(String[] x) { System.out.println(a[5]); } }

// allowed: violated unknown
public class ArrIdx { public static void main(String[] a) { int[] s = new int[2]; int k = s[2]; } }

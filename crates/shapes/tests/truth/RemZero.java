// allowed: violated unknown
public class RemZero { static int n; public static void main(String[] a) { int k = 5 % n; } }

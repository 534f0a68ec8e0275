// allowed: holds unknown
public class DivCaught { //@ range n 0..3
 static int n; static boolean ok;
 public static void main(String[] a) { try { int m = 3 / n; } catch (ArithmeticException e) { ok = true; } assert ok; } }

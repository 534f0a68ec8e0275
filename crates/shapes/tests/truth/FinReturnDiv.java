// allowed: holds unknown
public class FinReturnDiv { //@ range n 0..3
 static int n; static boolean f() { try { int k = 1 / n; } finally { return true; } } public static void main(String[] x) { boolean b = f(); assert b; } }

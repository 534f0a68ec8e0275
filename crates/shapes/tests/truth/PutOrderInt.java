// allowed: holds
class Main {
//@ range n 0..5
static int n; static boolean set() { n = 2; return true; } public static void main(String[] a) { S.n = n; assert S.n == 0; } }
class S { static boolean b = Main.set(); static int n; }

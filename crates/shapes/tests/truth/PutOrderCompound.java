// allowed: holds
class Main {
//@ range n 0..5
static int n; static int get() { return n; } static boolean set() { n = 2; return true; } public static void main(String[] a) { S.n += Main.n; assert S.n == 2; } }
class S { static boolean b = Main.set(); static int n; }

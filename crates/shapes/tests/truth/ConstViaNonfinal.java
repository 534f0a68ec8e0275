// allowed: holds
class Main { static boolean v; static int n = 1; static boolean set() { v = true; return true; } public static void main(String[] a) { int c = S.C; assert v; } }
class S { static boolean o = Main.set(); static final int C = Main.n; }

// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } static int k() { return 1; } public static void main(String[] a) { int c = S.C; assert v; } }
class S { static boolean o = Main.set(); static final int C = Main.k(); }

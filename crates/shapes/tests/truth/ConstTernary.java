// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) { int k = S.C; assert !v; } }
class S { static boolean o = Main.set(); static final int C = true ? 1 : 2; }

// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) { boolean k = S.D; assert !v; assert k; } }
class S { static final boolean C = 1 + 1 == 2; static final boolean D = C && !false; static Object o = Main.set() ? null : null; }

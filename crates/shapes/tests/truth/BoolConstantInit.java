// allowed: violated
class S { static final int K = 3; static final boolean C = true; static Object o = Main.set(); }
class Main { static boolean v; static Object set() { v = true; return null; } public static void main(String[] a) { boolean k = S.C; assert v; } }

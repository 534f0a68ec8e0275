// allowed: violated unknown
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) { try { int k = S.C; } catch (Throwable t) { } assert !v; } }
class S { static boolean o = Main.set(); static final int C = 1 / 0; }

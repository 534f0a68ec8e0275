// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) { long k = S.C; assert !v; } }
class S { static boolean o = Main.set(); static final long C = (long) (int) 3.7; }

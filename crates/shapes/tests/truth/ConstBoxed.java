// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) { Integer k = S.C; assert v; } }
class S { static final Integer C = 1; static boolean o = Main.set(); }

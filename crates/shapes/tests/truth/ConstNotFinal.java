// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) { boolean k = S.C; assert v; } }
class S { static boolean C = true; static boolean o = Main.set(); }

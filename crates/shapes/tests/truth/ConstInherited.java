// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) { boolean k = E.k; assert !v; } }
class D { static final boolean k = true; static boolean o = Main.set(); }
class E extends D { static boolean p = Main.set(); }

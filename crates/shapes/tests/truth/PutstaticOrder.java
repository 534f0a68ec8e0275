// allowed: violated
class S { static Object o = Main.set(); static boolean p; }
class Main { static boolean v; static Object set() { v = true; return null; } static boolean get() { return v; } public static void main(String[] a) { S.p = v; assert S.p; } }

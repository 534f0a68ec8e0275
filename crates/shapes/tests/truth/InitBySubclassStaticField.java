// allowed: violated
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) { boolean k = B.f; assert v; } }
class A { static boolean f; } class B extends A { static boolean g = Main.set(); }

// allowed: violated refused
interface I { Object X = Main.set(); default void m() {} }
class B implements I { static void f() {} }
class Main { static boolean v; static Object set() { v = true; return null; } public static void main(String[] a) { B.f(); assert !v; } }

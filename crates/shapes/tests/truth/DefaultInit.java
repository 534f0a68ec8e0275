// allowed: holds refused
class Main { static boolean v; static Object set() { v = true; return null; } public static void main(String[] a) { new B(); assert v; } }
interface I { Object X = Main.set(); default void m() {} }
class B implements I { }

// allowed: holds
class Main { static boolean v; static Object set() { v = true; return null; } public static void main(String[] a) { new B(); assert !v; } }
interface I { Object X = Main.set(); void m(); }
class B implements I { public void m() { } }

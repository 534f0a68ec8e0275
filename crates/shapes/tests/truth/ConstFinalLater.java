// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) { new E(); assert E.saw; } }
class B { B() { m(); } void m() { } }
class E extends B { static boolean saw; final boolean k; E() { k = true; } void m() { saw = !k; } }

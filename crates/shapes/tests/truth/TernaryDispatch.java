// allowed: holds refused
class Main { static boolean v; static volatile boolean c; public static void main(String[] a) { (c ? new A() : new B()).m(); assert v; } }
class P { void m() { } } class A extends P { void m() { } } class B extends P { void m() { Main.v = true; } }

// allowed: holds refused
class Main { static boolean v; static void m() { v = true; }
static class A { private void m() { } }
static class B extends A { void get() { m(); } }
public static void main(String[] a) { new B().get(); assert v; } }

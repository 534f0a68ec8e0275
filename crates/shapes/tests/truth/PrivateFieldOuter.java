// allowed: holds refused
class Main { static boolean x = true;
static class A { private boolean x; }
static class B extends A { boolean get() { return x; } }
public static void main(String[] a) { assert new B().get(); } }

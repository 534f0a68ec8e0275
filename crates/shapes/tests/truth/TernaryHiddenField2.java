// allowed: violated
class Main { static volatile boolean c = true; public static void main(String[] a) { B b = new B(); A p = b; assert (c ? b : p).f; } }
class A { boolean f; } class B extends A { boolean f = true; }

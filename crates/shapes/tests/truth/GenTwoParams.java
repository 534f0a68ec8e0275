// allowed: holds
class Main { static boolean v; public static void main(String[] a) { P<A, B> c = new C(); c.m(null, null); assert v; } }
class A { } class B { } abstract class P<X, Y> { abstract void m(X x, Y y); } abstract class Q<Z> extends P<A, Z> { }
class C extends Q<B> { void m(A x, B y) { Main.v = true; } }

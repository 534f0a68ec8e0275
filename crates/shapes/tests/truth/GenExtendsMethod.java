// allowed: holds
class Main { static boolean v; public static void main(String[] a) { C c = new C(); I<A> i = c; i.m(new A()); assert v; } }
interface I<T> { void m(T t); } class A { }
class C implements I<A> { public void m(A x) { Main.v = true; } }

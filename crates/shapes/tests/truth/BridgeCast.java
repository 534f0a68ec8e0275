// allowed: violated refused
class A{} class B{}
interface I<T> { void m(T t); }
class C implements I<A> { public void m(A x) { } }
class Main { public static void main(String[] a) { I i = new C(); i.m(new B()); } }

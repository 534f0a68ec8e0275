// allowed: violated
class Main { public static void main(String[] a) { C c = new C(); A x = (A) (Object) c; } }
interface A { } interface I<T> { }
class C implements I<A> { }

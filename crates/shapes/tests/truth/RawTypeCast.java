// allowed: violated refused
class Box<T> { T t; void set(T x) { t = x; } T get() { return t; } }
class A{} class B{}
class Main { public static void main(String[] a) { Box<A> b = new Box<>(); Box r = b; r.set(new B()); A x = b.get(); } }

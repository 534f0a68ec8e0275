// allowed: violated
class Main { public static void main(String[] args) { Box<A> b = new Box<>(); b.set(new A()); A x = b.get(); assert x == null; } }
class A { } class Box<T> { T t; void set(T x) { t = x; } T get() { return t; } }

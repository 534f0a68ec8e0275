// allowed: violated refused
class Main { static boolean v; public static void main(String[] args) { Box<B> b = new Box<>(); b.m(new B()); assert v; } }
class A { void f() { } } class B extends A { void f() { Main.v = true; } } class Box<A> { void m(A x) { x.hashCode(); } }

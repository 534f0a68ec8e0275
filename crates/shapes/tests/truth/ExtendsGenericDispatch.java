// allowed: holds
class Main { static boolean v; public static void main(String[] a) { Box<A> b = new B(); b.m(); assert v; } }
class A { }
class Box<T> { void m() { } }
class B extends Box<A> { void m() { Main.v = true; } }

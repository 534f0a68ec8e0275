// allowed: violated refused
class Main { public static void main(String[] args) { Box<B> b = new Box<>(); b.t = new B(); A x = (A) (Object) b.t; } }
class A { } class B { } class Box<A> { A t; }

// allowed: holds
class Main { public static void main(String[] a) { assert new B().x; } }
class A { boolean x; A() { x = true; } } class B extends A { boolean y = x; B() { assert y; } }

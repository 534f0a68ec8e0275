// allowed: violated
class Main { public static void main(String[] a) { assert new A(true).x; } }
class A { boolean x; A(boolean x) { x = x; } }

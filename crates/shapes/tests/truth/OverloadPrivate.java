// allowed: holds
class Main { public static void main(String[] args) { new A().go(new B()); } }
class A { private boolean m() { return true; } void go(A o) { assert o.m(); } } class B extends A { boolean m() { return false; } }

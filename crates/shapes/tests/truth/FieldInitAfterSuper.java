// allowed: violated
class Main { public static void main(String[] args) { assert new B().j; } }
class A { A() { init(); } void init() { } } class B extends A { boolean j = false; void init() { j = true; } }

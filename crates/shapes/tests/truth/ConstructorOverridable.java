// allowed: holds
class Main { public static void main(String[] args) { assert new B().k; } }
class A { A() { init(); } void init() { } } class B extends A { boolean k; boolean j = false; void init() { k = true; j = true; } }

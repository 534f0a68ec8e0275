// allowed: holds refused
class Main { static A x[] = { new A() }; public static void main(String[] args) { assert x.length == 1; } }
class A { int length = 2; }

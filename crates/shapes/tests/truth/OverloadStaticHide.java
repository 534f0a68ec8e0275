// allowed: holds
class Main { public static void main(String[] args) { A a = new B(); assert !a.f(); } }
class A { static boolean f() { return false; } } class B extends A { static boolean f() { return true; } }

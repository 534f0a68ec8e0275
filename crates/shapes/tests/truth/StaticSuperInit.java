// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] args) { B.f(); assert !v; } }
class A { static void f() { } } class B extends A { static boolean b = Main.set(); }

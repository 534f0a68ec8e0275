// allowed: holds refused
class Main { static boolean v; public static void main(String[] args) { new B().m(); assert v; } }
class A { void m() { Main.v = true; } } class B extends A { void m() { super.m(); } }

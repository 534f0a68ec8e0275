// allowed: holds unknown
public class Priv { static class A { private boolean m() { return true; } boolean go() { return m(); } } static class B extends A { boolean m() { return false; } } public static void main(String[] x) { A a = new B(); boolean b = a.go(); assert b; } }

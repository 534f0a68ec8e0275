// allowed: holds unknown refused
public class Overload { static class P { } static class Q extends P { } static class A { boolean m(P p) { return true; } } static class B extends A { boolean m(Q q) { return false; } } public static void main(String[] x) { A a = new B(); boolean b = a.m(new Q()); assert b; } }

// allowed: holds
public class CastGood { static class A { } static class B extends A { boolean f; } public static void main(String[] x) { A a = new B(); B b = (B) a; b.f = true; assert b.f; A n = null; B c = (B) n; assert c == null; } }

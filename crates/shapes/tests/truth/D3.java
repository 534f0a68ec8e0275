// allowed: violated unknown
public class D3 { static class A { } static class B extends A { public int hashCode() { assert false; return 1; } } public static void main(String[] x) { A a = new B(); int h = a.hashCode(); } }

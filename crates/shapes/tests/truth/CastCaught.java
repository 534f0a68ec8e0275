// allowed: holds unknown
public class CastCaught { static class A { } static class B extends A { } public static void main(String[] x) { A a = new A(); boolean ok = false; try { B b = (B) a; } catch (ClassCastException e) { ok = true; } assert ok; } }

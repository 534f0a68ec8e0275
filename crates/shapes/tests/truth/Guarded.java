// allowed: holds unknown
public class Guarded { static class A { int n; } static A a; static int k; public static void main(String[] x) { k = a != null ? a.n : 0; } }

// allowed: holds unknown
public class D7 { static class H { static final int N = 3; static Object o = f(); static Object f() { assert false; return null; } } public static void main(String[] x) { int k = H.N; System.out.println(k); } }

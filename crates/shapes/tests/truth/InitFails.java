// allowed: violated unknown
public class InitFails { static int n; static class H { static Object o = f(); static Object f() { throw new RuntimeException(); } } public static void main(String[] x) { Object o = H.o; } }

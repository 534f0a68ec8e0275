// allowed: holds unknown
public class InitOnce { static boolean done; static class H { static Object o = f(); static Object f() { assert !InitOnce.done; InitOnce.done = true; return new Object(); } } public static void main(String[] x) { assert !done; Object o = H.o; assert done; Object p = H.o; assert o == p; } }

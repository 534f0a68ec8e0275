// allowed: holds unknown
public class InitNever { static class H { static Object o = f(); static Object f() { assert false; return null; } } public static void main(String[] x) { boolean b = true; assert b; } }

// allowed: holds unknown
public class InitSuper { static boolean up, down; static class P { static Object o = f(); static Object f() { assert !InitSuper.down; InitSuper.up = true; return null; } } static class C extends P { static Object q = g(); static Object g() { assert InitSuper.up; InitSuper.down = true; return null; } } public static void main(String[] x) { new C(); assert up && down; } }

// allowed: holds unknown
public class FlagNull { static class A { boolean b; } static A a; static boolean t; static boolean f() { t = true; return true; } public static void main(String[] x) { try { a.b = f(); } catch (NullPointerException e) { assert t; } } }

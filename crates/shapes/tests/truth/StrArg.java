// allowed: holds unknown refused
public class StrArg { static void f(Object o) { assert o != null; } public static void main(String[] x) { f("a"); } }

// allowed: holds unknown refused
public class CustomEx { static boolean t; static class E extends RuntimeException { E() { CustomEx.t = true; } } public static void main(String[] x) { try { throw new E(); } catch (E e) { assert t; } } }

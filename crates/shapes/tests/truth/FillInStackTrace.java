// allowed: violated refused
class E1 extends RuntimeException { public Throwable fillInStackTrace() { throw new IllegalStateException(); } }
class Main { static boolean v; public static void main(String[] a) { try { throw new E1(); } catch (E1 e) { } } }

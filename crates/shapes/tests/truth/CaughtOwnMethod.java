// allowed: violated refused
class Main { static boolean v; public static void main(String[] a) { try { throw new A(); } catch (A e) { e.set(1); } assert !v; } }
class A extends RuntimeException { void set(int k) { Main.v = true; } }

// allowed: violated refused
class A extends RuntimeException { public String toString() { throw new IllegalStateException(); } }
class Main { static boolean v; public static void main(String[] a) { try { throw new A(); } catch (RuntimeException e) { System.out.println(e); } } }

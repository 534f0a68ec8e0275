// allowed: violated refused
class A extends RuntimeException { public String getMessage() { Main.v = true; return ""; } }
class Main { static boolean v; public static void main(String[] a) { try { throw new A(); } catch (A e) { System.out.println(e); } assert !v; } }

// allowed: violated refused
class A { boolean equals(A o) { Main.v = true; return true; } }
class Main { static boolean v; public static void main(String[] a) throws Exception { A t = new A(); Object q = t; assert t.equals(q); assert v; } }

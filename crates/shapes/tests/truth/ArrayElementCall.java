// allowed: violated refused
class Main { static boolean v; public static void main(String[] a) { A[] x = { new A() }; x[0].set(1); assert !v; } }
class A { void set(int k) { Main.v = true; } }

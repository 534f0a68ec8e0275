// allowed: violated refused
class Main { static boolean v; public static void main(String[] a) { A[] x = { new A() }; x[0].hashCode(); assert !v; } }
class A { public int hashCode() { Main.v = true; return 1; } }

// allowed: violated unknown
class Main { static boolean v; public static void main(String[] a) { StringBuilder s = new StringBuilder(); s.insert(0, new A()); assert !v; } }
class A { public String toString() { Main.v = true; return ""; } }

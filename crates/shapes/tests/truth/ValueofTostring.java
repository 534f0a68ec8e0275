// allowed: violated unknown
class Main { static boolean v; public static void main(String[] a) { String s = String.valueOf(new A()); assert !v; } }
class A { public String toString() { Main.v = true; return ""; } }

// allowed: violated
class A { static boolean f = B.g; static final boolean h = true; }
class B { static boolean g = A.h; }
class Main { public static void main(String[] a) throws Exception { assert !A.f; } }

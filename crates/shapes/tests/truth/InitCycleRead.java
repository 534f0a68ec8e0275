// allowed: holds
class Main { public static void main(String[] a) { assert A.x == null; } }
class A { static Object x = B.y; static Object z = new Object(); } class B { static Object y = A.z; }

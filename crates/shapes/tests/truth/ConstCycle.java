// allowed: holds
class A { static final boolean C = true; static boolean z = B.C; static void f() { } }
class B { static final boolean C = true; static boolean z = A.C; static void f() { } }
class T extends Thread { public void run() { A.f(); } }
class Main { public static void main(String[] a) throws Exception { T t = new T(); t.start(); B.f(); } }

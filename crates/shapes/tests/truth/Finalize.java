// allowed: violated refused
class A { protected void finalize() { Main.v = true; } }
class Main { static volatile boolean v; public static void main(String[] a) throws Exception { for (int i = 0; i < 2000000; i++) new A(); assert !v; } }

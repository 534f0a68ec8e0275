// allowed: holds
class Main { static boolean v; public static void main(String[] args) { A a = new A(); a.clone(); assert v; } }
class A { public Object clone() { Main.v = true; return null; } }

// allowed: violated
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] args) { A[] x = new A[2]; assert v; } }
class A { static boolean b = Main.set(); }

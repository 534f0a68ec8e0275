// allowed: violated
class Main { static boolean v; static boolean set() { v = true; return true; } public static void main(String[] args) { synchronized (A.class) { } assert v; } }
class A { static boolean b = Main.set(); }

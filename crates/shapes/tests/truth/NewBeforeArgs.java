// allowed: holds
class Main { static boolean v; static boolean set() { v = true; return true; } static boolean get() { return v; } public static void main(String[] args) { new A(get()); } }
class A { static boolean b = Main.set(); A(boolean x) { assert x; } }

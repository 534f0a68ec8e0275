// allowed: violated
class Main { static boolean x = true; static void m(boolean x) { assert x; } public static void main(String[] a) { m(false); } }

// allowed: holds
class Main { static boolean f() { return true; } public static void main(String[] a) { Main m = null; assert m.f(); } }

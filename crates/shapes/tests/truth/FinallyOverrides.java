// allowed: holds
class Main { static boolean f() { try { throw new RuntimeException(); } finally { return true; } } public static void main(String[] a) { assert f(); } }

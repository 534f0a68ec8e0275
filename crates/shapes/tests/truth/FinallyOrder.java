// allowed: violated
class Main { static boolean v; static boolean f() { try { return v; } finally { v = true; } } public static void main(String[] args) { assert f(); } }

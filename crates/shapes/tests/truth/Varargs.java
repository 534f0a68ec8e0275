// allowed: holds refused
class Main { static boolean v; static void m(Object... x) { v = x.length == 1; } public static void main(String[] args) { m(new Object()); assert v; } }

// allowed: violated refused
class Main { static void m(Object... x) { assert x != null; } public static void main(String[] args) { m(null); } }

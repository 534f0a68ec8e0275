// allowed: violated refused
class Main { static boolean v = true; public static void main(String[] args) { assert !\u0076; } }

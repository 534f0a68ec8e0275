// allowed: violated refused
class Main { static boolean v; static { v = true; } public static void main(String[] args) { assert !v; } }

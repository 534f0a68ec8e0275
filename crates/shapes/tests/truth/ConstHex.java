// allowed: holds
class Main { public static void main(String[] a) { assert E.k; } }
class E { static final boolean k = 0xffffffff == -1; }

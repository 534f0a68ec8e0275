// allowed: violated
class Main { public static void main(String[] a) { assert E.k; } }
class E { static final boolean k = 2147483647L + 1 < 0; }

// allowed: holds
class Main { public static void main(String[] a) { E e = null; boolean b = e.k; assert b; } }
class E { static final boolean k = true; }

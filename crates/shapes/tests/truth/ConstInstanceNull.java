// allowed: violated
class Main { public static void main(String[] a) { E e = null; boolean b = e.k; } }
class E { final boolean k = true; }

// allowed: violated
class Main { public static void main(String[] a) { E e = null; int b = e.k; } }
class E { final int k = 3; }

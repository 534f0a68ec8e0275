// allowed: violated unknown
class Main { public static void main(String[] a) { Integer i = null; boolean c = true; int k = c ? i : 0; } }

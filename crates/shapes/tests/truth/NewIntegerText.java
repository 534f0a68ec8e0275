// allowed: violated unknown
class Main { public static void main(String[] a) { Integer i = new Integer("x"); } }

// allowed: holds
class Main { static boolean i = true; public static void main(String[] a) { for (int i = 0; i < 2; i++) { } assert i; } }

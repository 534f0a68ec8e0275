// allowed: holds
class Main { static boolean x = true; public static void main(String[] a) { { boolean x = false; assert !x; } assert x; } }

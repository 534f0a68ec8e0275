// allowed: violated unknown
class Main { static <T> T id(T x) { return x; } public static void main(String[] a) { int k = Main.<Integer>id(null); } }

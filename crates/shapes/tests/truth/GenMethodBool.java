// allowed: violated unknown
class Main { static <T> T none() { return null; } public static void main(String[] a) { boolean k = none(); } }

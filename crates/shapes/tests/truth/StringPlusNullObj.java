// allowed: holds unknown
class Main { public static void main(String[] a) { Object o = null; String s = "" + o; assert s != null; } }

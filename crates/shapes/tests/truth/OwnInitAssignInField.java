// allowed: violated refused
class Main { static final Object m = new Object(); static Object l = new Object(); static Object k = (l = m); public static void main(String[] a) { assert l != m; } }

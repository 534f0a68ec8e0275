// allowed: holds refused
class Main { static Object x; static Object get() { return x; } public static void main(String[] a) { S.p = get(); assert S.p == null; } }
class S { static Object o = Main.x = new Object(); static Object p; }

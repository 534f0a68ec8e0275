// allowed: holds
class Main { static boolean v; public static void main(String[] a) throws Exception { boolean x = true; Thread t = new Thread(() -> { boolean y = x; v = y; }); t.start(); t.join(); assert v; } }

// allowed: holds
class Main { static volatile boolean v; static boolean set() { v = true; return true; } public static void main(String[] a) throws Exception { T t = new T(); t.start(); t.join(); assert v; } }
class T extends Thread { public void run() { boolean b = S.x; } } class S { static boolean x = Main.set(); }

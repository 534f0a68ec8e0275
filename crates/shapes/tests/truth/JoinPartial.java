// allowed: holds
class T extends Thread { boolean f; public void run() { Main.v = true; } }
class Main { static volatile boolean v; static Object o; public static void main(String[] a) throws Exception { new T().start(); } }

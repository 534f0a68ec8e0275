// allowed: violated refused
class T extends Thread { public void run() { Main.x = null; } }
class Main { static Object x; public static void main(String[] a) throws Exception { new T().start(); // \u000d x = null;
} }

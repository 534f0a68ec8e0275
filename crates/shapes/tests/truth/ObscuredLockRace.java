// allowed: violated refused
class L { static final Object l = new Object(); }
class H { Object l = new Object(); }
class T extends Thread { H L = new H(); public void run() { synchronized (L.l) { Main.x = null; } } }
class Main { static Object x; public static void main(String[] a) throws Exception { new T().start(); synchronized (L.l) { x = null; } } }

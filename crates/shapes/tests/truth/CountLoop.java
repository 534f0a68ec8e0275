// allowed: holds unknown
public class CountLoop { static final Object l = new Object(); static boolean r; static class T extends Thread { public void run() { synchronized (CountLoop.l) { } } } public static void main(String[] x) throws Exception { T t = new T(); t.start(); synchronized (l) { for (int i = 0; i < 3; i++) { System.out.println(i); } } t.join(); } }

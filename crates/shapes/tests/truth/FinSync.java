// allowed: holds unknown
public class FinSync { static final Object l = new Object(); static boolean f() { try { synchronized (l) { throw new IllegalStateException(); } } finally { return true; } } static class T extends Thread { public void run() { synchronized (FinSync.l) { } } } public static void main(String[] x) { boolean b = f(); assert b; new T().start(); } }

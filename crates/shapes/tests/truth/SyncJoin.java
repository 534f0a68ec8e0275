// allowed: holds unknown
public class SyncJoin { static class W extends Thread { boolean b; public synchronized void run() { b = true; } } public static void main(String[] x) throws Exception { W w = new W(); w.start(); synchronized (w) { w.join(); } } }

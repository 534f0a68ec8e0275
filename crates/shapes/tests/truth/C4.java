// allowed: violated unknown
public class C4 { static class W extends Thread { public void run() { synchronized (this) { try { wait(); } catch (InterruptedException e) { } } } } public static void main(String[] x) throws Exception { W w = new W(); w.start(); w.join(); } }

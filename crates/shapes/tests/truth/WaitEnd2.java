// allowed: holds unknown
public class WaitEnd2 { static boolean d; static class W extends Thread { public void run() { WaitEnd2.d = true; } } public static void main(String[] x) throws Exception { W w = new W(); synchronized (w) { w.start(); w.wait(); } } }

// allowed: holds unknown
public class C3 { static class W extends Thread { boolean d; public void run() { synchronized (this) { d = true; notifyAll(); } } } public static void main(String[] x) throws Exception { W w = new W(); w.start(); synchronized (w) { while (!w.d) w.wait(); } w.join(); assert w.d; } }

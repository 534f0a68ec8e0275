// allowed: holds unknown
public class NullRunnable { static Runnable r; static class R implements Runnable { public void run() { } } public static void main(String[] x) throws Exception { Thread t = new Thread(r); t.start(); t.join(); } }

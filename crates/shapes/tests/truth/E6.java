// allowed: holds unknown
public class E6 { static volatile boolean stop; static class T extends Thread { public void run() { while (!E6.stop) { Thread.onSpinWait(); } } } public static void main(String[] x) throws Exception { T t = new T(); t.start(); stop = true; t.join(); } }

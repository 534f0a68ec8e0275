// allowed: violated unknown
public class C5 { static final Object l = new Object(); static class W extends Thread { public void run() { synchronized (C5.l) { } } } public static void main(String[] x) throws Exception { W w = new W(); synchronized (w) { synchronized (l) { w.start(); w.join(); } } } }

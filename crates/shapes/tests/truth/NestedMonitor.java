// allowed: violated unknown
public class NestedMonitor { static final Object out = new Object(), in = new Object(); static boolean ready; static volatile boolean flip;
 static class Spin extends Thread { public void run() { while (true) { NestedMonitor.flip = !NestedMonitor.flip; } } }
 static class W extends Thread { public void run() { synchronized (NestedMonitor.out) { synchronized (NestedMonitor.in) { NestedMonitor.ready = true; NestedMonitor.in.notifyAll(); } } } }
 public static void main(String[] x) throws Exception { new Spin().start(); new W().start(); synchronized (out) { synchronized (in) { while (!ready) in.wait(); } } } }

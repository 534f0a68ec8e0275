// allowed: violated unknown
public class JoinEach { static P p; static volatile boolean f; static class P extends Thread { Thread other; public void run() { try { other.join(); } catch (InterruptedException e) { } } }
 static class Spin extends Thread { public void run() { while (true) { JoinEach.f = !JoinEach.f; } } }
 public static void main(String[] x) { P a = new P(), b = new P(); a.other = b; b.other = a; new Spin().start(); a.start(); b.start(); } }

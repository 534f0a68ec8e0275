// allowed: violated unknown
public class WaitForever { static final Object l = new Object(); static class T extends Thread { public void run() { synchronized (WaitForever.l) { try { WaitForever.l.wait(); } catch (InterruptedException e) { } } } } public static void main(String[] x) { new T().start(); while (true) { System.out.println("x"); } } }

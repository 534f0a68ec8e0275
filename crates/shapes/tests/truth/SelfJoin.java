// allowed: violated unknown
public class SelfJoin { static class T extends Thread { public void run() { try { Thread.currentThread().join(); } catch (InterruptedException e) { } } } public static void main(String[] x) { new T().start(); while (true) { System.out.println("x"); } } }

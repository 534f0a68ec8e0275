// allowed: holds unknown
public class SpinEmpty { static class T extends Thread { public void run() { while (true) { Thread.yield(); } } } public static void main(String[] x) { new T().start(); do { System.out.println("x"); } while (true); } }

// allowed: violated unknown
public class A2 { static int d; static class T extends Thread { public void run() { synchronized (A2.class) { int k = 10 / A2.d; } } } public static void main(String[] x) { new T().start(); synchronized (A2.class) { d = 2; } } }

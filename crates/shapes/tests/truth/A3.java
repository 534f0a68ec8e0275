// allowed: violated unknown
public class A3 { //@ range d 0..2
 static int d; static class T extends Thread { public void run() { synchronized (A3.class) { System.out.println(10 / A3.d); } } } public static void main(String[] x) { new T().start(); synchronized (A3.class) { d = 2; } } }

// allowed: violated unknown
public class A1 { static class Box { Integer v; } static class T extends Thread { Box b; T(Box b) { this.b = b; } public void run() { synchronized (b) { int k = b.v; } } } public static void main(String[] x) { Box b = new Box(); new T(b).start(); synchronized (b) { b.v = 3; } } }

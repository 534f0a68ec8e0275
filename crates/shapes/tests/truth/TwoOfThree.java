// allowed: violated unknown
public class TwoOfThree { static final Object a = new Object(), b = new Object(); static volatile boolean f;
 static class P extends Thread { public void run() { synchronized (TwoOfThree.a) { synchronized (TwoOfThree.b) { } } } }
 static class Q extends Thread { public void run() { synchronized (TwoOfThree.b) { synchronized (TwoOfThree.a) { } } } }
 public static void main(String[] x) { new P().start(); new Q().start(); while (true) { f = !f; } } }

// allowed: violated unknown
public class B5 { static final Object l = new Object(); static class A { static Object o = f(); static Object f() { synchronized (B5.l) { } return new Object(); } } static class T extends Thread { public void run() { Object o = A.o; } } public static void main(String[] x) { new T().start(); synchronized (l) { Object p = A.o; } } }

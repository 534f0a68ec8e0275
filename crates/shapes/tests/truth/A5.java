// allowed: violated unknown
public class A5 { static Object l = new Object(); static class E extends RuntimeException { } static class T extends Thread { public void run() { synchronized (A5.l) { throw new E(); } } } public static void main(String[] x) throws Exception { T t = new T(); t.start(); t.join(); synchronized (l) { } } }

// allowed: holds unknown
public class InitBlocks {
 static class A { static Object o = f(); static Object f() { return new Object(); } }
 static class T extends Thread { public void run() { Object q = A.o; assert q != null; } }
 public static void main(String[] x) { new T().start(); new T().start(); } }

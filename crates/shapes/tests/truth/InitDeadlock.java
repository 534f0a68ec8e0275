// allowed: violated unknown
public class InitDeadlock {
 static class A { static Object o = f(); static Object f() { return B.p; } }
 static class B { static Object p = g(); static Object g() { return A.o; } }
 static class T extends Thread { public void run() { Object q = A.o; } }
 static class U extends Thread { public void run() { Object q = B.p; } }
 public static void main(String[] x) { new T().start(); new U().start(); } }

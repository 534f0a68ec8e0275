// allowed: violated unknown
public class B6 { static Thread t; static Object o = f(); static Object f() { try { Thread w = new Thread(() -> { Object q = o; }); w.start(); w.join(); } catch (InterruptedException e) { } return null; } public static void main(String[] x) { } }

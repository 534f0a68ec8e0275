// allowed: violated unknown
import java.util.concurrent.locks.*;
public class A6 { static final ReentrantLock l = new ReentrantLock(); static boolean q; static class T extends Thread { public void run() { A6.l.lock(); if (A6.q) { throw new IllegalStateException(); } A6.l.unlock(); } } public static void main(String[] x) throws Exception { T t = new T(); t.start(); t.join(); l.lock(); q = true; l.unlock(); T u = new T(); u.start(); u.join(); l.lock(); l.unlock(); } }

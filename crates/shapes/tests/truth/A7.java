// allowed: holds unknown
import java.util.concurrent.locks.*;
public class A7 { static final ReentrantLock l = new ReentrantLock(); static final Condition c = l.newCondition(); static boolean r; static class T extends Thread { public void run() { A7.l.lock(); A7.r = true; A7.c.signalAll(); A7.l.unlock(); } } public static void main(String[] x) throws Exception { new T().start(); l.lock(); try { while (!r) c.await(); assert r; } finally { l.unlock(); } } }

// allowed: violated unknown
import java.util.concurrent.locks.*;
public class A8 { static final ReentrantLock l = new ReentrantLock(); static final Condition c = l.newCondition(); static class T extends Thread { public void run() { A8.l.lock(); A8.c.signalAll(); A8.l.unlock(); } } public static void main(String[] x) throws Exception { new T().start(); l.lock(); c.await(); l.unlock(); } }

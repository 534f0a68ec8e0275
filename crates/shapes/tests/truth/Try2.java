// allowed: holds unknown
import java.util.concurrent.locks.ReentrantLock;
public class Try2 { static final ReentrantLock l = new ReentrantLock(); static boolean in; static class T extends Thread { public void run() { if (Try2.l.tryLock()) { assert !Try2.in; Try2.l.unlock(); } } }
 public static void main(String[] x) { l.lock(); l.lock(); in = true; new T().start(); l.unlock(); in = false; l.unlock(); } }

// allowed: violated unknown
import java.util.concurrent.locks.ReentrantLock;
public class Try3 { static final ReentrantLock l = new ReentrantLock(); static class T extends Thread { public void run() { Try3.l.lock(); } }
 public static void main(String[] x) { l.lock(); l.lock(); l.unlock(); new T().start(); } }

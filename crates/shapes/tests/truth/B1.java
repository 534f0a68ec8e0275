// allowed: violated unknown
import java.util.concurrent.locks.*;
public class B1 { static final ReentrantLock l = new ReentrantLock(); static class T extends Thread { public void run() { boolean b = B1.l.tryLock(); assert b; } } public static void main(String[] x) { new T().start(); new T().start(); } }

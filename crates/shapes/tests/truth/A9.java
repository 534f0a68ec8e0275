// allowed: holds unknown
import java.util.concurrent.locks.*;
public class A9 { static final ReentrantLock l = new ReentrantLock(); static boolean r; static void in() { l.lock(); try { r = true; } finally { l.unlock(); } } static class T extends Thread { public void run() { A9.l.lock(); try { A9.in(); assert A9.r; A9.r = false; } finally { A9.l.unlock(); } } } public static void main(String[] x) { new T().start(); new T().start(); } }

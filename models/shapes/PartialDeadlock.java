// main holds the lock and joins a thread that wants it; a third thread runs on.
// Why: two threads that never go on are a deadlock, although others do.
// expect deadlock: violated
// run: check --property deadlock
public class PartialDeadlock {
    static final Object lock = new Object();
    static volatile boolean flip;
    static class Spin extends Thread { public void run() { while (true) { PartialDeadlock.flip = !PartialDeadlock.flip; } } }
    static class Worker extends Thread { public void run() { synchronized (PartialDeadlock.lock) { } } }
    public static void main(String[] args) throws InterruptedException {
        new Spin().start();
        Worker worker = new Worker();
        worker.start();
        synchronized (lock) { worker.join(); }
    }
}

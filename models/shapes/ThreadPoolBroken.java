// A pool: any number of workers take tasks one at a time until it is shut down; shutdown wakes one.
// Why: the broken twin of ThreadPool.java: two workers wait, one is woken, the other waits forever.
// expect deadlock: violated
// run: check --property deadlock
class Pool {
    boolean work;
    boolean down;

    synchronized void submit() {
        work = true;
        notify();
    }

    synchronized void shutdown() {
        down = true;
        notify();
    }

    synchronized boolean take() throws InterruptedException {
        while (!work && !down) wait();
        if (down) return false;
        work = false;
        return true;
    }
}

class Worker extends Thread {
    static final Pool pool = new Pool();

    public void run() {
        while (pool.take()) {
            System.out.println("task");
        }
    }
}

public class ThreadPoolBroken {
    public static void main(String[] args) {
        //@ any
        for (int i = 0; i < args.length; i++) {
            new Worker().start();
        }
        //@ any
        for (int i = 0; i < args.length; i++) {
            Worker.pool.submit();
        }
        Worker.pool.shutdown();
    }
}

// A pool: any number of workers take tasks one at a time until it is shut down; shutdown wakes everybody.
// Why: every worker leaves after shutdown; with notify instead of notifyAll some would wait forever.
// expect deadlock: holds
// run: check --property deadlock
class Pool {
    boolean work;
    boolean down;

    synchronized void submit() {
        work = true;
        notifyAll();
    }

    synchronized void shutdown() {
        down = true;
        notifyAll();
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

public class ThreadPool {
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

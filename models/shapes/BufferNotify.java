// A buffer with one slot, any number of producers and consumers, and notify.
// Why: the lost wake-up: notify may wake a thread that cannot go on, and all end up waiting.
// expect deadlock: violated
// run: check --property deadlock
class Buffer {
    boolean full;

    synchronized void put() throws InterruptedException {
        while (full) wait();
        full = true;
        notify();
    }

    synchronized void get() throws InterruptedException {
        while (!full) wait();
        full = false;
        notify();
    }
}

class Producer extends Thread {
    public void run() {
        while (true) BufferNotify.buffer.put();
    }
}

class Consumer extends Thread {
    public void run() {
        while (true) BufferNotify.buffer.get();
    }
}

public class BufferNotify {
    static final Buffer buffer = new Buffer();

    public static void main(String[] args) {
        new Producer().start();
        new Consumer().start();
        //@ any
        for (int i = 0; i < args.length; i++) {
            new Producer().start();
            new Consumer().start();
        }
    }
}

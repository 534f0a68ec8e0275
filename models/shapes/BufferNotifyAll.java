// A buffer with one slot, any number of producers and consumers, and notifyAll.
// Why: the repair of BufferNotify.java: with as many of each, no thread waits forever.
// expect deadlock: holds
// run: check --property deadlock
class Buffer {
    boolean full;

    synchronized void put() throws InterruptedException {
        while (full) wait();
        full = true;
        notifyAll();
    }

    synchronized void get() throws InterruptedException {
        while (!full) wait();
        full = false;
        notifyAll();
    }
}

class Producer extends Thread {
    public void run() {
        while (true) BufferNotifyAll.buffer.put();
    }
}

class Consumer extends Thread {
    public void run() {
        while (true) BufferNotifyAll.buffer.get();
    }
}

public class BufferNotifyAll {
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

// A buffer with two slots, counted; any number of producers and consumers, and notifyAll.
// Why: a number with a declared range is exact, and the range is checked: the count never leaves it.
// expect deadlock: holds
// expect error: holds
// run: check --property deadlock --property error
//@ range count 0..2
class Slots {
    static final int CAPACITY = 2;
    int count;

    synchronized void put() throws InterruptedException {
        while (count == CAPACITY) wait();
        count++;
        notifyAll();
    }

    synchronized void get() throws InterruptedException {
        while (count == 0) wait();
        count--;
        notifyAll();
    }
}

class Producer extends Thread {
    public void run() {
        try {
            while (true) BufferOfTwo.slots.put();
        } catch (InterruptedException e) {
        }
    }
}

class Consumer extends Thread {
    public void run() {
        try {
            while (true) BufferOfTwo.slots.get();
        } catch (InterruptedException e) {
        }
    }
}

public class BufferOfTwo {
    static final Slots slots = new Slots();

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

// The counted buffer of BufferOfTwo.java, one producer and two consumers, with `if` instead of `while` around the wait of a consumer.
// Why: a consumer that was woken takes from a buffer that another one has emptied; the count leaves its range.
// expect error: violated
// run: check --property error
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
        if (count == 0) wait();
        count--;
        notifyAll();
    }
}

class Producer extends Thread {
    public void run() {
        try {
            while (true) BufferOfTwoIf.slots.put();
        } catch (InterruptedException e) {
        }
    }
}

class Consumer extends Thread {
    public void run() {
        try {
            while (true) BufferOfTwoIf.slots.get();
        } catch (InterruptedException e) {
        }
    }
}

public class BufferOfTwoIf {
    static final Slots slots = new Slots();

    public static void main(String[] args) {
        new Producer().start();
        new Consumer().start();
        new Consumer().start();
    }
}

// Two kinds of threads, any number of each, take two locks in opposite orders.
// Why: a deadlock that needs one thread of each kind, found however many others go on.
// expect lock-cycle: violated
// run: check --property lock-cycle
class Left implements Runnable {
    public void run() {
        while (true) {
            synchronized (LockOrder.a) {
                synchronized (LockOrder.b) {
                    System.out.println("left");
                }
            }
        }
    }
}

class Right implements Runnable {
    public void run() {
        while (true) {
            synchronized (LockOrder.b) {
                synchronized (LockOrder.a) {
                    System.out.println("right");
                }
            }
        }
    }
}

public class LockOrder {
    static final Object a = new Object();
    static final Object b = new Object();

    public static void main(String[] args) {
        while (true) {
            new Thread(new Left()).start();
            new Thread(new Right()).start();
        }
    }
}

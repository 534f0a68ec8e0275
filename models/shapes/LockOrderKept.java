// Two kinds of threads, any number of each, take two locks in the same order.
// Why: the repair of LockOrder.java, proved for every number of threads.
// expect lock-cycle: holds
// run: check --property lock-cycle
class Left implements Runnable {
    public void run() {
        while (true) {
            synchronized (LockOrderKept.a) {
                synchronized (LockOrderKept.b) {
                    System.out.println("left");
                }
            }
        }
    }
}

class Right implements Runnable {
    public void run() {
        while (true) {
            synchronized (LockOrderKept.a) {
                synchronized (LockOrderKept.b) {
                    System.out.println("right");
                }
            }
        }
    }
}

public class LockOrderKept {
    static final Object a = new Object();
    static final Object b = new Object();

    public static void main(String[] args) {
        while (true) {
            new Thread(new Left()).start();
            new Thread(new Right()).start();
        }
    }
}

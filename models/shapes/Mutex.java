// Any number of workers take turns in a critical section guarded by one monitor.
// Why: mutual exclusion from plain Java, for every number of threads.
// expect: holds
class Worker implements Runnable {
    static final Object lock = new Object();

    public void run() {
        while (true) {
            synchronized (lock) {
                //@ exclusive critical
                System.out.println("one at a time");
            }
        }
    }
}

public class Mutex {
    public static void main(String[] args) {
        while (true) {
            new Thread(new Worker()).start();
        }
    }
}

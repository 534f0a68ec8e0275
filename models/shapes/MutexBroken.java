// Any number of workers, each with a lock of its own, so none is kept out of the critical section.
// Why: the twin of Mutex.java; two workers suffice.
// expect race: violated
// expect critical: violated
// run: check --property critical
class Worker implements Runnable {
    final Object lock = new Object();

    public void run() {
        while (true) {
            synchronized (lock) {
                //@ exclusive critical
                Worker.note();
            }
        }
    }

    static boolean noted;

    static void note() {
        noted = true;
    }
}

public class MutexBroken {
    public static void main(String[] args) {
        while (true) {
            new Thread(new Worker()).start();
        }
    }
}

// Any number of tasks for an executor; main closes it and then reads what they wrote.
// Why: close waits for all tasks, so the result is there; without it (awaitTermination with a time) it may not be.
// expect error: holds
// expect deadlock: holds
// run: check --property error --property deadlock
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class Task implements Runnable {
    public void run() {
        Tasks.done = true;
    }
}

public class Tasks {
    static boolean done;

    public static void main(String[] args) {
        ExecutorService executor = Executors.newCachedThreadPool();
        executor.submit(new Task());
        //@ any
        for (int i = 0; i < args.length; i++) {
            executor.submit(new Task());
        }
        executor.close();
        assert done;
    }
}

// Any number of tasks for an executor; main closes it and then reads what they wrote.
// Why: close waits for all tasks, so the result is there; without it (awaitTermination with a time) it may not be. But two
// tasks write `done` without an order: a data race, so that nothing holds under the Java memory model. In the order of single
// steps (--races list) there is no error and no deadlock.
// expect race: violated
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

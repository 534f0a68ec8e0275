import java.util.concurrent.ExecutorService;

/** What the generated programs call before each visible operation. */
public final class Gate {
    private Gate() {
    }

    private static Run run() {
        return ((Run.Group) Thread.currentThread().getThreadGroup()).run;
    }

    public static Object at(int gate) {
        run().pass(gate);
        return null;
    }

    public static boolean yes(int gate) {
        run().pass(gate);
        return true;
    }

    public static int v(int gate, int value) {
        run().pass(gate);
        return value;
    }

    public static boolean v(int gate, boolean value) {
        run().pass(gate);
        return value;
    }

    public static <T> T v(int gate, T value) {
        run().pass(gate);
        return value;
    }

    public static String failed() {
        run().assertion = true;
        return "";
    }

    public static void start(int gate, Thread thread) {
        Run run = run();
        run.pass(gate);
        if (thread != null && thread.getState() == Thread.State.NEW) {
            run.register(thread);
        }
        thread.start();
    }

    public static void submit(int gate, ExecutorService pool, Runnable task) {
        Run run = run();
        run.pass(gate);
        pool.submit(task == null ? null : run.task(task, true));
    }

    public static void execute(int gate, ExecutorService pool, Runnable task) {
        Run run = run();
        run.pass(gate);
        pool.execute(task == null ? null : run.task(task, false));
    }
}

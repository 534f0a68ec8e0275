// main waits on the monitor of a thread that ends.
// Why: the end of a thread notifies who waits for it.
// expect: holds
public class ThreadEndNotifies {
    static class Worker extends Thread { public void run() { } }
    public static void main(String[] args) throws InterruptedException {
        Worker worker = new Worker();
        synchronized (worker) { worker.start(); worker.wait(); }
    }
}

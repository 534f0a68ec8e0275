// A wait without a loop around it.
// Why: it holds only if waits end by notifications alone, which stands under `assumes`; with --spurious-wakeups it is violated.
// expect error: holds
// expect race: holds
// run: check --property error
public class SpuriousWakeup {
    static class Box {
        Object item;
        synchronized void put() { item = new Object(); notify(); }
        synchronized void take() throws InterruptedException { if (item == null) wait(); assert item != null; item = null; }
    }
    static class Producer extends Thread {
        Box box;
        Producer(Box box) { this.box = box; }
        public void run() { box.put(); }
    }
    public static void main(String[] args) throws InterruptedException { Box box = new Box(); new Producer(box).start(); box.take(); }
}

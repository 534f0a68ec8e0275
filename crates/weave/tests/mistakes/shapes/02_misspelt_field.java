public class Flag {
    static volatile boolean ready = false;

    static class Worker extends Thread {
        public void run() {
            raedy = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Worker w = new Worker();
        w.start();
        w.join();
        assert ready;
    }
}

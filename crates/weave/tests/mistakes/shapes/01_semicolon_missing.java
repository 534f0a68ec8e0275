public class Counter {
    static int count = 0;

    static class Worker extends Thread {
        public void run() {
            synchronized (Counter.class) {
                count++
            }
        }
    }

    public static void main(String[] args) {
        new Worker().start();
        new Worker().start();
    }
}

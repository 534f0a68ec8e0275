public class Critical {
    static final Object lock = new Object();

    static class Worker extends Thread {
        public void run() {
            synchronized (lock) {
                //@ exclusiv critical
                System.out.println("one at a time");
            }
        }
    }

    public static void main(String[] args) {
        new Worker().start();
        new Worker().start();
    }
}

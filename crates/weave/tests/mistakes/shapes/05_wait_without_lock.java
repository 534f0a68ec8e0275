public class Gate {
    static final Object gate = new Object();

    static class Guest extends Thread {
        public void run() {
            try {
                Gate.gate.wait();
            } catch (InterruptedException e) {
            }
        }
    }

    public static void main(String[] args) {
        new Guest().start();
        synchronized (gate) {
            gate.notifyAll();
        }
    }
}

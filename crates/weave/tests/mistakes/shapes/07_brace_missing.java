public class Slot {
    private Object item;

    public synchronized void put(Object o) throws InterruptedException {
        while (item != null) {
            wait();
        item = o;
        notifyAll();
    }

    public static void main(String[] args) {
        Slot slot = new Slot();
    }
}

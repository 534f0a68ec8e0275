// Two threads of one class call one synchronized method.
// Why: with a fixed number of threads everything is looked at without abstraction.
// expect: holds
public class TwoThreads {
    static class Cell { boolean bit; synchronized void flip() { bit = !bit; } }
    static class Worker extends Thread {
        Cell cell;
        Worker(Cell cell) { this.cell = cell; }
        public void run() { cell.flip(); }
    }
    public static void main(String[] args) { Cell cell = new Cell(); new Worker(cell).start(); new Worker(cell).start(); }
}

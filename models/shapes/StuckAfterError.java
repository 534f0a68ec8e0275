// An uncaught exception ends one thread; the other waits, and nothing will wake it. The run goes on behind the error.
// expect: violated
// expect deadlock: violated
// expect error: violated
// run: check
//@ range i0 0..3
//@ range x 0..3
//@ range y -1..3
public class StuckAfterError {
    static class Ex extends RuntimeException { }
    static int x;
    static int y;
    static A a = new A();
    static final int LIMIT = 2;
    static class A {
        synchronized void take() {
            try { this.wait(); } catch (InterruptedException e) { }
            int i0 = 1;
        }
    }
    static class T extends Thread {
        A a;
        T(A a) {
            this.a = a;
        }
        public void run() {
            this.a.take();
        }
    }
    public static void main(String[] args) throws InterruptedException {
        A r0 = StuckAfterError.a;
        T r1 = new T(r0);
        r1.start();
        StuckAfterError.x = (StuckAfterError.LIMIT / StuckAfterError.y);
    }
}

// Peterson's algorithm for two threads with variables that are not volatile.
// Why: in the order of single steps it keeps out the other thread, but the Java memory model promises no such order.
// expect race: violated
// expect critical: holds
// run: check --property critical
public class PetersonPlain {
    static boolean a, b, turnA;
    static class P extends Thread {
        public void run() {
            while (true) {
                PetersonPlain.a = true;
                PetersonPlain.turnA = false;
                while (PetersonPlain.b && !PetersonPlain.turnA) { }
                //@ exclusive critical
                System.out.println("P");
                PetersonPlain.a = false;
            }
        }
    }
    static class Q extends Thread {
        public void run() {
            while (true) {
                PetersonPlain.b = true;
                PetersonPlain.turnA = true;
                while (PetersonPlain.a && PetersonPlain.turnA) { }
                //@ exclusive critical
                System.out.println("Q");
                PetersonPlain.b = false;
            }
        }
    }
    public static void main(String[] args) { new P().start(); new Q().start(); }
}

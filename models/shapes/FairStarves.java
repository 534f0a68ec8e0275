// U takes and gives back the lock endlessly. W waits for it, and is not enabled all the time.
// Why: weak fairness against a reduction that took "lock, unlock" as one step.
// expect live: violated
//@ fair weak W
//@ fair weak FairStarves
//@ ltl live: G F "FairStarves.v"
class W extends Thread {
    public void run() { while (true) { synchronized (FairStarves.l) { FairStarves.v = true; FairStarves.v = false; } } }
}
class U extends Thread {
    public void run() { while (true) { synchronized (FairStarves.l) { } } }
}
public class FairStarves {
    static boolean v;
    static final Object l = new Object();
    public static void main(String[] s) { new W().start(); new U().start(); }
}

// Main stops before it starts W, whose fairness says nothing then.
// Why: two starts were taken as one step.
// expect live: violated
//@ fair weak W
//@ ltl live: F "FairNotStarted.v"
class U extends Thread { public void run() { while (true) { } } }
class W extends Thread { public void run() { FairNotStarted.v = true; } }
public class FairNotStarted {
    static volatile boolean v;
    public static void main(String[] s) { new U().start(); new W().start(); }
}

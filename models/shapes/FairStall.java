// X, for which no fairness is assumed, stops with the lock. W is never enabled again.
// Why: strong fairness against the same reduction.
// expect live: violated
//@ fair strong W
//@ fair strong FairStall
//@ ltl live: F "FairStall.v"
class W extends Thread { public void run() { synchronized (FairStall.l) { FairStall.v = true; } } }
class X extends Thread { public void run() { synchronized (FairStall.l) { FairStall.z = true; } } }
public class FairStall {
    static volatile boolean v;
    static boolean z;
    static final Object l = new Object();
    public static void main(String[] s) { new X().start(); new W().start(); while (true) { } }
}

//! Data races of small Java programs, each with what the Java Language Specification, chapter 17, says of it.

use shapes::answer::{Kind, Request, Verdict, answer};
use shapes::java::{Reading, read_as};
use shapes::space::Join;
use source::SourceMap;

/// A program, and whether it has a data race: `holds`, `violated`, or a list of what may be said.
const PROGRAMS: [(&str, &str, &str); 58] = [
    (
        "Counter",
        "violated",
        r#"public class Counter {
    int n;
    void one() { n++; }
    void two() { n++; }

    public static void main(String[] args) throws InterruptedException {
        Counter s = new Counter();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "CounterRead",
        "violated",
        r#"public class CounterRead {
    int n;
    void one() { n = 1; }
    void two() { System.out.println(n); }

    public static void main(String[] args) throws InterruptedException {
        CounterRead s = new CounterRead();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "OnlyReads",
        "holds",
        r#"public class OnlyReads {
    int n = 3;
    void one() { System.out.println(n); }
    void two() { System.out.println(n); }

    public static void main(String[] args) throws InterruptedException {
        OnlyReads s = new OnlyReads();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "CounterLocked",
        "holds",
        r#"public class CounterLocked {
    int n;
    synchronized void one() { n++; }
    synchronized void two() { n++; }

    public static void main(String[] args) throws InterruptedException {
        CounterLocked s = new CounterLocked();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "CounterOtherLocks",
        "violated",
        r#"public class CounterOtherLocks {
    int n;
    final Object a = new Object();
    final Object b = new Object();
    void one() { synchronized (a) { n++; } }
    void two() { synchronized (b) { n++; } }

    public static void main(String[] args) throws InterruptedException {
        CounterOtherLocks s = new CounterOtherLocks();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "TwoFieldsTwoLocks",
        "holds",
        r#"public class TwoFieldsTwoLocks {
    int m;
    int n;
    final Object a = new Object();
    final Object b = new Object();
    void one() { synchronized (a) { m++; } synchronized (b) { n++; } }
    void two() { synchronized (b) { n++; } synchronized (a) { m++; } }

    public static void main(String[] args) throws InterruptedException {
        TwoFieldsTwoLocks s = new TwoFieldsTwoLocks();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "VolatileFlag",
        "holds",
        r#"public class VolatileFlag {
    volatile boolean f;
    void one() { f = true; }
    void two() { System.out.println(f); }

    public static void main(String[] args) throws InterruptedException {
        VolatileFlag s = new VolatileFlag();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "VolatileLong",
        "holds",
        r#"public class VolatileLong {
    volatile long n;
    void one() { n = 5; }
    void two() { long x = n; }

    public static void main(String[] args) throws InterruptedException {
        VolatileLong s = new VolatileLong();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "PlainLong",
        "violated",
        r#"public class PlainLong {
    long n;
    void one() { n = 5; }
    void two() { long x = n; }

    public static void main(String[] args) throws InterruptedException {
        PlainLong s = new PlainLong();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "Publish",
        "holds",
        r#"public class Publish {
    volatile boolean ready;
    int data;
    void one() { data = 42; ready = true; }
    void two() { if (ready) { System.out.println(data); } }

    public static void main(String[] args) throws InterruptedException {
        Publish s = new Publish();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "PublishPlain",
        "violated",
        r#"public class PublishPlain {
    boolean ready;
    int data;
    void one() { data = 42; ready = true; }
    void two() { if (ready) { System.out.println(data); } }

    public static void main(String[] args) throws InterruptedException {
        PublishPlain s = new PublishPlain();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "PublishLate",
        "violated",
        r#"public class PublishLate {
    volatile boolean ready;
    int data;
    void one() { ready = true; data = 42; }
    void two() { if (ready) { System.out.println(data); } }

    public static void main(String[] args) throws InterruptedException {
        PublishLate s = new PublishLate();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "LockOneBranch",
        "violated",
        r#"public class LockOneBranch {
    int n;
    volatile boolean c;
    void one() { if (c) { synchronized (this) { n++; } } else { n++; } }
    void two() { synchronized (this) { n++; } }

    public static void main(String[] args) throws InterruptedException {
        LockOneBranch s = new LockOneBranch();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "ExplicitLock",
        "holds",
        r#"public class ExplicitLock {
    int n;
    final ReentrantLock l = new ReentrantLock();
    void one() { l.lock(); try { n++; } finally { l.unlock(); } }
    void two() { l.lock(); n++; l.unlock(); }

    public static void main(String[] args) throws InterruptedException {
        ExplicitLock s = new ExplicitLock();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "UnlockEarly",
        "violated",
        r#"public class UnlockEarly {
    int n;
    final ReentrantLock l = new ReentrantLock();
    void one() { l.lock(); l.unlock(); n++; }
    void two() { l.lock(); n++; l.unlock(); }

    public static void main(String[] args) throws InterruptedException {
        UnlockEarly s = new UnlockEarly();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "TryLock",
        "holds",
        r#"public class TryLock {
    int n;
    final ReentrantLock l = new ReentrantLock();
    void one() { if (l.tryLock()) { n++; l.unlock(); } }
    void two() { l.lock(); n++; l.unlock(); }

    public static void main(String[] args) throws InterruptedException {
        TryLock s = new TryLock();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "TryLockElse",
        "violated",
        r#"public class TryLockElse {
    int n;
    final ReentrantLock l = new ReentrantLock();
    void one() { if (l.tryLock()) { n++; l.unlock(); } else { n++; } }
    void two() { l.lock(); n++; l.unlock(); }

    public static void main(String[] args) throws InterruptedException {
        TryLockElse s = new TryLockElse();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "TryLockOrders",
        "violated|unknown",
        r#"public class TryLockOrders {
    int n;
    final ReentrantLock l = new ReentrantLock();
    void one() { n = 42; l.lock(); }
    void two() { if (!l.tryLock()) { System.out.println(n); } }

    public static void main(String[] args) throws InterruptedException {
        TryLockOrders s = new TryLockOrders();
        Thread a = new Thread(() -> s.one());
        Thread b = new Thread(() -> s.two());
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
"#,
    ),
    (
        "DoubleChecked",
        "violated",
        r#"public class DoubleChecked {
    static DoubleChecked instance;
    int value = 7;
    static DoubleChecked get() {
        if (instance == null) {
            synchronized (DoubleChecked.class) {
                if (instance == null) { instance = new DoubleChecked(); }
            }
        }
        return instance;
    }
    public static void main(String[] args) {
        new Thread(() -> { DoubleChecked d = get(); System.out.println(d.value); }).start();
        new Thread(() -> { DoubleChecked d = get(); System.out.println(d.value); }).start();
    }
}
"#,
    ),
    (
        "DoubleCheckedVolatile",
        "holds",
        r#"public class DoubleCheckedVolatile {
    static volatile DoubleCheckedVolatile instance;
    int value = 7;
    static DoubleCheckedVolatile get() {
        if (instance == null) {
            synchronized (DoubleCheckedVolatile.class) {
                if (instance == null) { instance = new DoubleCheckedVolatile(); }
            }
        }
        return instance;
    }
    public static void main(String[] args) {
        new Thread(() -> { DoubleCheckedVolatile d = get(); System.out.println(d.value); }).start();
        new Thread(() -> { DoubleCheckedVolatile d = get(); System.out.println(d.value); }).start();
    }
}
"#,
    ),
    (
        "Holder",
        "holds",
        r#"class Lazy { static final Lazy ONE = new Lazy(); int v = 3; }
public class Holder {
    public static void main(String[] args) {
        new Thread(() -> { Lazy l = Lazy.ONE; System.out.println(l.v); }).start();
        new Thread(() -> { Lazy l = Lazy.ONE; System.out.println(l.v); }).start();
    }
}
"#,
    ),
    (
        "LazyInit",
        "violated",
        r#"class Lazy { int v = 3; }
public class LazyInit {
    static Lazy one;
    static void use() { if (one == null) { one = new Lazy(); } }
    public static void main(String[] args) {
        new Thread(() -> use()).start();
        new Thread(() -> use()).start();
    }
}
"#,
    ),
    (
        "StartJoin",
        "holds",
        r#"public class StartJoin {
    static int n;
    public static void main(String[] args) throws InterruptedException {
        n = 1;
        Thread t = new Thread(() -> { n = n + 1; });
        t.start();
        t.join();
        System.out.println(n);
    }
}
"#,
    ),
    (
        "NoJoin",
        "violated",
        r#"public class NoJoin {
    static int n;
    public static void main(String[] args) throws InterruptedException {
        n = 1;
        Thread t = new Thread(() -> { n = n + 1; });
        t.start();
        System.out.println(n);
    }
}
"#,
    ),
    (
        "StartLate",
        "violated",
        r#"public class StartLate {
    static int n;
    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> { n = n + 1; });
        t.start();
        n = 1;
        t.join();
    }
}
"#,
    ),
    (
        "JoinOther",
        "violated",
        r#"public class JoinOther {
    static int n;
    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> { n = 1; });
        Thread u = new Thread(() -> { System.out.println("u"); });
        t.start();
        u.start();
        u.join();
        System.out.println(n);
        t.join();
    }
}
"#,
    ),
    (
        "RacyPublication",
        "violated",
        r#"class Box { final int v; Box(int v) { this.v = v; } }
public class RacyPublication {
    static Box box;
    public static void main(String[] args) {
        new Thread(() -> { box = new Box(1); }).start();
        new Thread(() -> { Box b = box; if (b != null) { System.out.println(b.v); } }).start();
    }
}
"#,
    ),
    (
        "VolatilePublication",
        "holds",
        r#"class Box { int v; Box(int v) { this.v = v; } }
public class VolatilePublication {
    static volatile Box box;
    public static void main(String[] args) {
        new Thread(() -> { box = new Box(1); }).start();
        new Thread(() -> { Box b = box; if (b != null) { System.out.println(b.v); } }).start();
    }
}
"#,
    ),
    (
        "LockPublication",
        "holds",
        r#"class Box { int v; Box() { v = 1; } }
public class LockPublication {
    static Box box;
    static final Object lock = new Object();
    public static void main(String[] args) {
        new Thread(() -> { Box b = new Box(); b.v = 2; synchronized (lock) { box = b; } }).start();
        new Thread(() -> { Box b; synchronized (lock) { b = box; } if (b != null) { System.out.println(b.v); } }).start();
    }
}
"#,
    ),
    (
        "LockPublicationChanged",
        "violated",
        r#"class Box { int v; Box() { v = 1; } }
public class LockPublicationChanged {
    static Box box;
    static final Object lock = new Object();
    public static void main(String[] args) {
        new Thread(() -> { Box b = new Box(); b.v = 2; synchronized (lock) { box = b; } b.v = 3; }).start();
        new Thread(() -> { Box b; synchronized (lock) { b = box; } if (b != null) { System.out.println(b.v); } }).start();
    }
}
"#,
    ),
    (
        "HandOff",
        "holds",
        r#"class Slot {
    Object item;
    synchronized void put(Object o) throws InterruptedException { while (item != null) { wait(); } item = o; notifyAll(); }
    synchronized Object take() throws InterruptedException { while (item == null) { wait(); } Object o = item; item = null; notifyAll(); return o; }
}
class Cell { int n; }
class Giver extends Thread {
    Slot slot;
    Giver(Slot slot) { this.slot = slot; }
    public void run() { try { Cell c = new Cell(); c.n = 1; slot.put(c); } catch (InterruptedException e) { } }
}
class Taker extends Thread {
    Slot slot;
    Taker(Slot slot) { this.slot = slot; }
    public void run() { try { Object o = slot.take(); Cell c = (Cell) o; c.n = 2; } catch (InterruptedException e) { } }
}
public class HandOff {
    public static void main(String[] args) { Slot s = new Slot(); new Giver(s).start(); new Taker(s).start(); }
}
"#,
    ),
    (
        "HandOffKept",
        "violated",
        r#"class Slot {
    Object item;
    synchronized void put(Object o) throws InterruptedException { while (item != null) { wait(); } item = o; notifyAll(); }
    synchronized Object take() throws InterruptedException { while (item == null) { wait(); } Object o = item; item = null; notifyAll(); return o; }
}
class Cell { int n; }
class Giver extends Thread {
    Slot slot;
    Giver(Slot slot) { this.slot = slot; }
    public void run() { try { Cell c = new Cell(); c.n = 1; slot.put(c); c.n = 3; } catch (InterruptedException e) { } }
}
class Taker extends Thread {
    Slot slot;
    Taker(Slot slot) { this.slot = slot; }
    public void run() { try { Object o = slot.take(); Cell c = (Cell) o; c.n = 2; } catch (InterruptedException e) { } }
}
public class HandOffKept {
    public static void main(String[] args) { Slot s = new Slot(); new Giver(s).start(); new Taker(s).start(); }
}
"#,
    ),
    (
        "AtomicHandOff",
        "holds",
        r#"import java.util.concurrent.atomic.AtomicReference;
class Cell { int n; }
public class AtomicHandOff {
    static final AtomicReference<Cell> ref = new AtomicReference<>(null);
    public static void main(String[] args) {
        new Thread(() -> { Cell c = new Cell(); c.n = 1; ref.set(c); }).start();
        new Thread(() -> { Cell c = ref.getAndSet(null); if (c != null) { c.n = 2; } }).start();
    }
}
"#,
    ),
    (
        "AtomicShared",
        "violated",
        r#"import java.util.concurrent.atomic.AtomicReference;
class Cell { int n; }
public class AtomicShared {
    static final AtomicReference<Cell> ref = new AtomicReference<>(null);
    public static void main(String[] args) {
        new Thread(() -> { Cell c = new Cell(); c.n = 1; ref.set(c); c.n = 5; }).start();
        new Thread(() -> { Cell c = ref.getAndSet(null); if (c != null) { c.n = 2; } }).start();
    }
}
"#,
    ),
    (
        "AtomicCounter",
        "holds",
        r#"import java.util.concurrent.atomic.AtomicInteger;
public class AtomicCounter {
    static final AtomicInteger n = new AtomicInteger(0);
    public static void main(String[] args) {
        new Thread(() -> { n.incrementAndGet(); }).start();
        new Thread(() -> { n.incrementAndGet(); }).start();
    }
}
"#,
    ),
    (
        "AtomicFlagLock",
        "holds",
        r#"import java.util.concurrent.atomic.AtomicBoolean;
public class AtomicFlagLock {
    static final AtomicBoolean busy = new AtomicBoolean(false);
    static int n;
    static void use() { while (!busy.compareAndSet(false, true)) { } n++; busy.set(false); }
    public static void main(String[] args) {
        new Thread(() -> use()).start();
        new Thread(() -> use()).start();
    }
}
"#,
    ),
    (
        "PlainFlagLock",
        "violated",
        r#"public class PlainFlagLock {
    static volatile boolean busy;
    static int n;
    static void use() { while (busy) { } busy = true; n++; busy = false; }
    public static void main(String[] args) {
        new Thread(() -> use()).start();
        new Thread(() -> use()).start();
    }
}
"#,
    ),
    (
        "PetersonVolatile",
        "holds",
        r#"public class PetersonVolatile {
    static volatile boolean a;
    static volatile boolean b;
    static volatile boolean turnA;
    static int n;
    public static void main(String[] args) {
        new Thread(() -> { while (true) { a = true; turnA = false; while (b && !turnA) { } n++; a = false; } }).start();
        new Thread(() -> { while (true) { b = true; turnA = true; while (a && turnA) { } n++; b = false; } }).start();
    }
}
"#,
    ),
    (
        "ExecutorTasks",
        "violated",
        r#"import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
public class ExecutorTasks {
    static int n;
    public static void main(String[] args) {
        ExecutorService e = Executors.newCachedThreadPool();
        e.submit(() -> { n++; });
        e.submit(() -> { n++; });
        e.close();
        System.out.println(n);
    }
}
"#,
    ),
    (
        "ExecutorOneTask",
        "holds",
        r#"import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
public class ExecutorOneTask {
    static int n;
    public static void main(String[] args) {
        ExecutorService e = Executors.newCachedThreadPool();
        e.submit(() -> { n++; });
        e.close();
        System.out.println(n);
    }
}
"#,
    ),
    (
        "ExecutorNoClose",
        "violated",
        r#"import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
public class ExecutorNoClose {
    static int n;
    public static void main(String[] args) {
        ExecutorService e = Executors.newCachedThreadPool();
        e.submit(() -> { n++; });
        e.shutdown();
        System.out.println(n);
    }
}
"#,
    ),
    (
        "BenignRace",
        "violated",
        r#"public class BenignRace {
    static boolean stop;
    public static void main(String[] args) {
        new Thread(() -> { while (!stop) { System.out.println("."); } }).start();
        stop = true;
    }
}
"#,
    ),
    (
        "Confined",
        "holds",
        r#"class Cell { int n; }
class Worker extends Thread {
    public void run() { Cell c = new Cell(); c.n = 1; c.n++; System.out.println(c.n); }
}
public class Confined {
    public static void main(String[] args) {
        //@ any
        while (Math.random() < 0.5) { new Worker().start(); }
    }
}
"#,
    ),
    (
        "SharedCell",
        "violated",
        r#"class Cell { int n; }
class Worker extends Thread {
    Cell c;
    Worker(Cell c) { this.c = c; }
    public void run() { c.n = 1; }
}
public class SharedCell {
    public static void main(String[] args) {
        Cell c = new Cell();
        //@ any
        while (Math.random() < 0.5) { new Worker(c).start(); }
    }
}
"#,
    ),
    (
        "SharedCellLocked",
        "holds",
        r#"class Cell { int n; }
class Worker extends Thread {
    Cell c;
    Worker(Cell c) { this.c = c; }
    public void run() { synchronized (c) { c.n = 1; } }
}
public class SharedCellLocked {
    public static void main(String[] args) {
        Cell c = new Cell();
        //@ any
        while (Math.random() < 0.5) { new Worker(c).start(); }
    }
}
"#,
    ),
    (
        "LockThread",
        "violated",
        r#"class Cell { int n; }
class Worker extends Thread {
    Cell c;
    Worker(Cell c) { this.c = c; }
    public void run() { synchronized (this) { c.n = 1; } }
}
public class LockThread {
    public static void main(String[] args) {
        Cell c = new Cell();
        //@ any
        while (Math.random() < 0.5) { new Worker(c).start(); }
    }
}
"#,
    ),
    (
        "EscapingThis",
        "violated",
        r#"class Worker extends Thread {
    int n;
    Worker() { start(); n = 1; }
    public void run() { System.out.println(n); }
}
public class EscapingThis {
    public static void main(String[] args) { new Worker(); }
}
"#,
    ),
    (
        "PrintOther",
        "violated",
        r#"class Cell { String name = "a"; }
public class PrintOther {
    static final Cell c = new Cell();
    public static void main(String[] args) {
        new Thread(() -> { c.name = "b"; }).start();
        System.out.println("x" + c.name);
    }
}
"#,
    ),
    (
        "ArrayElement",
        "violated|unknown",
        r#"public class ArrayElement {
    static final int[] a = new int[2];
    public static void main(String[] args) {
        new Thread(() -> { a[0]++; }).start();
        a[0]++;
    }
}
"#,
    ),
    (
        "ArrayLength",
        "holds",
        r#"public class ArrayLength {
    static final int[] a = new int[2];
    public static void main(String[] args) {
        new Thread(() -> { System.out.println(a.length); }).start();
        System.out.println(a.length);
    }
}
"#,
    ),
    (
        "Builder",
        "violated|unknown",
        r#"public class Builder {
    static final StringBuilder s = new StringBuilder();
    public static void main(String[] args) {
        new Thread(() -> { s.append("a"); }).start();
        s.append("b");
    }
}
"#,
    ),
    (
        "ShortCircuit",
        "holds",
        r#"public class ShortCircuit {
    static volatile boolean ready;
    static boolean data;
    public static void main(String[] args) {
        new Thread(() -> { data = true; ready = true; }).start();
        System.out.println(ready && data);
    }
}
"#,
    ),
    (
        "NoShortCircuit",
        "violated",
        r#"public class NoShortCircuit {
    static volatile boolean ready;
    static boolean data;
    public static void main(String[] args) {
        new Thread(() -> { data = true; ready = true; }).start();
        System.out.println(ready & data);
    }
}
"#,
    ),
    (
        "Ranged",
        "violated",
        r#"//@ range n 0..3
public class Ranged {
    static int n;
    public static void main(String[] args) {
        new Thread(() -> { n = 1; }).start();
        int k = 0;
        if (n == 1) { k = 1; }
    }
}
"#,
    ),
    (
        "AssertRead",
        "violated",
        r#"public class AssertRead {
    static boolean done;
    public static void main(String[] args) {
        new Thread(() -> { done = true; }).start();
        assert done || true;
    }
}
"#,
    ),
    (
        "SelfOnly",
        "holds",
        r#"class Worker extends Thread {
    int n;
    public void run() { n++; n++; }
}
public class SelfOnly {
    public static void main(String[] args) { new Worker().start(); new Worker().start(); }
}
"#,
    ),
    (
        "ReadAfterWaitless",
        "violated",
        r#"public class ReadAfterWaitless {
    int n;
    synchronized void set() { n = 1; notifyAll(); }
    int get() { return n; }
    public static void main(String[] args) {
        ReadAfterWaitless r = new ReadAfterWaitless();
        new Thread(() -> r.set()).start();
        System.out.println(r.get());
    }
}
"#,
    ),
    (
        "SleepIsNoEdge",
        "violated",
        r#"public class SleepIsNoEdge {
    static int n;
    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> { n = 1; }).start();
        Thread.sleep(1000);
        System.out.println(n);
    }
}
"#,
    ),
];

/// The worst that is said of some kind of property.
fn said(name: &str, text: &str, kind: Kind, reading: Reading) -> &'static str {
    let mut map = SourceMap::new();
    let file = map.add(format!("{name}.java"), text);
    let (model, diagnostics) = read_as(&map, file, reading);
    let model = model.unwrap_or_else(|| panic!("{name}: {diagnostics:#?}"));
    let selected = vec![if kind == Kind::Error { "error" } else { "race" }.to_string()];
    let request = Request {
        join: Join::Partial,
        concrete_first: true,
        max_states: Some(400),
        selected,
        ..Request::default()
    };
    let answer = answer(&model, &request, &mut explore::Unwatched);
    let of_kind = || answer.properties.iter().filter(|p| p.kind == kind);
    let unknown = |v: &Verdict| matches!(v, Verdict::Unknown { .. });
    match () {
        () if of_kind().any(|p| matches!(p.verdict, Verdict::Violated(_))) => "violated",
        () if of_kind().any(|p| unknown(&p.verdict)) => "unknown",
        () if of_kind().next().is_some() => "holds",
        () => "missing",
    }
}

#[test]
fn every_program_races_as_the_memory_model_says() {
    let mut wrong = Vec::new();
    for (name, truth, text) in PROGRAMS {
        let found = said(name, text, Kind::Race, Reading::default());
        if !truth.split('|').any(|t| t == found) {
            wrong.push(format!("{name}: {truth} is true, {found} was said"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A producer and a consumer, with or without a loop around the wait.
fn waits(how: &str) -> String {
    let text = r#"public class Box {
    Object item;
    synchronized void put() { item = new Object(); notify(); }
    synchronized void take() throws InterruptedException { HOW (item == null) { wait(); } assert item != null; }
    public static void main(String[] args) {
        Box box = new Box();
        new Thread(() -> box.put()).start();
        try { box.take(); } catch (InterruptedException e) { }
    }
}
"#;
    text.replace("HOW", how)
}

#[test]
fn waits_end_by_themselves_if_that_is_allowed() {
    let spurious = Reading { spurious: true, interrupts: false };
    assert_eq!(said("Box", &waits("if"), Kind::Error, Reading::default()), "holds");
    assert_eq!(said("Box", &waits("if"), Kind::Error, spurious), "violated");
    assert_eq!(said("Box", &waits("while"), Kind::Error, spurious), "holds");
}

#[test]
fn interruptions_throw_if_they_are_allowed() {
    let interrupts = Reading { spurious: false, interrupts: true };
    assert_eq!(said("Box", &waits("while"), Kind::Error, interrupts), "holds");
    let uncaught =
        waits("while").replace("try { box.take(); } catch (InterruptedException e) { }", "box.take();");
    let uncaught = uncaught.replace("String[] args)", "String[] args) throws InterruptedException");
    assert_eq!(said("Box", &uncaught, Kind::Error, interrupts), "violated");
    assert_eq!(said("Box", &uncaught, Kind::Error, Reading::default()), "holds");
}

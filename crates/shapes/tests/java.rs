//! Java: what odd programs mean, and the checks that are built in. Larger programs are tested with
//! the corpus, what is refused in the crate of the language.

use shapes::abstracted::Join;
use shapes::answer::{Request, Seen, answer};
use source::{Diagnostic, SourceMap};
use structures::model::Model;

fn read(text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("Program.java", text);
    java::read(&map, file)
}

/// Odd programs: what is before the class, in it, and in `run`; and the answer to `error`, or the
/// code of the refusal.
const ODD: [(&str, &str, &str, &str); 85] = [
    ("", "", "new Thread() { public void run() { assert false; } }.start();", "E0802"),
    ("", "", "int[] a = new int[3]; a[0] = 1;", "E0802"),
    ("", "", "Object[] a = new Object[3]; Object q = a[0];", "E0802"),
    ("", "", "Thread[] ts = new Thread[3]; for (int i = 0; i < 3; i++) ts[i].start();", "E0802"),
    ("", "", "Object a; while ((a = o) != null) { }", "holds"),
    (
        "import java.util.concurrent.atomic.*;",
        "static AtomicBoolean ab = new AtomicBoolean();",
        "if (ab.compareAndSet(false, true)) { assert !ab.get(); }",
        "violated",
    ),
    (
        "import java.util.concurrent.atomic.*;",
        "static AtomicBoolean ab = new AtomicBoolean();",
        "if (ab.getAndSet(true)) { } ",
        "holds",
    ),
    ("", "boolean boom() { assert false; return true; }", "flag = sflag & boom();", "violated"),
    ("", "", "flag = (sflag = true);", "E0802"),
    ("", "", "W q = (W) o; q.flag = true;", "violated"),
    ("", "", "Object a, b; a = b = o;", "holds"),
    ("", "Object boom() { assert false; return null; }", "if (boom() == null) { }", "violated"),
    ("", "", "flag = false; flag |= true; assert !flag;", "E0802"),
    ("class B { B() {} B(Object o) { assert false; } }", "", "new B(null);", "E0802"),
    (
        "class A1 { static class X { void m() { } } } class A2 { static class X { void m() { assert false; } } }",
        "",
        "A2.X x = new A2.X(); x.m();",
        "E0802",
    ),
    ("enum E { A, B }", "", "E e = E.A; ", "E0802"),
    ("", "", "if (flag == sflag) assert true;", "holds"),
    ("", "", "if (o.equals(so)) assert false;", "violated"),
    ("import java.util.concurrent.*;", "", "ExecutorService e = Executors.newFixedThreadPool(2);", "E0802"),
    ("", "", "Object x = o.toString();", "E0802"),
    (
        "",
        "",
        "Thread t = new Thread(() -> { }), u = new Thread(() -> { assert false; }); u.start();",
        "violated",
    ),
    ("", "", "boolean flag = true; new Thread(() -> { assert flag; }).start();", "holds"),
    (
        "",
        "",
        "boolean flag = false; this.flag = true; new Thread(() -> { assert flag; }).start();",
        "violated",
    ),
    ("", "", "System.exit(0);", "E0802"),
    ("", "", "for (int i : new int[3]) { }", "E0802"),
    (
        "interface I { void m(); } class C implements I { public void m() { assert false; } }",
        "",
        "I i = new C(); i.m();",
        "violated",
    ),
    ("", "", "if (n++ > 0) { assert false; }", "unknown"),
    ("", "", "if (o instanceof W) assert false;", "unknown"),
    ("", "{ flag = true; }", "", "E0802"),
    ("", "", "interrupt();", "E0802"),
    ("", "int boom() { assert false; return 1; }", "n = boom();", "violated"),
    (
        "",
        "int f(Bomb b) { return 1; } static class Bomb { Bomb() { assert false; } }",
        "int x = f(new Bomb());",
        "violated",
    ),
    ("", "void f(int x) { } int boom() { assert false; return 1; }", "f(boom());", "violated"),
    ("", "", "if (other.isAlive()) { }", "E0802"),
    ("", "", "other.join(10);", "E0802"),
    ("", "", "a: while (true) { break a; }", "E0802"),
    ("", "", "Runnable r = () -> { }; new Thread(r).start();", "E0802"),
    ("", "static void go() { }", "new Thread(W::go).start();", "E0802"),
    (
        "class B { void m(Object a) { } void m(Object a, Object b) { assert false; } }",
        "",
        "B b = new B(); b.m(null, null);",
        "violated",
    ),
    ("", "boolean boom() { assert false; return true; }", "System.out.println(boom());", "violated"),
    ("record R(Object a) { }", "", "R r = new R(null);", "E0802"),
    ("", "int boom2() { return boom(); } int boom() { assert false; return 1; }", "n = boom2();", "violated"),
    ("import java.util.concurrent.*;", "", "Semaphore s = new Semaphore(1); s.acquire();", "E0802"),
    ("", "", "setDaemon(true);", "E0802"),
    ("", "static { sflag = true; }", "", "E0802"),
    ("", "int boom() { assert false; return 1; }", "String s = \"a\" + boom();", "violated"),
    (
        "class R1 implements Runnable { public void run() { } } class R2 extends R1 { public void run() { assert false; } }",
        "",
        "R1 r = new R2(); new Thread(r).start();",
        "violated",
    ),
    ("class B { B(Object x) { } } class C extends B { C() { super(null); } }", "", "new C();", "E0802"),
    ("", "", "switch (n) { case 1: assert false; }", "E0802"),
    ("", "static synchronized void go() { }", "go();", "holds"),
    ("", "", "Object x = lock; synchronized (x) { x = new Object(); } synchronized (lock) { }", "holds"),
    ("", "", "Object a = flag ? o : null;", "holds"),
    ("", "", "flag = sflag ? true : false;", "holds"),
    ("", "", "throw new RuntimeException();", "violated"),
    ("", "", "try { o = null; } catch (Exception e) { }", "holds"),
    (
        "import java.util.concurrent.locks.*;",
        "",
        "ReentrantLock l = new ReentrantLock(); if (l.tryLock(1, null)) { }",
        "E0802",
    ),
    (
        "import java.util.concurrent.locks.*;",
        "static ReentrantReadWriteLock rw = new ReentrantReadWriteLock();",
        "rw.readLock().lock();",
        "E0802",
    ),
    ("", "", "try (AutoCloseable c = null) { }", "E0802"),
    ("", "", "java.util.List q = null; if (q.isEmpty()) { }", "E0802"),
    ("", "int boom() { assert false; return 1; }", "var x = boom();", "violated"),
    (
        "class B { void m() { } } class C extends B { void m() { assert false; } }",
        "",
        "B b = new C(); b.m();",
        "violated",
    ),
    ("", "", "synchronized (this) { wait(10); }", "E0802"),
    ("", "", "if (flag ^ sflag) { }", "holds"),
    (
        "",
        "",
        "try { throw new RuntimeException(); } catch (Exception e) { flag = true; } assert flag;",
        "holds",
    ),
    (
        "",
        "",
        "try { throw new RuntimeException(); } catch (IllegalStateException e) { flag = true; }",
        "violated",
    ),
    (
        "",
        "void f() { throw new IllegalStateException(); }",
        "try { synchronized (lock) { f(); } } catch (RuntimeException e) { synchronized (lock) { flag = true; } } assert flag;",
        "holds",
    ),
    (
        "",
        "",
        "try { flag = true; throw new RuntimeException(); } catch (Exception e) { } finally { flag = false; } assert !flag;",
        "holds",
    ),
    (
        "class E extends Exception { }",
        "",
        "try { throw new E(); } catch (RuntimeException e) { } catch (E e) { assert false; }",
        "violated",
    ),
    ("class E { }", "", "throw new E();", "E0803"),
    ("", "", "Thread t = Thread.currentThread(); assert t == this;", "holds"),
    (
        "",
        "",
        "for (Object a = new Object(), b = a; a != null; a = null, b = a) { assert b != null; }",
        "holds",
    ),
    (
        "class B { static Object x = A.y; } class A { static Object y = new Object(); }",
        "",
        "assert B.x != null;",
        "holds",
    ),
    (
        "import java.util.concurrent.locks.*;",
        "",
        "ReentrantLock l = new ReentrantLock(); synchronized (l) { }",
        "E0802",
    ),
    (
        "import java.util.concurrent.atomic.*;",
        "static AtomicBoolean ab = new AtomicBoolean(true);",
        "AtomicBoolean c = ab;",
        "E0802",
    ),
    (
        "import java.util.concurrent.atomic.*;",
        "static AtomicBoolean ab = new AtomicBoolean(true);",
        "ab.set(!ab.get()); assert !ab.get();",
        "holds",
    ),
    (
        "",
        "static synchronized void go() { synchronized (W.class) { sflag = true; } }",
        "go(); assert sflag;",
        "holds",
    ),
    ("", "", "Object x = lock; synchronized (x) { x = new Object(); x.notify(); }", "violated"),
    (
        "abstract class B { abstract boolean m(); } class C extends B { boolean m() { return true; } } class D extends B { boolean m() { return false; } }",
        "",
        "B b = new C(); assert b.m(); b = new D(); assert !b.m();",
        "holds",
    ),
    (
        "class R implements Runnable { public void run() { } }",
        "",
        "Thread t = new Thread(new R()); t.run();",
        "E0802",
    ),
    (
        "class R implements Runnable { public void run() { assert false; } }",
        "",
        "Runnable r = new R(); new Thread(r).start();",
        "violated",
    ),
    ("", "", "new Thread(this).start();", "E0802"),
    // A plain thread that goes by another name could be the run of another one.
    ("", "", "Runnable r = new Thread(() -> { assert false; }); new Thread(r).start();", "E0802"),
    ("", "", "Runnable r; r = Thread.currentThread(); new Thread(r).start();", "E0802"),
    ("", "Runnable r;", "r = new Thread(() -> { assert false; }); new Thread(r).start();", "E0802"),
    ("", "void go(Runnable r) { }", "Thread t = new Thread(() -> { assert false; }); go(t);", "E0802"),
];

fn odd(before: &str, members: &str, body: &str) -> String {
    format!(
        "{before}\nclass W extends Thread {{\n  W other; boolean flag; Object o; int n;\n  {members}\n\
         public void run() {{ {body} }}\n  static boolean sflag; static Object so = new Object();\n\
         static final Object lock = new Object();\n  public static void main(String[] args) {{\n\
         W w = new W(); w.other = w; w.start();\n  }}\n}}\n"
    )
}

fn verdict(text: &str, property: &str) -> String {
    let (model, diagnostics) = read(text);
    let Some(model) = model else {
        let reported = diagnostics.iter().find(|d| d.is_error());
        return reported.map_or("nothing reported", |d| d.code).to_string();
    };
    let request = Request {
        join: Join::Partial,
        concrete_first: true,
        selected: vec![property.to_string()],
        ..Request::default()
    };
    let answer = answer(&model, &request, &mut explore::NoListener);
    let word = answer.properties.first().map_or("missing", |p| match p.seen {
        Seen::Nothing => "holds",
        Seen::Run(_) => "violated",
        Seen::Open { .. } => "unknown",
    });
    word.to_string()
}

/// Nothing is taken for something else, and nothing is skipped.
#[test]
fn odd_programs() {
    for (before, members, body, expected) in ODD {
        assert_eq!(verdict(&odd(before, members, body), "error"), expected, "{before} {members} {body}");
    }
}

/// Numbers with ranges and atomic objects: members, the body of `run`, and the answer.
const EXACT: [(&str, &str, &str); 38] = [
    ("//@ range n 0..3\n", "n = 2; assert n == 2;", "holds"),
    ("//@ range n 0..3\n", "n = 2; assert n != 2;", "violated"),
    ("//@ range n 0..3\n", "assert n == 0;", "holds"),
    ("//@ range n 0..3\n", "n = 3; n++;", "violated"),
    ("//@ range n 0..3\n", "n = 2; n++; assert n == 3;", "holds"),
    ("//@ range n 0..3\n", "n--;", "violated"),
    ("//@ range n -1..3\n", "n--; assert n < 0;", "holds"),
    ("//@ range n 0..3\n", "n += 2; n -= 1; assert n == 1;", "holds"),
    ("//@ range n 0..3\n", "n *= 2; n %= 2; assert n == 0;", "holds"),
    ("//@ range n 0..3\n", "n = 1 / n;", "violated"),
    ("//@ range n 0..3\n", "n = 7 / 2; assert n == 3 && n >= 3 && n <= 3 && !(n < 3) && !(n > 3);", "holds"),
    ("//@ range n -3..3\n", "n = -7 / 2; assert n == -3; n = -7 % 2; assert n == -1;", "holds"),
    ("//@ range n 0..3\n", "n = other.n + 1; assert other.n == 1;", "holds"),
    ("//@ range n 0..3\n", "other = null; n = other.n;", "violated"),
    ("//@ range n 0..3\n", "other = null; other.n = 1;", "violated"),
    ("//@ range n 0..3\n int m;", "n = m;", "E0807"),
    ("//@ range n 0..3\n int m;", "//@ any\n n = m;\n assert n != 2;", "violated"),
    ("//@ range n 0..3\n int m;", "m = n; assert m == 0;", "unknown"),
    ("//@ range n 0..x\n", "", "E0806"),
    ("//@ range n 1..3\n", "", "E0806"),
    ("//@ range absent 0..3\n", "", "E0806"),
    ("//@ range i 0..3\n", "int i = 0; while (i < 3) i++; assert i == 3;", "holds"),
    ("//@ range i 0..3\n", "for (int i = 0; i < 3; i++) { assert i != 2; }", "violated"),
    ("//@ range f 0..3\n int f() { return 2; }", "assert f() == 2;", "holds"),
    ("//@ range k 0..3\n void f(int k) { assert k == 2; }", "f(1 + 1);", "holds"),
    ("//@ range k 0..3\n void f(int k) { k++; assert k == 2; }", "f(2);", "violated"),
    ("//@ range k 0..3\n void f(int k) { }", "f(4);", "violated"),
    ("//@ range k 0..3\n void f(int k) { }", "f(n);", "E0807"),
    ("//@ range n 0..3\n static final int TOP = 3;", "n = TOP; assert n == W.TOP;", "holds"),
    ("//@ range n 0..3\n", "n = flag ? 1 : 2; assert n == 2;", "holds"),
    ("//@ range n 0..3\n", "if (n++ == 0) { assert n == 1; } else { assert false; }", "holds"),
    ("//@ range n 0..3\n", "switch (n) { case 1: assert false; }", "E0802"),
    (
        "//@ range c 0..3\n AtomicInteger c = new AtomicInteger(1);",
        "assert c.getAndIncrement() == 1; assert c.incrementAndGet() == 3; assert !c.compareAndSet(1, 2); assert c.compareAndSet(3, 0); assert c.get() == 0; c.set(2); c.addAndGet(-1); assert c.get() == 1;",
        "holds",
    ),
    ("//@ range c 0..3\n AtomicInteger c = new AtomicInteger(3);", "c.incrementAndGet();", "violated"),
    (
        "AtomicReference<W> r = new AtomicReference<>();",
        "assert r.get() == null; assert r.compareAndSet(null, this); assert r.get() == this; assert !r.compareAndSet(null, other); W q = r.getAndSet(null); assert q == this && r.get() == null; r.set(this); r.get().flag = true; assert flag;",
        "holds",
    ),
    ("AtomicReference<W> r = new AtomicReference<>();", "r.get().flag = true;", "violated"),
    (
        "static final AtomicReference<W> r = new AtomicReference<>();",
        "W q = r.get(); r.set(this); assert q == r.get();",
        "violated",
    ),
    ("AtomicReference<W> r = new AtomicReference<>();", "synchronized (r) { }", "E0802"),
];

#[test]
fn exact_numbers_and_atomic_objects() {
    for (members, body, expected) in EXACT {
        let text = odd("import java.util.concurrent.atomic.*;", members, body);
        assert_eq!(verdict(&text, "error"), expected, "{members} {body}");
    }
}

/// Executors with a thread for each task: what main does with one, and the answer to a property.
#[test]
fn executors() {
    let task = "class T implements Runnable { public void run() { M.done = true; } }";
    for (body, property, expected) in [
        ("e.submit(() -> { assert false; });", "error", "violated"),
        ("e.execute(new T()); e.shutdown();", "error", "holds"),
        ("e.shutdown(); e.submit(new T());", "error", "violated"),
        ("e.submit(new T()); e.close(); assert done;", "error", "holds"),
        ("e.submit(new T()); assert done;", "error", "violated"),
        ("e.submit(new T()); e.shutdown(); if (e.awaitTermination(1, null)) assert done;", "error", "holds"),
        ("e.submit(new T()); e.shutdown(); e.awaitTermination(1, null); assert done;", "error", "violated"),
        ("e.submit(() -> { synchronized (lock) { lock.wait(); } }); e.close();", "deadlock", "violated"),
        ("//@ any\nfor (int i = 0; i < 9; i++) e.submit(new T());\ne.close();", "deadlock", "holds"),
        ("Future f = e.submit(new T());", "error", "E0802"),
        ("e.shutdownNow();", "error", "E0802"),
    ] {
        let text = format!(
            "import java.util.concurrent.*;\n{task}\nclass M {{\n  static boolean done;\n  static final Object lock = new Object();\n\
             public static void main(String[] args) {{\n  \
             ExecutorService e = Executors.newCachedThreadPool();\n  {body}\n  }}\n}}\n"
        );
        assert_eq!(verdict(&text, property), expected, "{property}: {body}");
    }
}

/// A program of two kinds of threads, any number of each.
fn threads(shared: &str, one: &str, other: &str) -> String {
    format!(
        "class S {{\n  static final Object a = new Object();\n  static final Object b = new Object();\n\
         static boolean flag;\n  {shared}\n}}\nclass P extends Thread {{ public void run() {{ {one} }} }}\n\
         class Q extends Thread {{ public void run() {{ {other} }} }}\nclass Main {{\n\
         public static void main(String[] args) {{\n  //@ any\n\
         for (int i = 0; i < 9; i++) {{ new P().start(); new Q().start(); }}\n  }}\n}}\n"
    )
}

/// What is built in: for each a program that has it and one that has not.
#[test]
fn built_in_checks() {
    let ab = "synchronized (S.a) { synchronized (S.b) { } }";
    let ba = "synchronized (S.b) { synchronized (S.a) { } }";
    let sleeps = "synchronized (S.a) { while (!S.flag) S.a.wait(); }";
    let wakes = "synchronized (S.a) { S.flag = true; S.a.notifyAll(); }";
    let forgets = "synchronized (S.a) { S.flag = true; }";
    let spins = "while (true) { synchronized (S.a) { S.flag = true; } }";
    let region = "synchronized (S.a) {\n//@ exclusive r\nS.flag = true;\n}";
    let open = "{\n//@ exclusive r\nS.flag = true;\n}";
    for (property, one, other, expected) in [
        ("deadlock", ab, ba, "violated"),
        ("deadlock", ab, ab, "holds"),
        ("lock-cycle", ab, ba, "violated"),
        ("lock-cycle", ab, ab, "holds"),
        ("lost-wakeup", sleeps, forgets, "violated"),
        ("lost-wakeup", sleeps, spins, "violated"),
        ("deadlock", sleeps, spins, "holds"),
        ("lost-wakeup", sleeps, wakes, "holds"),
        // A thread is woken, but on another monitor.
        ("lost-wakeup", sleeps, "synchronized (S.b) { S.flag = true; S.b.notifyAll(); }", "violated"),
        ("lost-wakeup", "synchronized (this) { while (!S.flag) wait(); }", wakes, "violated"),
        ("r", region, open, "violated"),
        ("r", region, region, "holds"),
        ("error", "S.a.notify();", "", "violated"),
        ("error", "synchronized (S.a) { S.a.notify(); }", "", "holds"),
        ("error", "Thread t = new Q(); t.start(); t.start();", "", "violated"),
        ("error", "Thread t = new Q(); t.start();", "", "holds"),
        ("error", "S s = null; s.flag();", "", "violated"),
        ("error", "S s = new S(); s.flag();", "", "holds"),
    ] {
        let text = threads("void flag() { }", one, other);
        assert_eq!(verdict(&text, property), expected, "{property}: {one} / {other}");
    }
}

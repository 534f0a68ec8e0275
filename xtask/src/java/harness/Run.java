import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/** One run of a program: with delays at random gates, or through gates in a given order. */
final class Run {
    static final class Group extends ThreadGroup {
        final Run run;

        Group(Run run) {
            super("run");
            this.run = run;
        }

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            run.died(thrown);
        }
    }

    /** A thread of the program, or a task of its executor. */
    private final class Actor {
        final int number;
        Thread thread;
        boolean begun;
        boolean done;
        boolean inGate;

        Actor(int number) {
            this.number = number;
        }

        boolean ended() {
            return done || (begun && thread != null && thread.getState() == Thread.State.TERMINATED);
        }

        /** Blocked in the program, not at a gate. */
        boolean blocked() {
            if (thread == null || inGate) {
                return false;
            }
            Thread.State state = thread.getState();
            return state == Thread.State.BLOCKED || state == Thread.State.WAITING;
        }
    }

    private final Random random;
    private final int patience;
    private final int[][] schedule;
    private final List<Actor> actors = new ArrayList<>();
    private final Map<Thread, Actor> byThread = new IdentityHashMap<>();
    private final List<String> uncaught = new ArrayList<>();
    volatile boolean assertion;
    private volatile boolean over;
    private volatile long passed;
    private final long quietNanos;
    private int position;
    private Actor moving;
    boolean derailed;
    /** Some thread was blocked when a run without an end was given up. */
    private boolean waiting;

    /** A schedule of null means: delays at random. Threads that do not move for so long are blocked. */
    Run(long seed, int[][] schedule, long quietMillis) {
        this.quietNanos = quietMillis * 1_000_000L;
        this.random = new Random(seed);
        this.patience = random.nextInt(4);
        this.schedule = schedule;
    }

    synchronized void register(Thread thread) {
        Actor actor = new Actor(actors.size());
        actor.thread = thread;
        actor.begun = true;
        actors.add(actor);
        byThread.put(thread, actor);
    }

    synchronized Runnable task(Runnable task, boolean kept) {
        Actor actor = new Actor(actors.size());
        actors.add(actor);
        return () -> {
            synchronized (Run.this) {
                actor.thread = Thread.currentThread();
                actor.begun = true;
                byThread.put(actor.thread, actor);
            }
            Throwable thrown = null;
            try {
                task.run();
            } catch (Throwable t) {
                thrown = t;
            } finally {
                synchronized (Run.this) {
                    // In one step with the end: a task given to `execute` ends its thread, one given to `submit` keeps what it throws.
                    if (thrown != null && !kept) {
                        died(thrown);
                    }
                    actor.done = true;
                    Run.this.notifyAll();
                }
            }
        };
    }

    synchronized void died(Throwable thrown) {
        uncaught.add(thrown.getClass().getSimpleName());
    }

    void pass(int gate) {
        passed++;
        if (over) {
            forever();
        }
        if (schedule == null) {
            delay();
        } else {
            inOrder(gate);
        }
    }

    private static void forever() {
        while (true) {
            LockSupport.park();
        }
    }

    private void delay() {
        int what;
        int length;
        synchronized (random) {
            what = random.nextInt(12 + 12 * patience);
            length = random.nextInt(120);
        }
        if (what < 3) {
            Thread.yield();
        } else if (what < 6) {
            long end = System.nanoTime() + length * 1000L;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        } else if (what < 8) {
            LockSupport.parkNanos(length * 2000L);
        }
    }

    /** Waits for the turn of this thread at this gate; a gate that is not its next one is open. */
    private void inOrder(int gate) {
        synchronized (this) {
            Actor me = byThread.get(Thread.currentThread());
            if (me == null) {
                return;
            }
            if (moving == me) {
                moving = null;
                notifyAll();
            }
            me.inGate = true;
            while (!over && position < schedule.length) {
                int next = position;
                while (next < schedule.length && schedule[next][0] != me.number) {
                    next++;
                }
                if (next < schedule.length && schedule[next][1] != gate) {
                    break;
                }
                if (next == position && moving == null) {
                    position++;
                    moving = me;
                    break;
                }
                try {
                    wait();
                } catch (InterruptedException e) {
                    break;
                }
            }
            me.inGate = false;
        }
        if (over) {
            forever();
        }
    }

    /** Notices that the thread that moved is blocked or has ended, so that the next may move. */
    private synchronized void settle() {
        if (moving != null && (moving.ended() || moving.blocked())) {
            moving = null;
            notifyAll();
        }
    }

    private synchronized void derail() {
        if (position < schedule.length) {
            derailed = true;
            position = schedule.length;
            notifyAll();
        }
    }

    /** Runs main in a thread of its own; what it came to. */
    String outcome(Class<?>[] loaded, String name, ClassLoader loader) {
        Group group = new Group(this);
        Thread main = new Thread(group, () -> {
            try {
                loaded[0] = Class.forName(name, true, loader);
                loaded[0].getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            } catch (java.lang.reflect.InvocationTargetException thrown) {
                died(thrown.getCause());
            } catch (Throwable thrown) {
                died(thrown);
            }
        });
        main.setDaemon(true);
        register(main);
        main.start();
        int still = watch();
        over = true;
        synchronized (this) {
            notifyAll();
        }
        if (still < 0) {
            return "endless";
        }
        synchronized (this) {
            java.util.Collections.sort(uncaught);
            return Harness.fields(loaded[0]) + "uncaught=" + String.join("+", uncaught)
                + " blocked=" + still;
        }
    }

    /** How many threads never end; -1 if the run does not come to an end. */
    private int watch() {
        long begin = System.nanoTime();
        long seen = -1;
        long quietSince = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(50_000);
            settle();
            int unfinished = 0;
            int blocked = 0;
            synchronized (this) {
                for (Actor actor : actors) {
                    if (!actor.ended()) {
                        unfinished++;
                        blocked += actor.blocked() ? 1 : 0;
                    }
                }
            }
            boolean allBlocked = blocked == unfinished;
            if (unfinished == 0) {
                return 0;
            }
            long now = System.nanoTime();
            if (passed != seen || !allBlocked) {
                if (passed != seen) {
                    quietSince = now;
                }
                seen = passed;
                if (schedule != null && now - quietSince > 200_000_000L) {
                    derail();
                    quietSince = now;
                }
                if (now - begin > 1_500_000_000L + 3 * quietNanos) {
                    waiting = blocked > 0;
                    return -1;
                }
                if (!allBlocked) {
                    continue;
                }
            }
            if (allBlocked && now - quietSince > quietNanos) {
                return unfinished;
            }
        }
    }

    Set<String> events() {
        Set<String> events = new TreeSet<>();
        if (assertion) {
            events.add("assertion");
        }
        if (derailed) {
            events.add("derailed");
        }
        if (waiting) {
            events.add("waiting");
        }
        events.addAll(new HashSet<>(uncaught));
        return events;
    }
}

//! Which accesses happen before which: vector clocks, and the data races they show.
//!
//! Two readings, because the standards leave open what some calls order. [`Reading::Most`] takes
//! every edge that any reading of them gives: all atomics are sequentially consistent, a semaphore
//! orders all earlier posts before a wait, a signal orders its sender before those it wakes.
//! [`Reading::Least`] only takes the edges that all readings give: memory orders as the C standard
//! has them, readers do not order each other, a signal and a semaphore's other posts order nothing.

use super::memory::Spot;
use super::{Mode, Order};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reading {
    Least,
    Most,
}

pub const THREADS: usize = 4;
pub type Clock = [u8; THREADS];

fn join(to: &mut Clock, from: &Clock) {
    to.iter_mut().zip(from).for_each(|(a, b)| *a = (*a).max(*b));
}

/// What is known of one byte: when each thread accessed it last, and what an acquiring read learns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Byte {
    /// Plain reads, plain writes, atomic reads, atomic writes.
    last: [Clock; 4],
    released: Clock,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Clocks {
    reading: Reading,
    threads: [Clock; THREADS],
    bytes: Vec<Byte>,
    /// What goes with a lock (held alone, held by readers), a thread's end, a waiting thread, a
    /// barrier.
    locks: Vec<[Clock; 2]>,
    /// The clocks of posts not yet waited for.
    posts: Vec<Vec<Clock>>,
    barriers: Vec<Clock>,
    pub race: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Does {
    Read,
    Write,
    Both,
}

impl Clocks {
    pub fn new(reading: Reading, bytes: usize, locks: usize, posts: &[u8], barriers: usize) -> Clocks {
        let mut threads = [Clock::default(); THREADS];
        threads.iter_mut().enumerate().for_each(|(thread, clock)| clock[thread] = 1);
        Clocks {
            reading,
            threads,
            bytes: vec![Byte::default(); bytes],
            locks: vec![Default::default(); locks],
            posts: posts.iter().map(|count| vec![Clock::default(); (*count).into()]).collect(),
            barriers: vec![Clock::default(); barriers],
            race: false,
        }
    }

    fn most(&self) -> bool {
        self.reading == Reading::Most
    }

    /// From now on what the thread does is after what others learn from it.
    fn tick(&mut self, thread: usize) {
        self.threads[thread][thread] += 1;
    }

    pub fn access(&mut self, thread: usize, spot: Spot, does: Does, mode: Mode) {
        let atomic = matches!(mode, Mode::Atomic(_));
        let order = match mode {
            Mode::Atomic(_) if self.most() => Order::SeqCst,
            Mode::Atomic(order) => order,
            _ => Order::Relaxed,
        };
        let (reads, writes) = (does != Does::Write, does != Does::Read);
        // A read comes behind what was done before the write that it reads, also to the same place.
        for at in spot.range().filter(|_| reads && order.acquires() && atomic) {
            join(&mut self.threads[thread], &self.bytes[at].released);
        }
        self.race |= spot.range().any(|at| self.conflicts(thread, at, writes, atomic));
        let now = self.threads[thread];
        for at in spot.range() {
            let byte = &mut self.bytes[at];
            let kind = usize::from(writes) + if atomic { 2 } else { 0 };
            byte.last[kind][thread] = now[thread];
            if writes && does == Does::Write {
                byte.released = Clock::default();
            }
            if writes && order.releases() && atomic {
                join(&mut byte.released, &now);
            }
        }
        if writes && order.releases() && atomic {
            self.tick(thread);
        }
    }

    /// Some access of another thread to this byte conflicts, and no order separates them.
    fn conflicts(&self, thread: usize, at: usize, writes: bool, atomic: bool) -> bool {
        let kinds: &[usize] = match (writes, atomic) {
            (true, false) => &[0, 1, 2, 3],
            (true, true) => &[0, 1],
            (false, false) => &[1, 3],
            (false, true) => &[1],
        };
        let known = &self.threads[thread];
        let last = &self.bytes[at].last;
        kinds
            .iter()
            .any(|kind| (0..THREADS).any(|other| other != thread && last[*kind][other] > known[other]))
    }

    pub fn lock(&mut self, thread: usize, lock: usize, shared: bool) {
        let [alone, readers] = self.locks[lock];
        join(&mut self.threads[thread], &alone);
        if !shared || self.most() {
            join(&mut self.threads[thread], &readers);
        }
    }

    pub fn unlock(&mut self, thread: usize, lock: usize, shared: bool) {
        let now = self.threads[thread];
        join(&mut self.locks[lock][usize::from(shared)], &now);
        self.tick(thread);
    }

    pub fn post(&mut self, thread: usize, semaphore: usize) {
        let mut now = self.threads[thread];
        if self.most() {
            // Whatever was posted before is passed on.
            self.posts[semaphore].iter().for_each(|earlier| join(&mut now, earlier));
        }
        self.posts[semaphore].push(now);
        self.tick(thread);
    }

    pub fn wait(&mut self, thread: usize, semaphore: usize) {
        if self.most() {
            for earlier in &self.posts[semaphore] {
                join(&mut self.threads[thread], earlier);
            }
            return;
        }
        // Which of several posts is taken is open: only what all of them know is certain.
        let known = self.posts[semaphore].clone();
        if let Some((first, others)) = known.split_first() {
            let least = others.iter().fold(*first, |mut least, clock| {
                least.iter_mut().zip(clock).for_each(|(a, b)| *a = (*a).min(*b));
                least
            });
            join(&mut self.threads[thread], &least);
        }
    }

    /// A try or a look that found nothing to take orders, if anything, what came before it.
    pub fn looked(&mut self, thread: usize, semaphore: usize) {
        if self.most() {
            self.wait(thread, semaphore);
        }
    }

    /// A lock that could not be had tells, if anything, what its holder knew when it last let go.
    pub fn failed(&mut self, thread: usize, lock: usize) {
        if self.most() {
            self.lock(thread, lock, false);
        }
    }

    pub fn notify(&mut self, thread: usize, woken: &[usize]) {
        if self.most() {
            let now = self.threads[thread];
            woken.iter().for_each(|other| join(&mut self.threads[*other], &now));
            self.tick(thread);
        }
    }

    pub fn arrive(&mut self, thread: usize, barrier: usize) {
        let now = self.threads[thread];
        join(&mut self.barriers[barrier], &now);
        self.tick(thread);
    }

    /// All who met at a barrier know of each other.
    pub fn met(&mut self, threads: &[usize], barrier: usize) {
        let all = self.barriers[barrier];
        threads.iter().for_each(|thread| join(&mut self.threads[*thread], &all));
    }

    pub fn spawn(&mut self, thread: usize, child: usize) {
        let now = self.threads[thread];
        join(&mut self.threads[child], &now);
        self.tick(thread);
    }

    pub fn joined(&mut self, thread: usize, child: usize) {
        let end = self.threads[child];
        join(&mut self.threads[thread], &end);
    }
}

//! The objects of a program, modelled: which operations are possible, what they do, what they
//! touch.
//!
//! The scheduler never asks the kernel whether a lock is free: it knows. One file for each kind of
//! object; this one puts them together. Operations on objects not used yet find them in the
//! state of a static initialiser.

mod barrier;
mod cancel;
#[cfg(test)]
mod commute;
mod condition;
mod files;
mod futex;
mod mutex;
mod process;
mod queue;
mod rwlock;
mod semaphore;
mod signal;
mod sysv;
mod timer;

use crate::operation::{
    Access, Class, FIFO_WAITS, FIRE, Footprint, Key, LEAVE, LOCK_WAITS, Op, Outcome, RELOCK, RW_WAITS,
    SPURIOUS, SUSPENDED, TAKE, Tid, Touch,
};
use crate::protocol as p;
use crate::small::{Map, Set};
pub use cancel::CANCEL;
use explore::stateless::Semantics;
use files::Files;
use mutex::Mutex;
pub use process::{Life, NONE, NOT_YET};
use queue::Queue;
pub use queue::{POSIX_QUEUE, SYSV_QUEUE, SYSV_SET};
use rwlock::RwLock;
use signal::Signals;
pub use signal::{BEFORE, INSIDE, QUERY, Resume, all_sent_by, fatal};
pub use sysv::{Buffer, buffers};
pub use timer::timer_key;

/// The state of all objects of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// What the time is, if that orders.
    pub(crate) now: u64,
    pub(crate) mutexes: Map<Key, Mutex>,
    semaphores: Map<Key, i64>,
    /// Who waits on a condition variable.
    waiting: Map<Key, Vec<Tid>>,
    /// Who was woken and has not yet gone on.
    woken: Set<Tid>,
    rwlocks: Map<Key, RwLock>,
    /// Who has arrived at a barrier.
    barriers: Map<Key, Vec<Tid>>,
    /// For how many a barrier is, if it was initialised while others could see it.
    counts: Map<Key, i64>,
    /// Present: begun; true: done.
    onces: Map<Key, bool>,
    /// How many semaphores a System V set has.
    sets: Map<u64, usize>,
    /// Sets and queues that were removed, and by which thread.
    removed: Map<Key, Tid>,
    /// What SEM_UNDO will add when a process ends: process, semaphore.
    undo: Map<(u64, Key), i64>,
    pub(crate) lives: Map<u64, Life>,
    pub(crate) files: Files,
    /// Of System V.
    queues: Map<u64, Queue>,
    signals: Signals,
    /// Process and number: what it sends, if it may fire.
    timers: Map<Key, Op>,
    /// Threads that are to end at the next point where they may.
    pub(crate) cancelled: Set<Tid>,
    /// What has happened by itself.
    pub(crate) happened: Set<(Tid, u64)>,
    /// How often a name was made, and whether it is there.
    names: Map<Key, (i64, bool)>,
}

/// What came of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    pub result: i64,
    /// The thread goes on with this, without returning to the program.
    pub next: Option<Op>,
    /// What the program did that no program may do.
    pub misuse: Option<String>,
    /// Threads that this operation lets go on, and orders behind itself.
    pub released: Vec<Tid>,
    pub data: Vec<u8>,
    /// Handlers run first; then this.
    pub resume: Option<Resume>,
    /// The signal that a timer has sent.
    pub told: i64,
    /// The thread's process dies of it.
    pub dies: bool,
    /// What would happen now is not modelled.
    pub unmodelled: Option<&'static str>,
}

impl Effect {
    fn of(result: i32) -> Effect {
        Effect { result: result.into(), ..Effect::default() }
    }

    fn misuse(result: i32, what: &str) -> Effect {
        Effect { misuse: Some(what.to_string()), ..Effect::of(result) }
    }

    fn next(op: Op) -> Effect {
        Effect { next: Some(op), ..Effect::default() }
    }
}

/// The outcome of an operation that waited in a set or queue when that was removed.
const GONE: Outcome = 1;

/// Possible, with one outcome.
fn when(possible: bool) -> Vec<Outcome> {
    if possible { vec![0] } else { Vec::new() }
}

impl Model {
    /// The object's memory was initialised anew: what was known of it is void.
    pub fn forget(&mut self, key: &Key) {
        self.mutexes.remove(key);
        self.semaphores.remove(key);
        self.waiting.remove(key);
        self.rwlocks.remove(key);
        self.barriers.remove(key);
        self.counts.remove(key);
        self.onces.remove(key);
    }

    /// The object begins anew, with a value.
    fn initialise(&mut self, op: &Op) -> Effect {
        let known = self.semaphores.get(&op.key).copied().filter(|_| op.b == 1);
        self.forget(&op.key);
        match op.kind {
            // A named one has its value already, unless it is new.
            p::OP_SEM_INIT => drop(self.semaphores.insert(op.key, known.unwrap_or(op.a))),
            p::OP_BARRIER_INIT => drop(self.counts.insert(op.key, op.a)),
            _ => {}
        }
        Effect::default()
    }

    /// On a set or queue that is not there: a thread that came too late learns that there is none,
    /// one that waited that it is gone. Which of them a thread is depends on when it called; but
    /// not for the one that removed it.
    fn gone_outcomes(&self, who: Tid, op: &Op) -> Vec<Outcome> {
        let gone =
            self.removed.get(&Key { at: if op.key.class == Class::Sysv { 0 } else { op.key.at }, ..op.key });
        let waits = match op.kind {
            p::OP_SYSV_OP => !buffers(op).iter().all(|b| b.nowait || b.change > 0),
            _ => op.b & 1 == 0,
        };
        if waits && gone.is_some_and(|by| *by != who) { vec![0, GONE] } else { vec![0] }
    }

    /// The child of a fork gets copies of everything private. `who` forks, and is the child's first
    /// thread there.
    pub fn copy_space(&mut self, who: Tid, from: u64, to: u64) {
        fn copy<V: Clone>(map: &mut Map<Key, V>, from: u64, to: u64) {
            let mine = |k: &Key| k.class == Class::Sync && k.space == from;
            let copies: Vec<_> = map.iter().filter(|(k, _)| mine(k)).map(|(k, v)| (*k, v.clone())).collect();
            map.extend(copies.into_iter().map(|(k, v)| (Key { space: to, ..k }, v)));
        }
        copy(&mut self.mutexes, from, to);
        copy(&mut self.semaphores, from, to);
        copy(&mut self.rwlocks, from, to);
        copy(&mut self.onces, from, to);
        copy(&mut self.counts, from, to);
        self.inherit_locks(who, to);
        self.files.fork(from, to);
        self.copy_actions(from, to);
    }
}

impl Semantics for Model {
    type Op = Op;

    fn outcomes(&self, who: Tid, op: &Op) -> Vec<Outcome> {
        if let Some(ready) = op.aftermath.ready(self) {
            return ready.outcomes(who, op);
        }
        if self.lives.get(&op.process).is_some_and(|life| life.ended) {
            return Vec::new();
        }
        if op.ready > self.now || op.expires && op.until > 0 && op.until < self.now {
            return Vec::new();
        }
        let possible = self.possible(who, op);
        let possible = if op.late && possible.is_empty() { vec![0] } else { possible };
        let alarmed = self.alarmed(who, op, &possible);
        [possible, alarmed].concat()
    }

    fn footprint(&self, who: Tid, op: &Op, outcome: Outcome) -> Footprint {
        if let Some(ready) = op.aftermath.ready(self) {
            return ready.footprint(who, op, outcome);
        }
        let mut touched = vec![Key::new(Class::Process, op.process, 0).touch(Access::Read)];
        let change = op.key.touch(Access::Change);
        if op.point || op.is_optional_point() {
            touched.push(cancel::cancel_key(who).touch(Access::Read));
        }
        if matches!(outcome, BEFORE | INSIDE) {
            // What it touches says whether it could be done instead.
            return [self.footprint(who, op, NONE), self.take_touches(who, op)].concat();
        }
        if outcome == CANCEL && op.kind != RELOCK {
            return vec![touched[0], cancel::cancel_key(who).touch(Access::Change)];
        }
        match op.kind {
            p::OP_FUTEX_WAIT => touched.extend(Model::look_touches(op)),
            p::OP_FUTEX_WAKE => touched.extend(self.wake_touches(op, outcome)),
            p::OP_FUTEX_SLEEP => touched.extend(op.late.then_some(change).into_iter().chain([wake(who)])),
            p::OP_KILL => touched.extend(self.kill_touches(op)),
            p::OP_LAST | p::OP_TEST_CANCEL | p::OP_SIGPENDING | p::OP_PAUSE | p::OP_SLEEP | SUSPENDED => {}
            p::OP_SIGMASK | p::OP_SUSPEND => touched.extend(self.mask_touches(op)),
            // Whether another thread may take it depends on what that one blocks.
            TAKE => touched.extend(self.take_touches(who, op)),
            p::OP_CREATE => {
                touched.extend(self.take_touches(who, op));
                touched.push(Key::new(Class::Children, op.process, 0).touch(Access::Post));
                // The child gets all that other threads of its process have done by then.
                touched.push(Key::new(Class::Process, op.process, 0).touch(Access::Change));
            }
            p::OP_SIGACTION => touched.extend(Model::action_touches(op)),
            p::OP_SIGWAIT => touched.extend(self.await_touches(who, op)),
            p::OP_TIMER => touched.push(change),
            p::OP_FILE_LOCK | LOCK_WAITS => touched.extend(self.lock_touches(op)),
            p::OP_FIFO_OPEN | FIFO_WAITS => touched.extend(Model::fifo_touches(op)),
            p::OP_FILE => touched.extend(crate::execution::touches(op)),
            FIRE => touched.extend(self.fire_touches(op)),
            p::OP_JOIN | p::OP_TRYJOIN => touched.push(thread_key(op.key.at as Tid).touch(Access::Read)),
            p::OP_EXIT_THREAD => touched.extend(self.end_touches(who)),
            p::OP_TOSS | p::OP_CHECK | p::OP_ASSERT | p::OP_CRASH | p::OP_CIRCLE => {}
            p::OP_SEM_POST => touched.push(op.key.touch(Access::Post)),
            p::OP_SEM_GETVALUE | p::OP_SYSV_GETVAL => touched.push(op.key.touch(Access::Read)),
            p::OP_LOAD => touched.push(memory(op, Access::Read)),
            p::OP_STORE | p::OP_UPDATE => touched.push(memory(op, Access::Change)),
            p::OP_COND_WAIT => {
                touched.push(change);
                touched.extend(op.with.map(|m| m.touch(Access::Change)));
            }
            RELOCK => {
                touched.extend(op.with.map(|m| m.touch(Access::Change)));
                touched.push(wake(who));
            }
            p::OP_COND_SIGNAL => {
                touched.push(change);
                touched.extend(usize::try_from(outcome).ok().map(wake));
            }
            p::OP_COND_BROADCAST => {
                touched.push(change);
                touched.extend(self.waiting.get(&op.key).into_iter().flatten().map(|w| wake(*w)));
            }
            p::OP_RW_READ => touched.push(op.key.touch(Access::Read)),
            // A reader that leaves disturbs no other reader.
            p::OP_RW_UNLOCK if !self.writes(who, op.key) => touched.push(op.key.touch(Access::Read)),
            p::OP_ONCE if self.onces.get(&op.key) == Some(&true) => touched.push(op.key.touch(Access::Read)),
            p::OP_SYSV_OP => touched.extend(sysv::touches(op)),
            p::OP_SYSV_REMOVE | p::OP_SYSV_SETALL | p::OP_SYSV_GETALL | p::OP_SYSV_QUERY => {
                touched.extend(self.whole_set(op));
                if op.kind == p::OP_SYSV_REMOVE {
                    touched.push(Key::new(Class::Name, SYSV_SET, op.key.space).touch(Access::Change));
                }
            }
            p::OP_WAIT => touched.push(Key::new(Class::Children, op.process, 0).touch(Access::Change)),
            p::OP_EXIT_PROCESS => touched = self.exit_touches(op),
            LEAVE => touched.push(wake(who)),
            kind if files::is_file(kind) => touched.extend(self.file_touches(op)),
            kind if queue::is_queue(kind) => touched.extend(self.queue_touches(op)),
            _ => touched.push(change),
        }
        if op.heeds_memory {
            let memory = |(key, length)| Touch {
                key: Key { class: Class::Memory, ..key },
                length,
                access: Access::Read,
            };
            touched.extend(op.memory_of_objects().map(memory));
        }
        touched
    }

    fn advance(&mut self, who: Tid, op: &Op, outcome: Outcome) {
        op.aftermath.before.iter().for_each(|h| h.happen(self));
        self.apply(who, op, outcome);
        op.aftermath.happen(self);
    }

    fn woken_over(&self, op: &Op) -> Footprint {
        match op.kind {
            RELOCK | LEAVE | p::OP_FUTEX_SLEEP => vec![op.key.touch(Access::Change)],
            _ => Footprint::new(),
        }
    }

    fn now(&self) -> u64 {
        self.now
    }

    fn lives(&self, op: &Op) -> bool {
        self.lives.get(&op.process).is_none_or(|life| !life.ended)
    }
}

impl Model {
    /// In which ways the operation can be executed, if it may wait.
    fn possible(&self, who: Tid, op: &Op) -> Vec<Outcome> {
        if self.is_cancelled(who, op) && (op.kind != RELOCK || self.can_relock(op)) {
            return vec![CANCEL];
        }
        match op.kind {
            p::OP_TOSS => (0..=op.a).collect(),
            // A fork that a signal interrupts is begun anew.
            TAKE | p::OP_CREATE => self.take_outcomes(who, op),
            SUSPENDED | p::OP_PAUSE => Vec::new(),
            p::OP_SIGWAIT => when(op.b == 2 || self.awaited(who, op)),
            FIRE => when(self.may_fire(op)),
            p::OP_FILE_LOCK | LOCK_WAITS => self.lock_outcomes(op),
            p::OP_FIFO_OPEN | FIFO_WAITS => self.fifo_outcomes(op),
            p::OP_JOIN => when(!self.has_thread(op.key.at as Tid)),
            // It goes on in other runs only: those in which it comes here later.
            p::OP_CIRCLE => Vec::new(),
            p::OP_MUTEX_LOCK => when(self.can_lock(who, op.key, op.a)),
            RELOCK => when((op.b != 0 || self.woken.contains(&who)) && self.can_relock(op)),
            p::OP_COND_SIGNAL => self.signal_outcomes(op.key),
            p::OP_FUTEX_WAKE => self.wake_outcomes(op),
            p::OP_FUTEX_SLEEP => when(self.woken.contains(&who)),
            p::OP_SEM_WAIT => when(self.semaphore(op) > 0),
            p::OP_RW_READ => when(self.can_read(op) || self.writes(who, op.key)),
            p::OP_RW_WRITE => when(self.can_come_to_write(who, op)),
            RW_WAITS => when(self.can_write(op.key)),
            LEAVE => when(self.woken.contains(&who)),
            p::OP_ONCE => when(self.onces.get(&op.key) != Some(&false)),
            p::OP_SYSV_OP if self.has_set(op.key.space).is_none() => self.gone_outcomes(who, op),
            p::OP_SYSV_OP => when(self.can_operate(op)),
            p::OP_WAIT => self.wait_outcomes(op),
            kind if files::is_file(kind) => self.file_outcomes(op),
            kind if queue::is_queue(kind) => self.queue_outcomes(who, op),
            _ => vec![0],
        }
    }
}

impl Model {
    /// Executes an operation that is possible with this outcome.
    pub fn apply(&mut self, who: Tid, op: &Op, outcome: Outcome) -> Effect {
        if outcome == CANCEL && self.is_cancelled(who, op) {
            return self.end_here(who, op);
        }
        if matches!(outcome, BEFORE | INSIDE) {
            return self.take(who, op, outcome);
        }
        let effect = self.effect(who, op, outcome);
        self.and_then_take(who, op, effect)
    }

    fn effect(&mut self, who: Tid, op: &Op, outcome: Outcome) -> Effect {
        if op.late && op.kind != p::OP_FUTEX_SLEEP && self.possible(who, op).is_empty() {
            if op.kind == RW_WAITS {
                self.wait_no_more(who, op);
            }
            return Effect::of(match op.kind {
                p::OP_SYSV_OP => -libc::EAGAIN,
                p::OP_SIGWAIT => -libc::EAGAIN,
                p::OP_MQ_SEND | p::OP_MQ_RECEIVE => -libc::ETIMEDOUT,
                _ => libc::ETIMEDOUT,
            });
        }
        match op.kind {
            p::OP_TOSS => choose(op, outcome),
            p::OP_MUTEX_LOCK => self.lock(who, op.key, op.a, op.process),
            p::OP_MUTEX_TRYLOCK => self.try_lock(who, op),
            p::OP_MUTEX_UNLOCK => self.unlock(who, op.key, op.a),
            p::OP_MUTEX_CONSISTENT => self.consistent(who, op.key),
            p::OP_MUTEX_INIT | p::OP_COND_INIT | p::OP_SEM_INIT | p::OP_RW_INIT | p::OP_BARRIER_INIT => {
                self.initialise(op)
            }
            p::OP_MUTEX_DESTROY => self.destroy_mutex(op.key),
            p::OP_CANCEL => self.cancel(op),
            p::OP_KILL => self.kill(op),
            TAKE => Effect { result: op.b, data: op.data.clone(), ..Effect::default() },
            p::OP_SIGACTION => {
                self.set_action(op);
                Effect::default()
            }
            p::OP_SIGMASK => {
                self.set_mask(who, op.a as u64);
                Effect::default()
            }
            p::OP_SUSPEND => {
                self.set_mask(who, op.a as u64);
                Effect::next(Op { kind: SUSPENDED, ..op.clone() })
            }
            p::OP_SIGWAIT => self.take_awaited(who, op),
            p::OP_SIGPENDING => self.pending_signals(who, op),
            p::OP_TIMER => self.set_timer(op),
            FIRE => self.fire(op),
            p::OP_FILE_LOCK | LOCK_WAITS => self.lock_apply(op),
            p::OP_FIFO_OPEN | FIFO_WAITS => self.open_fifo(op),
            p::OP_TRYJOIN if self.has_thread(op.key.at as Tid) => Effect::of(libc::EBUSY),
            p::OP_EXIT_THREAD => {
                self.orphan(|owner| owner == who);
                self.end_thread(who);
                Effect::default()
            }
            p::OP_FUTEX_WAKE => self.wake_sleepers(op, outcome),
            p::OP_FUTEX_SLEEP => self.get_up(who, op),
            p::OP_COND_WAIT => self.wait_on(who, op),
            RELOCK => self.wake_up(who, op),
            p::OP_COND_SIGNAL => self.signal(op.key, outcome),
            p::OP_COND_BROADCAST => self.broadcast(op.key),
            p::OP_COND_DESTROY => self.destroy_condition(op.key),
            p::OP_SEM_WAIT | p::OP_SEM_TRYWAIT => self.take_one(op),
            p::OP_SEM_POST => self.post(op),
            p::OP_SEM_GETVALUE => Effect { result: self.semaphore(op), ..Effect::default() },
            p::OP_SEM_DESTROY => {
                self.semaphores.remove(&op.key);
                Effect::default()
            }
            p::OP_RW_READ | p::OP_RW_TRYREAD => self.read_lock(who, op),
            p::OP_RW_WRITE | p::OP_RW_TRYWRITE | RW_WAITS => self.write_lock(who, op),
            p::OP_RW_UNLOCK => self.rw_unlock(who, op.key),
            p::OP_RW_DESTROY => self.destroy_rwlock(op.key),
            p::OP_BARRIER_WAIT => self.arrive(who, op),
            LEAVE => {
                self.woken.remove(&who);
                Effect::default()
            }
            p::OP_BARRIER_DESTROY => self.destroy_barrier(op.key),
            p::OP_ONCE => self.once(op.key),
            p::OP_ONCE_DONE => {
                self.onces.remove(&op.key);
                if op.a == 0 {
                    self.onces.insert(op.key, true);
                }
                Effect::default()
            }
            p::OP_SYSV_OP if outcome == GONE => Effect::of(-libc::EIDRM),
            p::OP_SYSV_OP => self.operate(op),
            p::OP_SYSV_SETVAL => self.set_value(op),
            p::OP_SYSV_GETVAL => self.get_value(op),
            p::OP_SYSV_SETALL => self.set_all(op),
            p::OP_SYSV_GETALL => self.get_all(op),
            p::OP_SYSV_REMOVE => self.remove_set(who, op),
            p::OP_SYSV_QUERY => self.query(op),
            p::OP_WAIT => self.reap(op, outcome),
            p::OP_EXIT_PROCESS => self.end_process(op),
            kind if files::is_file(kind) => self.file_apply(op),
            p::OP_MSG_SEND | p::OP_MSG_RECEIVE if outcome == GONE => Effect::of(-libc::EIDRM),
            kind if queue::is_queue(kind) => self.queue_apply(who, op),
            _ => Effect::default(),
        }
    }
}

fn memory(op: &Op, access: Access) -> Touch {
    Touch { key: op.key, length: u32::try_from(op.a).unwrap_or(1).max(1), access }
}

fn thread_key(who: Tid) -> Key {
    Key::new(Class::Thread, who as u64, 0)
}

fn wake(who: Tid) -> Touch {
    Key::new(Class::Wake, who as u64, 0).touch(Access::Change)
}

/// A toss; or the choice whether a timed operation times out.
fn choose(op: &Op, outcome: Outcome) -> Effect {
    let Some(behind) = &op.behind else { return Effect { result: outcome, ..Effect::default() } };
    let timed_out = outcome == 1;
    match behind.kind {
        // It lets go of the mutex in any case, and takes it again without being woken.
        p::OP_COND_WAIT => {
            let spurious = behind.b == SPURIOUS;
            let b = if !timed_out {
                0
            } else if spurious {
                SPURIOUS
            } else {
                1
            };
            Effect::next(Op { b, expires: !timed_out && !spurious, ..(**behind).clone() })
        }
        p::OP_JOIN if timed_out => Effect::of(libc::ETIMEDOUT),
        p::OP_FD_POLL | p::OP_EPOLL_WAIT if timed_out => {
            Effect::next(Op { b: p::FD_AT_ONCE, expires: false, ready: behind.until, ..(**behind).clone() })
        }
        _ => {
            let ready = if timed_out { behind.until } else { behind.ready };
            Effect::next(Op { late: timed_out, expires: !timed_out, ready, ..(**behind).clone() })
        }
    }
}

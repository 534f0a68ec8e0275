//! The objects of a program, modelled: which operations are possible, what they do, what they
//! touch.
//!
//! The scheduler never asks the kernel whether a lock is free: it knows. One file for each family
//! of operations: what there is, its outcomes, what it does, touches and is called ([`Family`]);
//! this one puts them together. Operations on objects not used yet find them in the state of a
//! static initialiser.

pub mod barrier;
pub mod cancel;
pub mod check;
pub mod choice;
#[cfg(test)]
mod commute;
pub mod condition;
pub mod content;
pub mod files;
pub mod futex;
mod looks;
pub mod memory;
pub mod mutex;
pub mod name;
pub mod once;
pub mod process;
pub mod queue;
pub mod rwlock;
pub mod semaphore;
pub mod signal;
pub mod sysv;
pub mod timer;

use crate::operation::{Access, Class, Footprint, Key, ObjectAccess, Operation, Outcome, Pending, Tid};
use crate::small::{Map, Set};
use ::objects::Object;
pub use cancel::CANCEL;
use explore::stateless::Semantics;
use files::Files;
use mutex::Mutex;
pub use process::{Life, NONE, being, beings, process_number};
use queue::Queue;
pub use queue::{POSIX_QUEUE, SYSV_QUEUE, SYSV_SET};
use rwlock::RwLock;
use signal::Signals;
pub use signal::{BEFORE, INSIDE, Nesting, Resume, all_sent_by, fatal};
pub use timer::timer_key;

/// Who executes an operation, and with what around it.
#[derive(Clone, Copy)]
pub struct By<'a> {
    pub who: Tid,
    pub pending: &'a Pending,
}

impl By<'_> {
    fn process(&self) -> u64 {
        self.pending.process
    }
}

/// What every family of operations says of one of them.
pub trait Family {
    /// The object that it is on, in a process.
    fn key(&self, process: u64) -> Key;

    /// The second object: the mutex of a condition variable.
    fn second(&self) -> Option<Key> {
        None
    }

    /// What people call it.
    fn name(&self) -> &'static str;

    /// In which call a thread stands that waits for this.
    fn call(&self) -> &'static str {
        self.name()
    }

    /// Whether it is the same operation: what a thread does next in a replay must be this again.
    /// What it reads from memory may differ.
    fn same(&self, other: &Operation) -> bool;

    /// In which ways it can be executed; none if it waits.
    fn outcomes(&self, _model: &Model, _by: By<'_>) -> Vec<Outcome> {
        vec![0]
    }

    /// What it touches, besides what all operations do.
    fn touches(&self, _model: &Model, by: By<'_>, _outcome: Outcome) -> Footprint {
        vec![self.key(by.process()).touch(Access::Change)]
    }

    /// The objects that it waits for while others have them, and who has each.
    fn held(&self, _model: &Model, _by: By<'_>) -> Vec<(Key, Vec<Tid>)> {
        Vec::new()
    }

    /// What it takes of objects that count, and gives back where it is negative.
    fn takes(&self) -> Vec<(Key, i64)> {
        Vec::new()
    }

    /// Executes it, with an outcome that is possible.
    fn perform(&self, model: &mut Model, by: By<'_>, outcome: Outcome) -> Effect;

    /// The memory of the objects that it is an operation on, which must be there; as much of it as
    /// is sure to be theirs. Who is woken does not need what it was woken over: that may be
    /// destroyed as soon as no thread waits for it.
    fn memory(&self) -> [Option<(Key, u32)>; 2] {
        [None, None]
    }
}

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
    timers: Map<Key, signal::Kill>,
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
    pub next: Option<Pending>,
    /// What the program did that no program may do.
    pub misuse: Option<String>,
    /// Threads that this operation lets go on, and orders behind itself.
    pub released: Vec<Tid>,
    pub data: Vec<u8>,
    /// Handlers run first; then this.
    pub resume: Option<Resume>,
    /// Of which signals these are, and which may interrupt them.
    pub nesting: Nesting,
    /// The signal that a timer has sent.
    pub reported: i64,
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

    fn next(next: Pending) -> Effect {
        Effect { next: Some(next), ..Effect::default() }
    }
}

/// The outcome of an operation that waited in a set or queue when that was removed.
const GONE: Outcome = 1;

/// Possible, with one outcome.
fn when(possible: bool) -> Vec<Outcome> {
    if possible { vec![0] } else { Vec::new() }
}

/// The life of a process.
fn process_key(process: u64) -> Key {
    Key::new(Class::Process, process, 0)
}

fn wake(who: Tid) -> ObjectAccess {
    Key::new(Class::Wake, who as u64, 0).touch(Access::Change)
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

    /// The object begins anew.
    fn initialise(&mut self, key: &Key) -> Effect {
        self.forget(key);
        Effect::default()
    }

    /// On a set or queue that is not there: a thread that came too late learns that there is none,
    /// one that waited that it is gone. Which of them a thread is depends on when it called; but
    /// not for the one that removed it.
    fn gone_outcomes(&self, who: Tid, key: Key, waits: bool) -> Vec<Outcome> {
        let gone = self.removed.get(&key).is_some_and(|by| *by != who);
        if waits && gone { vec![0, GONE] } else { vec![0] }
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
        if self.cancelled.contains(&who) {
            self.cancelled.insert(to as Tid);
        }
        self.files.fork(from, to);
        self.copy_actions(from, to);
    }
}

impl Object for Model {
    type Op = Pending;
    type Effect = Effect;

    fn outcomes(&self, who: Tid, pending: &Pending) -> Vec<Outcome> {
        if let Some(ready) = pending.side_effects.ready(self) {
            return ready.outcomes(who, pending);
        }
        if !self.lives(pending) {
            return Vec::new();
        }
        let too_late = pending.expires && pending.until > 0 && pending.until < self.now;
        if pending.ready > self.now || too_late {
            return Vec::new();
        }
        let by = By { who, pending };
        let mut possible = self.or_ends(by, self.undisturbed(by));
        let alarmed = self.alarmed(by, &possible);
        if !alarmed.is_empty() && self.must_take(by) {
            return alarmed;
        }
        possible.extend(alarmed);
        possible
    }

    fn touches(&self, who: Tid, pending: &Pending, outcome: Outcome) -> Footprint {
        if let Some(ready) = pending.side_effects.ready(self) {
            return ready.touches(who, pending, outcome);
        }
        let by = By { who, pending };
        if matches!(outcome, BEFORE | INSIDE) {
            // What it touches says whether it could be done instead.
            return [self.touches(who, pending, NONE), self.take_touches(by)].concat();
        }
        let own = process_key(pending.process).touch(Access::Read);
        let relocks = pending.operation.relocks().is_some();
        if outcome == CANCEL && !relocks {
            // What it touches says whether it could be done before the thread was cancelled.
            let ends = [own, cancel::cancel_key(who).touch(Access::Change)];
            return ends.into_iter().chain(pending.operation.family().touches(self, by, NONE)).collect();
        }
        let mut touched = vec![own];
        if pending.point || pending.operation.is_optional_point() {
            touched.push(cancel::cancel_key(who).touch(Access::Read));
        }
        let family = pending.operation.family();
        match pending.operation {
            // The end of the process changes what others only look at.
            Operation::Life(process::Op::Exit { .. }) => touched = family.touches(self, by, outcome),
            _ => touched.extend(family.touches(self, by, outcome)),
        }
        if pending.heeds_memory {
            let class = Class::Memory;
            let memory =
                |(key, length)| ObjectAccess { key: Key { class, ..key }, length, access: Access::Read };
            touched.extend(pending.memory_of_objects().map(memory));
        }
        touched
    }

    fn perform(&mut self, who: Tid, pending: &Pending, outcome: Outcome) -> Effect {
        let by = By { who, pending };
        if outcome == CANCEL && self.is_cancelled(who, pending) {
            return self.end_here(by);
        }
        if matches!(outcome, BEFORE | INSIDE) {
            return self.take(by, outcome);
        }
        let effect = match self.in_vain(by) {
            Some(effect) => effect,
            None => pending.operation.family().perform(self, by, outcome),
        };
        self.and_then_take(by, effect)
    }
}

impl Semantics for Model {
    fn advance(&mut self, who: Tid, pending: &Pending, outcome: Outcome) {
        pending.side_effects.before.iter().for_each(|h| h.happen(self));
        self.perform(who, pending, outcome);
        pending.side_effects.happen(self);
    }

    fn woken_over(&self, pending: &Pending) -> Footprint {
        let reported = match &pending.operation {
            operation @ Operation::Condition(_) => operation.relocks().is_some(),
            Operation::Barrier(op) => op.does == barrier::Does::Leave,
            Operation::Futex(op) => op.does == futex::Does::Sleep,
            _ => false,
        };
        reported.then(|| pending.key().touch(Access::Change)).into_iter().collect()
    }

    fn shifts(&self, pending: &Pending) -> bool {
        matches!(pending.operation, Operation::File(_))
    }

    fn now(&self) -> u64 {
        self.now
    }

    fn lives(&self, pending: &Pending) -> bool {
        self.lives.get(&pending.process).is_none_or(|life| !life.ended)
    }
}

impl Model {
    /// In which ways the operation can be executed by a thread that nothing disturbs.
    fn undisturbed(&self, by: By<'_>) -> Vec<Outcome> {
        let possible = by.pending.operation.family().outcomes(self, by);
        if by.pending.late && possible.is_empty() { vec![0] } else { possible }
    }

    /// The time of the operation is up, and it cannot be done.
    fn in_vain(&mut self, by: By<'_>) -> Option<Effect> {
        let operation = &by.pending.operation;
        let asleep = matches!(operation, Operation::Futex(op) if op.does == futex::Does::Sleep);
        if !by.pending.late || asleep || !operation.family().outcomes(self, by).is_empty() {
            return None;
        }
        if let Operation::RwLock(op) = operation {
            self.wait_no_more(by.who, op);
        }
        Some(Effect::of(match operation {
            Operation::SysV(_) | Operation::Signal(_) => -libc::EAGAIN,
            Operation::File(_) => -libc::ETIMEDOUT,
            _ => libc::ETIMEDOUT,
        }))
    }
}

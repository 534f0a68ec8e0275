//! Mutexes of all kinds: normal, recursive, error-checking; robust ones too.

use super::{By, Effect, Family, Model, when};
use crate::operation::{Key, Operation, Outcome, Tid};
use std::mem::discriminant;

/// An operation on a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub mutex: Key,
    /// The bits of `RECURSIVE` and the others here.
    pub kind: i64,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Init,
    Destroy,
    Lock,
    TryLock,
    Unlock,
    Consistent,
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.mutex
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Init => "mutex_init",
            Does::Destroy => "mutex_destroy",
            Does::Lock => "mutex_lock",
            Does::TryLock => "mutex_trylock",
            Does::Unlock => "mutex_unlock",
            Does::Consistent => "mutex_consistent",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Mutex(o)
            if o.mutex == self.mutex && discriminant(&o.does) == discriminant(&self.does))
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        when(self.does != Does::Lock || model.can_lock(by.who, self.mutex, self.kind))
    }

    fn held(&self, model: &Model, _: By<'_>) -> Vec<(Key, Vec<Tid>)> {
        match self.does {
            Does::Lock => vec![model.owned(self.mutex)],
            _ => Vec::new(),
        }
    }

    fn perform(&self, model: &mut Model, by: By<'_>, _: Outcome) -> Effect {
        let Op { mutex, kind, does } = *self;
        match does {
            Does::Init => model.initialise(&mutex),
            Does::Destroy => model.destroy_mutex(mutex),
            Does::Lock => model.lock(by.who, mutex, kind, by.process()),
            Does::TryLock => model.try_lock(by.who, mutex, kind, by.process()),
            Does::Unlock => model.unlock(by.who, mutex, kind),
            Does::Consistent => model.consistent(by.who, mutex),
        }
    }

    /// A mutex may be a spin lock; a lock of a stream lies beside it.
    fn memory(&self) -> [Option<(Key, u32)>; 2] {
        [Some((self.mutex, LOCK)), None]
    }
}

/// How much memory is sure to be a mutex's.
pub(super) const LOCK: u32 = 4;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutex {
    pub owner: Option<Tid>,
    depth: u32,
    /// The last owner of a robust mutex ended while it held it.
    orphaned: bool,
    /// No thread will ever hold it again.
    lost: bool,
    /// The process of the owner, if the mutex is robust.
    robust: Option<u64>,
    /// The thread that forked had it. To the C library the child's thread is another one, which
    /// only kinds that look at their owner notice.
    inherited: bool,
}

const RECURSIVE: i64 = 1;
const CHECKING: i64 = 2;
const ROBUST: i64 = 16;
/// PTHREAD_PRIO_INHERIT.
const INHERITING: i64 = 32;

/// Of a try to lock: it is a lock with a limit that is none.
const NO_LIMIT: i64 = 1 << 20;

/// Whether stranger's unlocks are answered, not undefined.
fn checks(kind: i64) -> bool {
    matches!(kind & 3, RECURSIVE | CHECKING) || kind & ROBUST != 0
}

impl Mutex {
    /// Whether the C library takes this thread for the owner.
    fn is_held_by(&self, who: Tid) -> bool {
        self.owner == Some(who) && !self.inherited
    }
}

impl Model {
    /// A mutex, and who holds it.
    pub(super) fn owned(&self, mutex: Key) -> (Key, Vec<Tid>) {
        (mutex, self.mutexes.get(&mutex).and_then(|m| m.owner).into_iter().collect())
    }

    /// The mutexes and read-write locks that a thread has, by their places.
    pub(crate) fn held_by(&self, who: Tid) -> Vec<Key> {
        let mutexes = self.mutexes.iter().filter(|(_, m)| m.owner == Some(who)).map(|(key, _)| *key);
        let rwlocks = self.rwlocks.iter().filter(|(_, lock)| lock.is_held_by(who)).map(|(key, _)| *key);
        let mut all: Vec<Key> = mutexes.chain(rwlocks).collect();
        all.sort_unstable_by_key(|key| (key.space, key.at));
        all
    }

    fn can_lock(&self, who: Tid, key: Key, kind: i64) -> bool {
        match self.mutexes.get(&key).filter(|m| m.owner.is_some()) {
            Some(mutex) => mutex.is_held_by(who) && matches!(kind & 3, RECURSIVE | CHECKING),
            None => true,
        }
    }

    /// In the child of a fork its one thread has the locks that the thread which forked had.
    pub(super) fn inherit_locks(&mut self, who: Tid, child: u64) {
        for (_, mutex) in self.mutexes.iter_mut().filter(|(key, _)| key.space == child) {
            mutex.robust = None; // the child's list of them is empty
            if mutex.owner == Some(who) {
                (mutex.owner, mutex.inherited) = (Some(child as Tid), true);
            }
        }
        for (_, lock) in self.rwlocks.iter_mut().filter(|(key, _)| key.space == child) {
            lock.inherit(who, child as Tid);
        }
    }

    pub(super) fn lock(&mut self, who: Tid, key: Key, kind: i64, process: u64) -> Effect {
        let mutex = self.mutexes.entry(key).or_default();
        if mutex.lost {
            return Effect::of(libc::ENOTRECOVERABLE);
        }
        if mutex.is_held_by(who) {
            if kind & 3 == CHECKING {
                return Effect::of(libc::EDEADLK);
            }
            mutex.depth += 1;
            return Effect::default();
        }
        (mutex.owner, mutex.inherited) = (Some(who), false);
        mutex.depth = 1;
        mutex.robust = (kind & ROBUST != 0).then_some(process);
        Effect::of(if mutex.orphaned { libc::EOWNERDEAD } else { 0 })
    }

    fn try_lock(&mut self, who: Tid, key: Key, kind: i64, process: u64) -> Effect {
        let own = self.mutexes.get(&key).is_some_and(|m| m.is_held_by(who));
        if own && kind & (ROBUST | INHERITING | NO_LIMIT) != 0 && kind & 3 == CHECKING {
            return Effect::of(libc::EDEADLK); // as glibc has it, of tries for these only
        }
        let free = match self.mutexes.get(&key).filter(|m| m.owner.is_some()) {
            Some(mutex) => mutex.is_held_by(who) && kind & 3 == RECURSIVE,
            None => true,
        };
        if free { self.lock(who, key, kind, process) } else { Effect::of(libc::EBUSY) }
    }

    pub(super) fn unlock(&mut self, who: Tid, key: Key, kind: i64) -> Effect {
        let mutex = self.mutexes.entry(key).or_default();
        let inherits = mutex.inherited && mutex.owner == Some(who);
        if mutex.owner != Some(who) || inherits && checks(kind) {
            return match (checks(kind), mutex.owner) {
                (true, _) => Effect::of(libc::EPERM),
                (false, None) => Effect::misuse(0, "unlock of a mutex that is not locked"),
                (false, Some(_)) => Effect::misuse(0, "unlock of a mutex that another thread holds"),
            };
        }
        mutex.depth -= 1;
        if mutex.depth == 0 {
            (mutex.owner, mutex.inherited) = (None, false);
            mutex.lost |= mutex.orphaned;
        }
        Effect::default()
    }

    fn consistent(&mut self, who: Tid, key: Key) -> Effect {
        match self.mutexes.get_mut(&key) {
            Some(mutex) if mutex.orphaned && mutex.owner == Some(who) => {
                mutex.orphaned = false;
                Effect::default()
            }
            _ => Effect::of(libc::EINVAL),
        }
    }

    fn destroy_mutex(&mut self, key: Key) -> Effect {
        if self.mutexes.get(&key).is_some_and(|m| m.owner.is_some()) {
            return Effect::misuse(libc::EBUSY, "destruction of a locked mutex");
        }
        self.mutexes.remove(&key);
        Effect::default()
    }

    /// Robust mutexes that a process holds.
    pub(crate) fn robust(&self, process: u64) -> Vec<Key> {
        let held = self.mutexes.iter().filter(|(_, m)| m.owner.is_some() && m.robust == Some(process));
        held.map(|(key, _)| *key).collect()
    }

    /// Robust mutexes that a thread holds.
    pub(crate) fn robust_of(&self, who: Tid) -> Vec<Key> {
        let held = self.mutexes.iter().filter(|(_, m)| m.owner == Some(who) && m.robust.is_some());
        held.map(|(key, _)| *key).collect()
    }

    /// Threads end: robust mutexes they hold are orphaned. Others stay locked.
    pub(crate) fn orphan(&mut self, ended: impl Fn(Tid) -> bool) {
        for mutex in self.mutexes.values_mut().filter(|m| m.robust.is_some()) {
            if mutex.owner.is_some_and(&ended) {
                mutex.owner = None;
                mutex.orphaned = true;
            }
        }
    }
}

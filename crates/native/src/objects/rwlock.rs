//! Read-write locks: several readers or one writer. Neither is preferred, unless the lock is of the
//! kind that prefers writers: there a writer that has to wait says so first, and no reader is let
//! in until it had its turn. Who has the lock for writing gets EDEADLK.

use super::{By, Effect, Family, Model, when};
use crate::operation::{Access, Footprint, Key, Operation, Outcome, Tid};

/// An operation on a read-write lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub lock: Key,
    pub prefers_writers: bool,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Init,
    Destroy,
    Read,
    Write,
    TryRead,
    TryWrite,
    Unlock,
    /// Resumption of `Write`, on a lock that prefers writers.
    Waits,
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.lock
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Init => "rwlock_init",
            Does::Destroy => "rwlock_destroy",
            Does::Read => "rwlock_rdlock",
            Does::Write => "rwlock_wrlock",
            Does::TryRead => "rwlock_tryrdlock",
            Does::TryWrite => "rwlock_trywrlock",
            Does::Unlock => "rwlock_unlock",
            Does::Waits => "rwlock_wrlock waits",
        }
    }

    fn call(&self) -> &'static str {
        if self.does == Does::Waits { "rwlock_wrlock" } else { self.name() }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::RwLock(o) if o.lock == self.lock && o.does == self.does)
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        when(match self.does {
            Does::Read => model.can_read(self) || model.writes(by.who, self.lock),
            // It takes it now, or says that it waits.
            Does::Write => {
                self.prefers_writers || model.can_write(self.lock) || model.writes(by.who, self.lock)
            }
            Does::Waits => model.can_write(self.lock),
            _ => true,
        })
    }

    fn touches(&self, model: &Model, by: By<'_>, _: Outcome) -> Footprint {
        let reads = match self.does {
            Does::Read => true,
            // A reader that leaves disturbs no other reader.
            Does::Unlock => !model.writes(by.who, self.lock),
            _ => false,
        };
        vec![self.lock.touch(if reads { Access::Read } else { Access::Change })]
    }

    fn held(&self, model: &Model, _: By<'_>) -> Vec<(Key, Vec<Tid>)> {
        let waits = matches!(self.does, Does::Read | Does::Write | Does::Waits);
        let lock = model.rwlocks.get(&self.lock).filter(|_| waits);
        lock.map(|l| (self.lock, l.writer.into_iter().chain(l.readers.clone()).collect()))
            .into_iter()
            .collect()
    }

    fn perform(&self, model: &mut Model, by: By<'_>, _: Outcome) -> Effect {
        match self.does {
            Does::Init => model.initialise(&self.lock),
            Does::Destroy => model.destroy_rwlock(self.lock),
            Does::Read | Does::TryRead => model.read_lock(by.who, self),
            Does::Write | Does::TryWrite | Does::Waits => model.write_lock(by, self),
            Does::Unlock => model.rw_unlock(by.who, self.lock),
        }
    }

    fn memory(&self) -> [Option<(Key, u32)>; 2] {
        [Some((self.lock, size_of::<libc::pthread_rwlock_t>() as u32)), None]
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RwLock {
    writer: Option<Tid>,
    /// In order, so that two readers commute.
    readers: Vec<Tid>,
    /// Writers that keep readers out. In order, too.
    waiting: Vec<Tid>,
}

impl RwLock {
    pub(super) fn is_held_by(&self, who: Tid) -> bool {
        self.writer == Some(who) || self.readers.contains(&who)
    }

    /// What one thread has for reading, the other has. The C library takes no other thread for the
    /// writer, and breaks the lock if one lets go of it.
    pub(super) fn inherit(&mut self, from: Tid, to: Tid) {
        let mine = |who: &mut Tid| *who = if *who == from { to } else { *who };
        self.readers.iter_mut().for_each(mine);
        self.readers.sort_unstable();
    }
}

impl Model {
    fn can_read(&self, op: &Op) -> bool {
        let kept_out = |l: &RwLock| op.prefers_writers && !l.waiting.is_empty();
        self.rwlocks.get(&op.lock).is_none_or(|l| l.writer.is_none() && !kept_out(l))
    }

    fn can_write(&self, key: Key) -> bool {
        self.rwlocks.get(&key).is_none_or(|l| l.writer.is_none() && l.readers.is_empty())
    }

    fn writes(&self, who: Tid, key: Key) -> bool {
        self.rwlocks.get(&key).is_some_and(|l| l.writer == Some(who))
    }

    fn read_lock(&mut self, who: Tid, op: &Op) -> Effect {
        if op.does == Does::TryRead && !self.can_read(op) {
            return Effect::of(libc::EBUSY);
        }
        if self.writes(who, op.lock) {
            return Effect::of(libc::EDEADLK);
        }
        let lock = self.rwlocks.entry(op.lock).or_default();
        lock.readers.push(who);
        lock.readers.sort_unstable();
        Effect::default()
    }

    fn write_lock(&mut self, by: By<'_>, op: &Op) -> Effect {
        let who = by.who;
        if op.does == Does::TryWrite && !self.can_write(op.lock) {
            return Effect::of(libc::EBUSY);
        }
        if self.writes(who, op.lock) {
            return Effect::of(libc::EDEADLK);
        }
        if op.does == Does::Write && !self.can_write(op.lock) {
            let lock = self.rwlocks.entry(op.lock).or_default();
            lock.waiting.push(who);
            lock.waiting.sort_unstable();
            return Effect::next(by.pending.then(Operation::RwLock(Op { does: Does::Waits, ..*op })));
        }
        self.wait_no_more(who, op);
        self.rwlocks.entry(op.lock).or_default().writer = Some(who);
        Effect::default()
    }

    /// A writer has its turn, or its time is up.
    pub(super) fn wait_no_more(&mut self, who: Tid, op: &Op) {
        if let Some(lock) = self.rwlocks.get_mut(&op.lock) {
            lock.waiting.retain(|w| *w != who);
        }
    }

    fn rw_unlock(&mut self, who: Tid, key: Key) -> Effect {
        let lock = self.rwlocks.entry(key).or_default();
        if lock.writer == Some(who) {
            lock.writer = None;
        } else if let Some(at) = lock.readers.iter().position(|r| *r == who) {
            lock.readers.remove(at);
        } else {
            return Effect::misuse(libc::EPERM, "unlock of a read-write lock that the thread does not hold");
        }
        Effect::default()
    }

    fn destroy_rwlock(&mut self, key: Key) -> Effect {
        match self.rwlocks.remove(&key) {
            Some(lock) if lock.writer.is_some() || !lock.readers.is_empty() => {
                Effect::misuse(libc::EBUSY, "destruction of a locked read-write lock")
            }
            _ => Effect::default(),
        }
    }
}

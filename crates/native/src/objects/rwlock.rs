//! Read-write locks: several readers or one writer. Neither is preferred, unless the lock is of the
//! kind that prefers writers: there a writer that has to wait says so first, and no reader is let
//! in until it had its turn. Who has the lock for writing gets EDEADLK.

use super::{Effect, Model};
use crate::operation::{Key, Op, RW_WAITS, Tid};
use crate::protocol as p;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RwLock {
    writer: Option<Tid>,
    /// In order, so that two readers commute.
    readers: Vec<Tid>,
    /// Writers that keep readers out. In order, too.
    waiting: Vec<Tid>,
}

/// In `Op::a`: the lock prefers writers.
const WRITERS: i64 = 1;

impl RwLock {
    /// What one thread has for reading, the other has. The C library takes no other thread for the
    /// writer, and breaks the lock if one lets go of it.
    pub(super) fn inherit(&mut self, from: Tid, to: Tid) {
        let mine = |who: &mut Tid| *who = if *who == from { to } else { *who };
        self.readers.iter_mut().for_each(mine);
        self.readers.sort_unstable();
    }
}

impl Model {
    pub(super) fn can_read(&self, op: &Op) -> bool {
        let kept_out = |l: &RwLock| op.a == WRITERS && !l.waiting.is_empty();
        self.rwlocks.get(&op.key).is_none_or(|l| l.writer.is_none() && !kept_out(l))
    }

    /// Whether a writer can take it now, or say that it waits.
    pub(super) fn can_come_to_write(&self, who: Tid, op: &Op) -> bool {
        op.a == WRITERS || self.can_write(op.key) || self.writes(who, op.key)
    }

    pub(super) fn can_write(&self, key: Key) -> bool {
        self.rwlocks.get(&key).is_none_or(|l| l.writer.is_none() && l.readers.is_empty())
    }

    pub(super) fn writes(&self, who: Tid, key: Key) -> bool {
        self.rwlocks.get(&key).is_some_and(|l| l.writer == Some(who))
    }

    pub(super) fn read_lock(&mut self, who: Tid, op: &Op) -> Effect {
        if op.kind == p::OP_RW_TRYREAD && !self.can_read(op) {
            return Effect::of(libc::EBUSY);
        }
        if self.writes(who, op.key) {
            return Effect::of(libc::EDEADLK);
        }
        let lock = self.rwlocks.entry(op.key).or_default();
        lock.readers.push(who);
        lock.readers.sort_unstable();
        Effect::default()
    }

    pub(super) fn write_lock(&mut self, who: Tid, op: &Op) -> Effect {
        if op.kind == p::OP_RW_TRYWRITE && !self.can_write(op.key) {
            return Effect::of(libc::EBUSY);
        }
        if self.writes(who, op.key) {
            return Effect::of(libc::EDEADLK);
        }
        if op.kind == p::OP_RW_WRITE && !self.can_write(op.key) {
            let lock = self.rwlocks.entry(op.key).or_default();
            lock.waiting.push(who);
            lock.waiting.sort_unstable();
            return Effect::next(Op { kind: RW_WAITS, ..op.clone() });
        }
        self.wait_no_more(who, op);
        self.rwlocks.entry(op.key).or_default().writer = Some(who);
        Effect::default()
    }

    /// A writer has its turn, or its time is up.
    pub(super) fn wait_no_more(&mut self, who: Tid, op: &Op) {
        if let Some(lock) = self.rwlocks.get_mut(&op.key) {
            lock.waiting.retain(|w| *w != who);
        }
    }

    pub(super) fn rw_unlock(&mut self, who: Tid, key: Key) -> Effect {
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

    pub(super) fn destroy_rwlock(&mut self, key: Key) -> Effect {
        match self.rwlocks.remove(&key) {
            Some(lock) if lock.writer.is_some() || !lock.readers.is_empty() => {
                Effect::misuse(libc::EBUSY, "destruction of a locked read-write lock")
            }
            _ => Effect::default(),
        }
    }
}

//! Read-write locks: several readers or one writer; nobody is preferred. Who has it for writing is told that it would wait for itself.

use super::{Effect, Model};
use crate::operation::{Key, Op, Tid};
use crate::protocol as p;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RwLock {
    writer: Option<Tid>,
    /// In order, so that two readers commute.
    readers: Vec<Tid>,
}

impl Model {
    pub(super) fn can_read(&self, key: Key) -> bool {
        self.rwlocks.get(&key).is_none_or(|l| l.writer.is_none())
    }

    pub(super) fn can_write(&self, key: Key) -> bool {
        self.rwlocks.get(&key).is_none_or(|l| l.writer.is_none() && l.readers.is_empty())
    }

    pub(super) fn writes(&self, who: Tid, key: Key) -> bool {
        self.rwlocks.get(&key).is_some_and(|l| l.writer == Some(who))
    }

    pub(super) fn read_lock(&mut self, who: Tid, op: &Op) -> Effect {
        if op.kind == p::OP_RW_TRYREAD && !self.can_read(op.key) {
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
        self.rwlocks.entry(op.key).or_default().writer = Some(who);
        Effect::default()
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

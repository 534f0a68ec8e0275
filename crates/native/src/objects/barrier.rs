//! Barriers, and things done once.

use super::{Effect, Model};
use crate::operation::{Key, LEAVE, Op, Tid};

/// What the last thread at a barrier gets.
const SERIAL: i32 = -1;

impl Model {
    /// `op.a` is the count of the barrier. The last to come wakes the others.
    pub(super) fn arrive(&mut self, who: Tid, op: &Op) -> Effect {
        let count = self.counts.get(&op.key).copied().unwrap_or(op.a);
        if count == 0 {
            return Effect::misuse(libc::EINVAL, "wait at a barrier that is not initialised");
        }
        let arrived = self.barriers.entry(op.key).or_default();
        if (arrived.len() as i64) + 1 < count {
            arrived.push(who);
            return Effect::next(Op { kind: LEAVE, ..op.clone() });
        }
        let released = std::mem::take(arrived);
        self.woken.extend(released.iter().copied());
        Effect { released, ..Effect::of(SERIAL) }
    }

    pub(super) fn destroy_barrier(&mut self, key: Key) -> Effect {
        self.counts.remove(&key);
        match self.barriers.remove(&key) {
            Some(arrived) if !arrived.is_empty() => {
                Effect::misuse(libc::EBUSY, "destruction of a barrier at which a thread waits")
            }
            _ => Effect::default(),
        }
    }

    /// Result 1: the caller runs the routine.
    pub(super) fn once(&mut self, key: Key) -> Effect {
        if self.onces.contains_key(&key) {
            return Effect::default();
        }
        self.onces.insert(key, false);
        Effect::of(1)
    }
}

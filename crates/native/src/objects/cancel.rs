//! Threads that are cancelled: once asked to end, a thread does so at its next operation that is a
//! cancellation point.

use super::{Effect, Model};
use crate::operation::{Class, Key, Op, Outcome, RELOCK, Tid};
use crate::protocol as p;

/// The outcome of an operation at which the thread is cancelled.
pub const CANCEL: Outcome = -3;

impl Model {
    pub(super) fn is_cancelled(&self, who: Tid, op: &Op) -> bool {
        op.point && self.cancelled.contains(&who)
    }

    pub(super) fn cancel(&mut self, op: &Op) -> Effect {
        self.cancelled.insert(op.key.space as Tid);
        Effect::default()
    }

    /// The thread ends here instead of doing what it was about to do. A wait on a condition
    /// variable takes its mutex first.
    pub(super) fn end_here(&mut self, who: Tid, op: &Op) -> Effect {
        self.cancelled.remove(&who);
        if op.kind == RELOCK {
            self.waiting.entry(op.key).or_default().retain(|w| *w != who);
            self.wake_up(who, op);
        }
        Effect { result: p::CANCELLED, ..Effect::default() }
    }
}

pub(super) fn cancel_key(who: Tid) -> Key {
    Key::new(Class::Cancel, who as u64, 0)
}

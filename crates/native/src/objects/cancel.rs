//! Threads that are cancelled: once asked to end, a thread does so at its next operation that is a
//! cancellation point.
//!
//! A call that is one begins with a look at that ([`Op::Test`]): who comes there later than the
//! request ends. Behind it POSIX (2.9.5.2) leaves open what happens where both the request is there
//! and what the call does is possible: the thread ends, or goes on and ends at its next point. So
//! does the C library for calls that have no such look before them.

use super::process::thread_key;
use super::{By, Effect, Family, Model};
use crate::operation::{Access, Class, Footprint, Key, Operation, Outcome, Pending, Tid};
use crate::protocol as p;

/// The outcome of an operation at which the thread is cancelled.
pub const CANCEL: Outcome = -3;

/// Asks a thread to end, or is a point where it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Cancel {
        thread: Tid,
    },
    /// POSIX may leave open whether a thread that is cancelled ends here.
    Test {
        optional: bool,
    },
}

impl Family for Op {
    fn key(&self, process: u64) -> Key {
        match *self {
            Op::Cancel { thread } => cancel_key(thread),
            Op::Test { .. } => Key::new(Class::Sync, process, 0),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Op::Cancel { .. } => "pthread_cancel",
            Op::Test { .. } => "pthread_testcancel",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        match (self, other) {
            (Op::Cancel { thread }, Operation::Cancel(Op::Cancel { thread: other })) => thread == other,
            (Op::Test { .. }, Operation::Cancel(Op::Test { .. })) => true,
            _ => false,
        }
    }

    fn touches(&self, _: &Model, _: By<'_>, _: Outcome) -> Footprint {
        match *self {
            // Whether it is over matters if it is detached: then nothing names it any more.
            Op::Cancel { thread } => {
                vec![cancel_key(thread).touch(Access::Change), thread_key(thread).touch(Access::Read)]
            }
            Op::Test { .. } => Footprint::new(),
        }
    }

    fn perform(&self, model: &mut Model, _: By<'_>, _: Outcome) -> Effect {
        if let Op::Cancel { thread } = *self {
            model.cancelled.insert(thread);
        }
        Effect::default()
    }
}

impl Model {
    pub(super) fn is_cancelled(&self, who: Tid, pending: &Pending) -> bool {
        pending.point && self.cancelled.contains(&who)
    }

    /// In which ways a thread goes on that is asked to end, given those of one that is not.
    pub(super) fn or_ends(&self, by: By<'_>, possible: Vec<Outcome>) -> Vec<Outcome> {
        if !self.is_cancelled(by.who, by.pending) {
            return possible;
        }
        match &by.pending.operation {
            Operation::Cancel(_) | Operation::Timer(_) => vec![CANCEL],
            // Whose time was up before has chosen before.
            Operation::Choice(_) => vec![0],
            Operation::Condition(op) if !op.is_resumed() => possible,
            Operation::Condition(op) => {
                let free = op.second().is_some_and(|mutex| self.can_relock(mutex));
                free.then_some(CANCEL).into_iter().chain(possible).collect()
            }
            _ => std::iter::once(CANCEL).chain(possible).collect(),
        }
    }

    /// The thread ends here instead of doing what it was about to do.
    pub(super) fn end_here(&mut self, by: By<'_>) -> Effect {
        self.cancelled.remove(&by.who);
        let stopped = match &by.pending.operation {
            Operation::Condition(op) => self.stop_waiting(by, op),
            _ => Effect::default(),
        };
        Effect { result: p::CANCELLED, ..stopped }
    }
}

pub(super) fn cancel_key(who: Tid) -> Key {
    Key::new(Class::Cancel, who as u64, 0)
}

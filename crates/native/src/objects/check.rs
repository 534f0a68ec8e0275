//! What a thread does by itself: an assertion that holds, a loop that only waits.

use super::{By, Effect, Family, Model, process_key};
use crate::operation::{Footprint, Key, Operation, Outcome};
use std::mem::discriminant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Assertion,
    /// The thread has come back to where it was, and how often it had changed something by then.
    BusyWait {
        changes: i64,
    },
}

impl Family for Op {
    fn key(&self, process: u64) -> Key {
        process_key(process)
    }

    fn name(&self) -> &'static str {
        match self {
            Op::Assertion => "assert",
            Op::BusyWait { .. } => "a loop that only waits",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Check(o) if discriminant(o) == discriminant(self))
    }

    /// A circle goes on in other runs only: those in which its thread comes here later.
    fn outcomes(&self, _: &Model, _: By<'_>) -> Vec<Outcome> {
        match self {
            Op::Assertion => vec![0],
            Op::BusyWait { .. } => Vec::new(),
        }
    }

    fn touches(&self, _: &Model, _: By<'_>, _: Outcome) -> Footprint {
        Footprint::new()
    }

    fn perform(&self, _: &mut Model, _: By<'_>, _: Outcome) -> Effect {
        Effect::default()
    }
}

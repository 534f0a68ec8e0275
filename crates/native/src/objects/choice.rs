//! Choices: a toss of the program's own, and whether a timed operation times out, or a wait ends by
//! itself.

use super::condition::{Does, Ends, Wait};
use super::files::Call;
use super::process::Op as Life;
use super::{By, Effect, Family, Model, condition, files, process_key};
use crate::operation::{Footprint, Key, Operation, Outcome, Pending};

/// A toss of 0 to this many; or, before an operation, whether it is in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    Toss { most: i64 },
    Before(Box<Pending>),
}

impl Op {
    /// Whether a wait ends by itself.
    pub fn is_spurious(&self) -> bool {
        match self {
            Op::Before(behind) => behind.operation.is_spurious(),
            Op::Toss { .. } => false,
        }
    }
}

impl Family for Op {
    fn key(&self, process: u64) -> Key {
        match self {
            Op::Toss { .. } => process_key(process),
            Op::Before(behind) => behind.key(),
        }
    }

    fn second(&self) -> Option<Key> {
        match self {
            Op::Toss { .. } => None,
            Op::Before(behind) => behind.second(),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Op::Toss { .. } => "toss",
            Op::Before(_) if self.is_spurious() => "wake by itself?",
            Op::Before(_) => "time out?",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        match (self, other) {
            (Op::Toss { .. }, Operation::Choice(Op::Toss { .. })) => true,
            (Op::Before(a), Operation::Choice(Op::Before(b))) => {
                a.key() == b.key() && a.second() == b.second()
            }
            _ => false,
        }
    }

    fn outcomes(&self, _: &Model, _: By<'_>) -> Vec<Outcome> {
        match self {
            Op::Toss { most } => (0..=*most).collect(),
            Op::Before(_) => vec![0, 1],
        }
    }

    fn touches(&self, _: &Model, _: By<'_>, _: Outcome) -> Footprint {
        Footprint::new()
    }

    fn perform(&self, _: &mut Model, _: By<'_>, outcome: Outcome) -> Effect {
        match self {
            Op::Toss { .. } => Effect { result: outcome, ..Effect::default() },
            Op::Before(behind) => decided(behind, outcome == 1),
        }
    }
}

/// What comes of a timed operation: if its time is up, it is done at once or not at all.
fn decided(behind: &Pending, timed_out: bool) -> Effect {
    let mut next = behind.clone();
    match &mut next.operation {
        // It lets go of the mutex in any case, and takes it again without being woken.
        Operation::Condition(condition::Op { does: Does::Wait(Wait { ends, .. }), .. }) => {
            next.expires = !timed_out && *ends != Ends::Spurious;
            if !timed_out {
                *ends = Ends::Woken;
            }
            return Effect::next(next);
        }
        Operation::Life(Life::Join { .. }) if timed_out => return Effect::of(libc::ETIMEDOUT),
        Operation::File(files::Op {
            call: Call::Poll { forever, .. } | Call::EpollWait { forever, .. },
            ..
        }) if timed_out => *forever = false,
        _ => next.late = timed_out,
    }
    next.expires = !timed_out;
    if timed_out {
        next.ready = next.until;
    }
    Effect::next(next)
}

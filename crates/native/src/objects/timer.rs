//! Timers that send a signal: once set, one may fire at any point, as an operation of its own,
//! until it is stopped. And sleeping, which a signal ends.

use super::signal::Kill;
use super::{By, Effect, Family, Model, process_key, when};
use crate::operation::{Access, Class, Footprint, Key, Operation, Outcome};

/// The object of a timer of a process.
pub fn timer_key(process: u64, number: u64) -> Key {
    Key::new(Class::Timer, process, number)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Sets it, or stops it if it sends nothing.
    Set {
        timer: Key,
        sends: Option<Kill>,
        repeats: bool,
    },
    /// The operation of no thread.
    Fire {
        timer: Key,
    },
    Sleep,
}

impl Family for Op {
    fn key(&self, process: u64) -> Key {
        match *self {
            Op::Set { timer, .. } | Op::Fire { timer } => timer,
            Op::Sleep => process_key(process),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Op::Set { .. } => "set timer",
            Op::Fire { .. } => "timer fires",
            Op::Sleep => "sleep",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        let Operation::Timer(other) = other else { return false };
        match (self, other) {
            (Op::Set { timer: a, .. }, Op::Set { timer: b, .. }) => a == b,
            _ => self == other,
        }
    }

    fn outcomes(&self, model: &Model, _: By<'_>) -> Vec<Outcome> {
        match self {
            Op::Fire { timer } => when(model.timers.contains_key(timer)),
            _ => vec![0],
        }
    }

    fn touches(&self, model: &Model, _: By<'_>, _: Outcome) -> Footprint {
        match self {
            Op::Set { timer, .. } => vec![timer.touch(Access::Change)],
            Op::Fire { timer } => {
                let sends = model.timers.get(timer).map(|kill| model.kill_touches(kill));
                sends.into_iter().flatten().chain([timer.touch(Access::Change)]).collect()
            }
            Op::Sleep => Footprint::new(),
        }
    }

    /// The result of setting one is 1 if it was set before.
    fn perform(&self, model: &mut Model, _: By<'_>, _: Outcome) -> Effect {
        match self {
            Op::Set { timer, sends, .. } => {
                let before = model.timers.remove(timer).is_some();
                model.timers.extend(sends.map(|kill| (*timer, kill)));
                Effect::of(before.into())
            }
            Op::Fire { timer } => match model.timers.remove(timer) {
                Some(kill) => Effect { reported: kill.sent.signal, ..model.kill(&kill) },
                None => Effect::default(),
            },
            Op::Sleep => Effect::default(),
        }
    }
}

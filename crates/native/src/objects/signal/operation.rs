//! Operations on signals: sending, blocking, waiting, asking, and taking them on the way out of the
//! kernel.

use super::{Action, BEFORE, Sent, Target};
use crate::objects::{By, Effect, Family, Model, process_key, when};
use crate::operation::{Class, Footprint, Key, Operation, Outcome, Tid};
use std::mem::discriminant;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    Kill(Kill),
    /// What a process does about a signal; or what that is.
    Action {
        signal: i64,
        action: Option<Action>,
    },
    /// What the thread blocks from now on.
    Mask(u64),
    /// It waits with another mask; the resumption: it waits.
    Suspend(u64),
    Suspended,
    Pause,
    /// For one of these.
    Wait {
        set: u64,
        at_once: bool,
    },
    /// Which are pending.
    Pending,
    /// On the way out of the kernel: pending signals are taken. With the answer of the operation
    /// before, and what that was on.
    Take {
        result: i64,
        data: Vec<u8>,
        on: Key,
    },
}

/// A signal for a process, or for one of its threads alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kill {
    pub process: u64,
    pub thread: Option<Tid>,
    pub sent: Sent,
}

impl Kill {
    pub(super) fn target(&self) -> Target {
        self.thread.map_or(Target::Process(self.process), Target::Thread)
    }

    fn key(&self) -> Key {
        Key::new(Class::Process, self.process, self.thread.map_or(0, |thread| thread as u64 + 1))
    }
}

impl Family for Op {
    fn key(&self, process: u64) -> Key {
        match self {
            Op::Kill(kill) => kill.key(),
            Op::Take { on, .. } => *on,
            _ => process_key(process),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Op::Kill(_) => "kill",
            Op::Action { .. } => "sigaction",
            Op::Mask(_) => "sigprocmask",
            Op::Suspend(_) => "sigsuspend",
            Op::Suspended => "sigsuspend waits",
            Op::Pause => "pause",
            Op::Wait { .. } => "sigwait",
            Op::Pending => "sigpending",
            Op::Take { .. } => "return with a signal",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        let Operation::Signal(other) = other else { return false };
        let mask = |action: &Option<Action>| action.map_or(0, |a| a.mask);
        match (self, other) {
            (Op::Kill(a), Op::Kill(b)) => {
                a.key() == b.key() && (a.sent.code, a.sent.value) == (b.sent.code, b.sent.value)
            }
            (Op::Action { action: a, .. }, Op::Action { action: b, .. }) => mask(a) == mask(b),
            (Op::Take { data: a, on: x, .. }, Op::Take { data: b, on: y, .. }) => a == b && x == y,
            (a, b) => discriminant(a) == discriminant(b),
        }
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        match self {
            Op::Take { .. } => model.take_outcomes(by),
            Op::Suspended | Op::Pause => Vec::new(),
            Op::Wait { set, at_once } => when(*at_once || model.awaited(by, *set).is_some()),
            _ => vec![0],
        }
    }

    fn touches(&self, model: &Model, by: By<'_>, _: Outcome) -> Footprint {
        match self {
            Op::Kill(kill) => model.kill_touches(kill),
            Op::Action { action, .. } => Model::action_touches(by.process(), action.is_some()),
            Op::Mask(mask) | Op::Suspend(mask) => model.mask_touches(by.process(), *mask),
            Op::Suspended | Op::Pause | Op::Pending => Footprint::new(),
            Op::Wait { set, .. } => model.await_touches(by, *set),
            // Whether another thread may take it depends on what that one blocks.
            Op::Take { .. } => model.take_touches(by),
        }
    }

    fn perform(&self, model: &mut Model, by: By<'_>, _: Outcome) -> Effect {
        match self {
            Op::Kill(kill) => return model.kill(kill),
            Op::Action { signal, action } => {
                action.iter().for_each(|action| model.set_action(by.process(), *signal, *action));
            }
            Op::Mask(mask) => model.set_mask(by.who, *mask),
            Op::Suspend(mask) => {
                model.set_mask(by.who, *mask);
                return Effect::next(by.pending.then(Operation::Signal(Op::Suspended)));
            }
            Op::Suspended | Op::Pause => {}
            Op::Wait { set, .. } => return model.take_awaited(by, *set),
            Op::Pending => return model.pending_signals(by),
            Op::Take { result, data, .. } => {
                model.leave(by);
                return Effect { result: *result, data: data.clone(), ..Effect::default() };
            }
        }
        Effect::default()
    }
}

/// Outcomes of taking what is pending on the way out of the kernel.
impl Model {
    pub(in crate::objects) fn take_outcomes(&self, by: By<'_>) -> Vec<Outcome> {
        match self.signals.next_for(by.who, by.process(), self.signals.mask(by.who)) {
            None => vec![0],
            Some((Target::Process(process), sent)) if self.signals.others_may(by.who, process, sent) => {
                vec![0, BEFORE]
            }
            Some(_) => vec![BEFORE],
        }
    }
}

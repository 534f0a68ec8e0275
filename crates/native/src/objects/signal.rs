//! Signals that kill, between processes; and threads that are cancelled.
//!
//! What a signal does to a process depends on what it has said about it. A handler in another process, a blocked signal, a signal
//! that stops: these are not modelled, and said so.

use super::{Effect, Model};
use crate::operation::{Access, Class, Footprint, Key, Op, Outcome, Tid};
use crate::protocol as p;

/// The outcome of an operation at which the thread is cancelled.
pub const CANCEL: Outcome = -3;

/// What a process does about signals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signals {
    ignored: u64,
    handled: u64,
    blocked: u64,
}

fn bit(signal: i64) -> u64 {
    1u64.checked_shl(u32::try_from(signal - 1).unwrap_or(64)).unwrap_or(0)
}

enum Does {
    Nothing,
    Kills,
    /// Not modelled.
    More(&'static str),
}

impl Model {
    /// `signal` 0: `how` is the mask.
    pub fn set_signal(&mut self, process: u64, signal: i64, how: i64) {
        let known = self.signals.entry(process).or_default();
        if signal == 0 {
            known.blocked = how as u64;
            return;
        }
        known.ignored &= !bit(signal);
        known.handled &= !bit(signal);
        match how {
            1 => known.ignored |= bit(signal),
            2 => known.handled |= bit(signal),
            _ => {}
        }
    }

    fn does(&self, process: u64, signal: i64) -> Does {
        let known = self.signals.get(&process).copied().unwrap_or_default();
        let number = i32::try_from(signal).unwrap_or(0);
        match number {
            libc::SIGKILL => Does::Kills,
            libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU | libc::SIGCONT => {
                Does::More("a signal that stops a process")
            }
            _ if known.ignored & bit(signal) != 0 => Does::Nothing,
            _ if known.blocked & bit(signal) != 0 => Does::More("a signal to a process that blocks it"),
            _ if known.handled & bit(signal) != 0 => {
                Does::More("a signal to a process that has a handler for it")
            }
            libc::SIGCHLD | libc::SIGURG | libc::SIGWINCH => Does::Nothing,
            _ => Does::Kills,
        }
    }

    pub(super) fn kill_touches(&self, op: &Op) -> Footprint {
        let target = op.key.space;
        match self.does(target, op.a) {
            Does::Kills => self.exit_touches(&Op { process: target, ..op.clone() }),
            // Whether the process is still there, its parent decides.
            _ => {
                let parent = self.lives.get(&target).map(|l| Key::new(Class::Children, l.parent, 0));
                let looked_at = parent.map(|k| k.touch(Access::Read));
                looked_at.into_iter().chain([op.key.touch(Access::Change)]).collect()
            }
        }
    }

    /// The result is 1 if the process ends of it.
    pub(super) fn kill(&mut self, op: &Op) -> Effect {
        let target = op.key.space;
        match self.lives.get(&target) {
            None => return Effect::of(-libc::ESRCH),
            Some(life) if life.reaped => return Effect::of(-libc::ESRCH),
            Some(life) if life.ended => return Effect::default(),
            Some(_) => {}
        }
        match self.does(target, op.a) {
            Does::Nothing => Effect::default(),
            Does::More(what) => Effect { unmodelled: Some(what), ..Effect::default() },
            Does::Kills => {
                self.end_process(&Op { process: target, ..op.clone() });
                Effect::of(1)
            }
        }
    }

    pub(super) fn is_cancelled(&self, who: Tid, op: &Op) -> bool {
        op.point && self.cancelled.contains(&who)
    }

    pub(super) fn cancel(&mut self, op: &Op) -> Effect {
        self.cancelled.insert(op.key.space as Tid);
        Effect::default()
    }

    /// The thread ends here instead of doing what it was about to do. A wait on a condition variable takes its mutex first.
    pub(super) fn end_here(&mut self, who: Tid, op: &Op) -> Effect {
        self.cancelled.remove(&who);
        if op.kind == crate::operation::RELOCK {
            self.waiting.entry(op.key).or_default().retain(|w| *w != who);
            self.wake_up(who, op);
        }
        Effect { result: p::CANCELLED, ..Effect::default() }
    }
}

pub(super) fn cancel_key(who: Tid) -> Key {
    Key::new(Class::Cancel, who as u64, 0)
}

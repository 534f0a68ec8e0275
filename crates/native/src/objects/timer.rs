//! Timers that send a signal: once set, one may fire at any point, as an operation of its own,
//! until it is stopped.

use super::{Effect, Model};
use crate::operation::{Access, Class, Footprint, Key, Op};
use crate::protocol as p;

/// The object of a timer of a process.
pub fn timer_key(process: u64, number: u64) -> Key {
    Key::new(Class::Timer, process, number)
}

impl Model {
    /// The result is 1 if it was set before.
    pub(super) fn set_timer(&mut self, op: &Op) -> Effect {
        let before = self.timers.remove(&op.key).is_some();
        if op.a != 0 {
            let key = Key::new(Class::Process, op.process, 0);
            self.timers.insert(op.key, Op { kind: p::OP_KILL, key, ..op.clone() });
        }
        Effect::of(before.into())
    }

    pub(super) fn may_fire(&self, op: &Op) -> bool {
        self.timers.contains_key(&op.key)
    }

    pub(super) fn fire_touches(&self, op: &Op) -> Footprint {
        let sends = self.timers.get(&op.key).map(|kill| self.kill_touches(kill));
        sends.into_iter().flatten().chain([op.key.touch(Access::Change)]).collect()
    }

    pub(super) fn fire(&mut self, op: &Op) -> Effect {
        match self.timers.remove(&op.key) {
            Some(kill) => Effect { told: kill.a, ..self.kill(&kill) },
            None => Effect::default(),
        }
    }
}

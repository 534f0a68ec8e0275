//! Sending: a signal ends the process, is forgotten, or waits to be taken.

use super::{Does, Sent, Target};
use crate::objects::{Effect, Model};
use crate::operation::{Access, Class, Footprint, Key, Op, Tid};

impl Model {
    fn kills(&self, process: u64, op: &Op) -> bool {
        let action = self.signals.action(process, op.a).does;
        let blocked = self.signals.blocks(target(op), op.a);
        let never = op.a == 0 || self.signals.ignores(process, op.a) || stops(op.a);
        i64::from(libc::SIGKILL) == op.a || !never && !blocked && action == Does::Usual
    }

    pub(in crate::objects) fn kill_touches(&self, op: &Op) -> Footprint {
        let process = op.key.space;
        if self.kills(process, op) {
            return self.exit_touches(&Op { process, ..op.clone() });
        }
        // Whether the process is still there, its parent decides.
        let parent = self.lives.get(&process).map(|l| Key::new(Class::Children, l.parent, 0));
        let looked_at = parent.map(|k| k.touch(Access::Read));
        let access = if op.a == 0 { Access::Read } else { Access::Change };
        let own = Key::new(Class::Process, process, 0).touch(access);
        looked_at.into_iter().chain([own]).collect()
    }

    /// The result is 1 if the process ends of it.
    pub(in crate::objects) fn kill(&mut self, op: &Op) -> Effect {
        let process = op.key.space;
        match self.lives.get(&process) {
            None => return Effect::of(-libc::ESRCH),
            Some(life) if life.reaped => return Effect::of(-libc::ESRCH),
            Some(life) if life.ended || op.a == 0 => return Effect::default(),
            Some(_) => {}
        }
        if self.kills(process, op) {
            self.end_process(&Op { process, a: 0x100 | op.a, ..op.clone() });
            return Effect::of(1);
        }
        if stops(op.a) && self.signals.action(process, op.a).does == Does::Usual {
            return Effect { unmodelled: Some("a signal that stops a process"), ..Effect::default() };
        }
        let target = target(op);
        if !self.signals.ignores(process, op.a) || self.signals.blocks(target, op.a) {
            self.signals.send(target, sent(op));
        }
        Effect::default()
    }
}

fn stops(signal: i64) -> bool {
    [libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU].iter().any(|s| i64::from(*s) == signal)
}

/// `key`: the process, and the thread plus one if it is meant alone.
fn target(op: &Op) -> Target {
    if op.key.at > 0 { Target::Thread(op.key.at as Tid - 1) } else { Target::Process(op.key.space) }
}

/// `data`: the code and the value.
fn sent(op: &Op) -> Sent {
    let word =
        |at: usize| op.data.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, i64::from_le_bytes);
    Sent { signal: op.a, code: word(0), from: op.process, value: word(8) }
}

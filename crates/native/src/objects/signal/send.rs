//! Sending: a signal ends the process, is forgotten, or waits to be taken.

use super::{Does, Kill};
use crate::objects::process::thread_key;
use crate::objects::{Effect, Model, process_key};
use crate::operation::{Access, Class, Footprint, Key};

impl Model {
    /// It is for a thread that has ended: nothing is sent.
    fn misses(&self, kill: &Kill) -> bool {
        kill.thread.is_some_and(|thread| !self.has_thread(thread))
    }

    fn kills(&self, kill: &Kill) -> bool {
        if self.misses(kill) {
            return false;
        }
        let signal = kill.sent.signal;
        let action = self.signals.action(kill.process, signal).does;
        let blocked = self.signals.blocks(kill.target(), signal);
        let never = signal == 0 || self.signals.ignores(kill.process, signal) || stops(signal);
        i64::from(libc::SIGKILL) == signal || !never && !blocked && action == Does::Usual
    }

    pub(in crate::objects) fn kill_touches(&self, kill: &Kill) -> Footprint {
        // Whether the thread is still there, its end decides.
        let thread = kill.thread.map(|thread| thread_key(thread).touch(Access::Read));
        if self.kills(kill) {
            return self.exit_touches(kill.process).into_iter().chain(thread).collect();
        }
        // Whether the process is still there, its parent decides.
        let parent = self.lives.get(&kill.process).map(|l| Key::new(Class::Children, l.parent, 0));
        let looked_at = parent.map(|k| k.touch(Access::Read));
        let access = if kill.sent.signal == 0 { Access::Read } else { Access::Change };
        let process = process_key(kill.process).touch(access);
        looked_at.into_iter().chain(thread).chain([process]).collect()
    }

    /// The result is 1 if the process ends of it.
    pub(in crate::objects) fn kill(&mut self, kill: &Kill) -> Effect {
        let Kill { process, sent, .. } = *kill;
        let signal = sent.signal;
        match self.lives.get(&process) {
            None => return Effect::of(-libc::ESRCH),
            Some(life) if life.reaped => return Effect::of(-libc::ESRCH),
            Some(_) if self.misses(kill) => return Effect::of(-libc::ESRCH),
            Some(life) if life.ended || signal == 0 => return Effect::default(),
            Some(_) => {}
        }
        if self.kills(kill) {
            self.end_process(process, 0x100 | signal);
            return Effect::of(1);
        }
        if stops(signal) && self.signals.action(process, signal).does == Does::Usual {
            return Effect { unmodelled: Some("a signal that stops a process"), ..Effect::default() };
        }
        let target = kill.target();
        if !self.signals.ignores(process, signal) || self.signals.blocks(target, signal) {
            self.signals.send(target, sent);
        }
        Effect::default()
    }
}

fn stops(signal: i64) -> bool {
    [libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU].iter().any(|s| i64::from(*s) == signal)
}

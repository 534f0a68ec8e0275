//! Processes: who is whose child, who has ended, who was waited for.

use super::signal::{Sent, about_children};
use super::{Effect, Model};
use crate::operation::{Access, Class, Footprint, Key, Op, Outcome, Tid};

/// No child; no waiter.
pub const NONE: Outcome = -1;
/// WNOHANG: there are children, but none has ended.
pub const NOT_YET: Outcome = -2;

/// A process, by its first thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    pub parent: u64,
    pub ended: bool,
    pub reaped: bool,
}

impl Model {
    fn children(&self, parent: u64) -> impl Iterator<Item = (u64, &Life)> {
        self.lives.iter().filter(move |(_, l)| l.parent == parent && !l.reaped).map(|(id, l)| (*id, l))
    }

    /// `op.a` is the child or -1 for any; `op.b` has 1 with WNOHANG, 2 with WNOWAIT.
    pub(super) fn wait_outcomes(&self, op: &Op) -> Vec<Outcome> {
        let wanted = |id: u64| op.a < 0 || op.a as u64 == id;
        let ended = self.children(op.process).filter(|(id, l)| l.ended && wanted(*id));
        let ended: Vec<Outcome> = ended.map(|(id, _)| id as Outcome).collect();
        let some = self.children(op.process).any(|(id, _)| wanted(id));
        match (ended.is_empty(), some, op.b & 1) {
            (false, ..) => ended,
            (true, false, _) => vec![NONE],
            (true, true, 0) => Vec::new(),
            (true, true, _) => vec![NOT_YET],
        }
    }

    pub(super) fn reap(&mut self, op: &Op, outcome: Outcome) -> Effect {
        if let Some(life) = u64::try_from(outcome).ok().and_then(|id| self.lives.get_mut(&id)) {
            life.reaped = op.b & 2 == 0;
        }
        Effect { result: outcome, ..Effect::default() }
    }

    /// Whether others can see that a process ends: it gives something back, or holds an end of a
    /// channel.
    pub fn end_is_seen(&self, process: u64) -> bool {
        !self.owed(process).is_empty() || !self.robust(process).is_empty() || self.files.end_is_seen(process)
    }

    pub(super) fn end_process(&mut self, op: &Op) -> Effect {
        self.take_back(op.process);
        self.files.end_process(op.process);
        self.end_threads(op.process);
        let Some(life) = self.lives.get_mut(&op.process) else { return Effect::default() };
        life.ended = true;
        let parent = life.parent;
        let by_signal = op.a & 0x100 != 0;
        let code = if by_signal { libc::CLD_KILLED } else { libc::CLD_EXITED };
        let signal = libc::SIGCHLD.into();
        let sent = Sent { signal, code: code.into(), from: op.process, value: op.a & 0xff };
        if self.tell_parent(parent, sent)
            && let Some(life) = self.lives.get_mut(&op.process)
        {
            life.reaped = true;
        }
        Effect::default()
    }

    /// The end of a thread: who joins it, and who waits for what it holds.
    pub(super) fn end_touches(&self, who: Tid) -> Footprint {
        let held = self.robust_of(who).into_iter().map(|k| k.touch(Access::Change));
        held.chain([super::thread_key(who).touch(Access::Change)]).collect()
    }

    /// Its own threads, its parent, and processes that share what it gives back.
    pub(super) fn exit_touches(&self, op: &Op) -> Footprint {
        let own = Key::new(Class::Process, op.process, 0).touch(Access::Change);
        let parent = self.lives.get(&op.process).map(|l| Key::new(Class::Children, l.parent, 0));
        let told = self.lives.get(&op.process).map(|l| l.parent).filter(|p| self.minds_children(*p));
        let told = told.map(|p| Key::new(Class::Process, p, 0));
        let owed = self.owed(op.process).into_iter().chain(self.robust(op.process));
        let changed = parent.into_iter().chain(told).chain(owed).map(|k| k.touch(Access::Change));
        let looked_at = self.lives.get(&op.process).map(|l| about_children(l.parent).touch(Access::Read));
        let files = self.files.exit_touches(op.process);
        std::iter::once(own).chain(looked_at).chain(changed).chain(files).collect()
    }
}

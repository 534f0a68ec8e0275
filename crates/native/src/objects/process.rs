//! Processes: who is whose child, who has ended, who was waited for.

use super::{Effect, Model};
use crate::operation::{Access, Class, Footprint, Key, Op, Outcome};

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

    /// `op.a` is the child or -1 for any; `op.b` is 1 with WNOHANG.
    pub(super) fn wait_outcomes(&self, op: &Op) -> Vec<Outcome> {
        let wanted = |id: u64| op.a < 0 || op.a as u64 == id;
        let ended = self.children(op.process).filter(|(id, l)| l.ended && wanted(*id));
        let ended: Vec<Outcome> = ended.map(|(id, _)| id as Outcome).collect();
        let some = self.children(op.process).any(|(id, _)| wanted(id));
        match (ended.is_empty(), some, op.b) {
            (false, ..) => ended,
            (true, false, _) => vec![NONE],
            (true, true, 0) => Vec::new(),
            (true, true, _) => vec![NOT_YET],
        }
    }

    pub(super) fn reap(&mut self, outcome: Outcome) -> Effect {
        if let Some(life) = u64::try_from(outcome).ok().and_then(|id| self.lives.get_mut(&id)) {
            life.reaped = true;
        }
        Effect { result: outcome, ..Effect::default() }
    }

    pub(super) fn end_process(&mut self, op: &Op) -> Effect {
        self.take_back(op.process);
        self.files.end_process(op.process);
        if let Some(life) = self.lives.get_mut(&op.process) {
            life.ended = true;
        }
        Effect::default()
    }

    /// Its own threads, its parent, and whoever shares what it gives back.
    pub(super) fn exit_touches(&self, op: &Op) -> Footprint {
        let own = Key::new(Class::Process, op.process, 0).touch(Access::Change);
        let parent = self.lives.get(&op.process).map(|l| Key::new(Class::Children, l.parent, 0));
        let owed = self.owed(op.process).into_iter().chain(self.robust(op.process));
        let changed = parent.into_iter().chain(owed).map(|k| k.touch(Access::Change));
        std::iter::once(own).chain(changed).chain(self.files.exit_touches(op.process)).collect()
    }
}

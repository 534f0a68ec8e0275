//! Persistent sets from declared uses (Definition 2 of the paper; the stubborn-set construction of
//! the thesis, Algorithm 3).
//!
//! A set of threads is closed if, for each member that can move, it contains the threads that may
//! later do something that depends on the member's next operation; and for each member that cannot,
//! those that may let it. Its enabled transitions are then persistent. The closures are found as
//! for models ([`explore::reduction::persistent`]): the one with fewest transitions is taken, of
//! equals that of the lowest thread.

use super::run::Possible;
use super::{OpOf, Semantics, World};
use crate::operation::{Access, Class, Key, Tid, Touch, dependent};
use explore::reduction::persistent::{Choices, Sets, members};
use independence::Set;

/// An object that a thread may use from now on, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    pub key: Key,
    /// The bits of `enum weave_how`.
    pub how: u64,
}

const WAIT: u64 = 1;
const SIGNAL: u64 = 2;
const READ: u64 = 4;
const WRITE: u64 = 8;

impl Use {
    fn touches(&self) -> Vec<Touch> {
        let ways = [(WAIT | WRITE, Access::Change), (SIGNAL, Access::Post), (READ, Access::Read)];
        let ways = ways.iter().filter(|(how, _)| self.how & how != 0);
        ways.flat_map(|(_, a)| self.keys().map(|key| key.touch(*a))).collect()
    }

    /// An address may be that of a lock, of a variable, or of a word to sleep on.
    fn keys(&self) -> impl Iterator<Item = Key> {
        let classes = [self.key.class, Class::Memory, Class::Futex];
        let count = if self.key.class == Class::Sync { 3 } else { 1 };
        classes.into_iter().take(count).map(|class| Key { class, ..self.key })
    }

    /// Whether what is touched was declared.
    pub fn covers(&self, touch: &Touch) -> bool {
        let needed = match touch.access {
            Access::Change => WAIT | WRITE,
            Access::Post => SIGNAL | WRITE,
            Access::Read => READ | WAIT | WRITE,
        };
        self.how & needed != 0 && self.keys().any(|key| key == touch.key)
    }
}

/// The threads of a persistent set; all, if there are more than fit into one.
pub(super) fn persistent<W: World>(world: &W, possible: &Possible<OpOf<W>>) -> Vec<Tid> {
    let pending = world.pending();
    let can_move = |who: Tid| possible.transitions.iter().any(|t| t.who == who);
    if pending.len() > Set::BITS as usize {
        return pending.into_iter().map(|(who, _)| who).collect();
    }
    let enabled =
        (0..).zip(&pending).filter(|(_, (who, _))| can_move(*who)).fold(0, |set, (at, _)| set | 1 << at);
    let mut threads = Threads { world, pending, enabled };
    let pending = threads.pending.clone();
    let weight = |set: Set| {
        let of = |who: Tid| possible.transitions.iter().filter(|t| t.who == who).count() as u32;
        members(set).map(|at| of(pending[at].0)).sum()
    };
    let set = Sets::default().each(&mut threads, members(enabled), weight, |_| true);
    members(set).map(|at| pending[at].0).collect()
}

/// The threads that stand before an operation, as choices.
struct Threads<'a, W: World> {
    world: &'a W,
    pending: Vec<(Tid, OpOf<W>)>,
    enabled: Set,
}

impl<W: World> Choices for Threads<'_, W> {
    fn count(&self) -> usize {
        self.pending.len()
    }

    fn enabled(&self) -> Set {
        self.enabled
    }

    fn needs(&mut self, member: usize, alternatives: &mut Vec<Set>) -> Option<()> {
        let semantics = self.world.semantics();
        let can_move = self.enabled >> member & 1 == 1;
        let (who, op) = &self.pending[member];
        let mut next = semantics.footprint(*who, op, if can_move { 0 } else { -1 });
        let told = semantics.woken_over(op);
        next.extend(told.iter().filter(|_| !can_move));
        let told = !told.is_empty();
        let undeclared = next.iter().any(Touch::is_undeclared);
        // A thread that only waits too cannot let a waiting thread go on; on a condition variable
        // or at a barrier it can.
        let matters = |u: &Use| can_move || told || u.how & !(WAIT | READ) != 0;
        let may = |other: Tid, its: &OpOf<W>| match self.world.uses(other) {
            None => true,
            Some(_) if undeclared => true,
            Some(uses) => {
                let later = uses.iter().filter(|u| matters(u)).any(|u| dependent(&u.touches(), &next));
                let now = can_move && dependent(&semantics.footprint(other, its, 0), &next);
                later || now
            }
        };
        let needed = (0..).zip(&self.pending).filter(|(at, (other, its))| *at != member && may(*other, its));
        alternatives.push(needed.fold(0, |set, (at, _)| set | 1 << at));
        Some(())
    }
}

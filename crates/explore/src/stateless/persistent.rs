//! Persistent sets from what threads may still do (Definition 2 of the paper; the stubborn-set construction of
//! the thesis, Algorithm 3).
//!
//! A set of threads is closed if, for each member that can move, it contains the threads that may
//! later do something that depends on the member's next operation; and for each member that cannot,
//! those that may let it. Its enabled transitions are then persistent. The closures are found as
//! for models ([`crate::reduction::persistent`]): the one with fewest transitions is taken, of
//! equals that of the lowest thread.

use super::run::Possible;
use super::{OpOf, World};
use crate::reduction::persistent::{Choices, Sets, members};
use independence::Set;
use objects::Tid;

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
        let can_move = self.enabled >> member & 1 == 1;
        alternatives.push(self.world.matter_to(member, &self.pending, can_move));
        Some(())
    }
}

//! Races of a run, and the runs in which they end the other way.
//!
//! Two transitions race if they depend on each other and nothing but that orders them: the later one could have come first.
//! For each race, what does not depend on the earlier one, followed by the later one, is put into the wake-up tree of the
//! state before the earlier one, unless a sleeping transition already leads to the same runs.

use super::clocks::{Clocks, Happened, clocks};
use super::tree::{Place, Tree};
use super::{Edges, Semantics, Transition};
use crate::operation::{Tid, dependent};

/// The end of a run: who stands before what.
pub(super) struct Rest<'a, S: Semantics> {
    pub(super) objects: &'a S,
    pub(super) pending: &'a [(Tid, S::Op)],
}

impl<S: Semantics> Tree<S> {
    pub(super) fn reverse_races(&mut self, beginning: &Edges, path: &[Place], rest: &Rest<'_, S>) {
        let taken = self.happened(path);
        let happened: Vec<Happened<'_, S::Op>> = taken.iter().map(|(t, e)| (t, e)).collect();
        let clocks = clocks(beginning, &happened);
        let run = Run { path, taken: &taken, clocks };
        for (later, (Transition { who, op, touched, .. }, _)) in taken.iter().enumerate() {
            for earlier in (0..later).rev() {
                let other = &taken[earlier].0;
                let before = run.clocks.before[later].get(other.who) >= run.clocks.number[earlier];
                if other.who != *who && !before && dependent(&other.touched, touched) {
                    self.reverse(&run, earlier, *who, op);
                }
            }
        }
        self.reverse_with_the_unexecuted(&run, rest);
    }

    /// Operations that threads are stuck on at the end, or that the end of a failing run left undone.
    fn reverse_with_the_unexecuted(&mut self, run: &Run<'_, S::Op>, rest: &Rest<'_, S>) {
        for (who, op) in rest.pending {
            let outcome = rest.objects.outcomes(*who, op).first().copied().unwrap_or(-1);
            let touched = rest.objects.footprint(*who, op, outcome);
            for earlier in (0..run.taken.len()).rev() {
                let other = &run.taken[earlier].0;
                let known = run.clocks.last.get(*who).map_or(0, |c| c.get(other.who));
                let before = known >= run.clocks.number[earlier];
                if other.who != *who && !before && dependent(&other.touched, &touched) {
                    self.reverse(run, earlier, *who, op);
                }
            }
        }
    }

    /// `who` executes `op` before what was done at `earlier`.
    fn reverse(&mut self, run: &Run<'_, S::Op>, earlier: usize, who: Tid, op: &S::Op) {
        let first = run.taken[earlier].0.who;
        let node = run.path[earlier].node;
        let Some(mut objects) = self.get(node).map(|n| n.before.clone()) else { return };
        let mut sequence = Vec::new();
        let now = objects.now();
        for later in earlier + 1..run.taken.len() {
            // As long as the earlier one could go on, time would not have passed.
            if self.get(run.path[later].node).is_some_and(|n| n.before.now() != now) {
                break;
            }
            if !run.clocks.ordered(first, earlier, later) {
                let t = &run.taken[later].0;
                objects.advance(t.who, &t.op, t.outcome);
                sequence.push(t.clone());
            }
        }
        for outcome in objects.outcomes(who, op) {
            let touched = objects.footprint(who, op, outcome);
            let mut sequence = sequence.clone();
            sequence.push(Transition { who, outcome, op: op.clone(), touched });
            self.insert(node, sequence);
        }
    }
}

/// A run in the tree.
struct Run<'a, Op> {
    path: &'a [Place],
    taken: &'a [(Transition<Op>, Edges)],
    clocks: Clocks,
}

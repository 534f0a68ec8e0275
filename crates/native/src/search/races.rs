//! Races of a run, and the runs in which they end the other way.
//!
//! Two transitions race if they depend on each other and nothing but that orders them: the later one could have come first.
//! For each race, what does not depend on the earlier one, followed by the later one, is put into the wake-up tree of the
//! state before the earlier one, unless a sleeping transition already leads to the same runs.

use super::clocks::{Clocks, clocks};
use super::wakeup::{insert, weak_initial};
use super::{OpOf, Search, Semantics, Transition, World};
use crate::operation::{Tid, dependent};

impl<W: World> Search<'_, W> {
    pub(super) fn reverse_races(&mut self) {
        let clocks = clocks(&self.beginning, &self.path);
        for later in 1..self.path.len() {
            let Transition { who, op, touched, .. } = self.path[later].taken.clone();
            for earlier in (0..later).rev() {
                let other = &self.path[earlier].taken;
                let before = clocks.before[later].get(other.who) >= clocks.number[earlier];
                if other.who != who && !before && dependent(&other.touched, &touched) {
                    self.reverse(&clocks, earlier, who, &op);
                }
            }
        }
        self.reverse_with_the_unexecuted(&clocks);
    }

    /// Operations that threads are stuck on at the end, or that the end of a failing run left undone.
    fn reverse_with_the_unexecuted(&mut self, clocks: &Clocks) {
        let semantics = self.world.semantics().clone();
        for (who, op) in self.world.pending() {
            let outcome = semantics.outcomes(who, &op).first().copied().unwrap_or(-1);
            let touched = semantics.footprint(who, &op, outcome);
            for earlier in (0..self.path.len()).rev() {
                let other = &self.path[earlier].taken;
                let known = clocks.last.get(who).map_or(0, |c| c.get(other.who));
                if other.who != who && known < clocks.number[earlier] && dependent(&other.touched, &touched) {
                    self.reverse(clocks, earlier, who, &op);
                }
            }
        }
    }

    /// `who` executes `op` before what was done at `earlier`.
    fn reverse(&mut self, clocks: &Clocks, earlier: usize, who: Tid, op: &OpOf<W>) {
        let first = self.path[earlier].taken.who;
        let mut semantics = self.path[earlier].before.clone();
        let mut sequence = Vec::new();
        for later in earlier + 1..self.path.len() {
            if !clocks.ordered(first, earlier, later) {
                let t = &self.path[later].taken;
                semantics.advance(t.who, &t.op, t.outcome);
                sequence.push(t.clone());
            }
        }
        for outcome in semantics.outcomes(who, op) {
            let touched = semantics.footprint(who, op, outcome);
            let mut sequence = sequence.clone();
            sequence.push(Transition { who, outcome, op: op.clone(), touched });
            let node = &mut self.path[earlier];
            if !node.sleep.iter().any(|s| weak_initial(s, &sequence)) {
                insert(&mut node.branches, sequence);
            }
        }
    }
}

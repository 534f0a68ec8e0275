//! Races of a run, and the runs in which they end the other way.
//!
//! Two transitions race if they depend on each other and nothing but that orders them: the later
//! one could have come first. For each race, what does not depend on the earlier one, followed by
//! the later one, is put into the wake-up tree of the state before the earlier one, unless a
//! sleeping transition already leads to the same runs.
//!
//! Operations that block need more than the paper's. Two readers do not depend on each other, and
//! each of them keeps a writer out: the writer comes first only if both are left out. In a run that
//! is missing, take the first operation that depends on the earlier one of the race: what comes
//! before it does not, so that it is in the run at hand too, and what else is there and keeps the
//! operation from going on depends on that operation. So it is enough to leave out some of those,
//! with what comes after them.

use super::clocks::{Clock, Clocks, Happened, clocks};
use super::tree::{Place, Tree};
use super::{Edges, Semantics, Transition};
use objects::{Tid, dependent};

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
                let known = &run.clocks.before[later];
                let before = known.get(other.who) >= run.clocks.number[earlier];
                let races = || dependent(&other.touched, touched) || self.depended(&run, earlier, (*who, op));
                if other.who != *who && !before && races() {
                    self.reverse(&run, earlier, (*who, op), known);
                }
            }
        }
        self.reverse_with_the_unexecuted(&run, rest);
    }

    /// Operations that threads are blocked on at the end, or that the end of a failing run left
    /// undone.
    fn reverse_with_the_unexecuted(&mut self, run: &Run<'_, S::Op>, rest: &Rest<'_, S>) {
        let nothing = Clock::default();
        for (who, op) in rest.pending {
            let known = run.clocks.last.get(*who).unwrap_or(&nothing);
            let objects = self.last_alive(run, rest, op);
            let outcome = objects.outcomes(*who, op).first().copied().unwrap_or(-1);
            let touched = objects.touches(*who, op, outcome);
            for earlier in (0..run.taken.len()).rev() {
                let other = &run.taken[earlier].0;
                let before = known.get(other.who) >= run.clocks.number[earlier];
                let did = || self.depended(run, earlier, (*who, op));
                let races = || dependent(&other.touched, &touched) || did();
                if other.who != *who && !before && races() {
                    self.reverse(run, earlier, (*who, op), known);
                }
            }
        }
    }

    /// Whether an operation would have depended on what was done at `earlier`, had it come just
    /// before that, although it does not where it came: what it is on has become another object
    /// meanwhile. To leave that out is no help if the operation was not possible just before it.
    fn depended(&self, run: &Run<'_, S::Op>, earlier: usize, (who, op): (Tid, &S::Op)) -> bool {
        let Some(before) = self.get(run.path[earlier].node).and_then(|n| n.before.as_ref()) else {
            return false;
        };
        let touches = || {
            let outcome = before.outcomes(who, op).first().copied().unwrap_or(-1);
            before.touches(who, op, outcome)
        };
        before.shifts(op) && dependent(&run.taken[earlier].0.touched, &touches())
    }

    /// The objects when the process of an operation was last there: its end closes the files that
    /// the operation would touch.
    fn last_alive<'a>(&'a self, run: &Run<'_, S::Op>, rest: &Rest<'a, S>, op: &S::Op) -> &'a S {
        if rest.objects.lives(op) {
            return rest.objects;
        }
        let before = |at: &Place| self.get(at.node).and_then(|n| n.before.as_ref());
        run.path.iter().rev().filter_map(before).find(|s| s.lives(op)).unwrap_or(rest.objects)
    }

    /// `who` executes `op` before what was done at `earlier`, behind everything that does not
    /// depend on that. If it is not possible there, because others that do not depend on each other
    /// keep it from going on (readers of a lock), then also before some of these: as few as
    /// possible, and none of those that `who` already `knows`, without which it does not come to
    /// this operation.
    fn reverse(&mut self, run: &Run<'_, S::Op>, earlier: usize, (who, op): (Tid, &S::Op), knows: &Clock) {
        let first = run.taken[earlier].0.who;
        let node = run.path[earlier].node;
        let Some(before) = self.get(node).and_then(|n| n.before.clone()) else { return };
        let now = before.now();
        // As long as the earlier one could go on, time would not have passed.
        let then = |at: usize| self.get(run.path[at].node).and_then(|n| n.before.as_ref());
        let moment = |at: &usize| then(*at).is_none_or(|before| before.now() == now);
        let all = (earlier + 1..run.taken.len()).take_while(moment);
        let beside: Vec<usize> = all.filter(|later| !run.clocks.ordered(first, earlier, *later)).collect();
        let touched = before.touches(who, op, before.outcomes(who, op).first().copied().unwrap_or(-1));
        let keeps = |at: &usize| {
            let other = &run.taken[*at].0;
            knows.get(other.who) < run.clocks.number[*at] && dependent(&other.touched, &touched)
        };
        let keeping: Vec<usize> = beside.iter().copied().filter(keeps).collect();
        let mut enough: Vec<u32> = Vec::new();
        for without in 0..1_u32 << keeping.len().min(MOST_KEEPING) {
            if enough.iter().any(|fewer| without & fewer == *fewer) {
                continue;
            }
            let left_out = |at: &usize| {
                let after = |k: &usize| run.clocks.ordered(run.taken[*k].0.who, *k, *at);
                keeping.iter().enumerate().any(|(bit, k)| without & 1 << bit != 0 && k <= at && after(k))
            };
            let kept = beside.iter().filter(|at| !left_out(at)).map(|at| run.taken[*at].0.clone());
            if self.reverse_behind(node, &before, kept.collect(), (who, op)) {
                enough.push(without);
            }
        }
        if keeping.len() > MOST_KEEPING && enough != [0] {
            self.bounded = Some(KEPT);
        }
    }

    /// Puts in a sequence and an operation behind it, in all ways that are possible; whether there
    /// are any.
    fn reverse_behind(
        &mut self,
        node: usize,
        before: &S,
        sequence: Vec<Transition<S::Op>>,
        (who, op): (Tid, &S::Op),
    ) -> bool {
        let mut objects = before.clone();
        sequence.iter().for_each(|t| objects.advance(t.who, &t.op, t.outcome));
        let outcomes = objects.outcomes(who, op);
        for outcome in &outcomes {
            let touched = objects.touches(who, op, *outcome);
            let mut sequence = sequence.clone();
            sequence.push(Transition { who, outcome: *outcome, op: op.clone(), touched });
            self.insert(node, sequence);
        }
        !outcomes.is_empty()
    }
}

/// Up to this many that block one operation are looked at in all combinations.
const MOST_KEEPING: usize = 8;
const KEPT: &str = "more than 8 operations block another one, and not all orders of them were tried";

/// A run in the tree.
struct Run<'a, Op> {
    path: &'a [Place],
    taken: &'a [(Transition<Op>, Edges)],
    clocks: Clocks,
}

//! A failing run with fewer transitions and fewer changes of thread, equivalent to the one that was
//! found.
//!
//! What does not happen before the failing step is left out, unless the failure is that no thread
//! can move. The rest is put into another order that respects what depends on what: a thread goes
//! on as long as it can. Both keep the run what it was to every thread in it; that it fails in the
//! same way is nevertheless tried out before it is shown.

use super::clocks::{Clocks, Happened, clocks};
use super::{Kind, Transition, Violation};
use objects::Tid;
use std::collections::{BTreeMap, VecDeque};

/// The schedule of a violation, shortened.
pub fn shorten<Op: Clone, Known>(violation: &Violation<Op, Known>) -> Vec<Transition<Op>> {
    let happened: Vec<Happened<'_, Op>> = violation.schedule.iter().zip(&violation.edges).collect();
    let clocks = clocks(&violation.beginning, &happened);
    let before = |a: usize, b: usize| a != b && clocks.ordered(violation.schedule[a].who, a, b);
    // What is left of each thread. If anything of it comes before a step, then so does the first.
    let mut left: BTreeMap<Tid, VecDeque<usize>> = BTreeMap::new();
    for at in needed(violation, &clocks) {
        left.entry(violation.schedule[at].who).or_default().push_back(at);
    }
    let mut order: Vec<usize> = Vec::new();
    loop {
        let firsts: Vec<usize> = left.values().filter_map(|steps| steps.front().copied()).collect();
        let ready = |at: &usize| !firsts.iter().any(|other| before(*other, *at));
        let last = order.last().map(|at| violation.schedule[*at].who);
        let all = firsts.iter().copied().filter(ready);
        let Some(next) = all.min_by_key(|at| (Some(violation.schedule[*at].who) != last, *at)) else { break };
        left.get_mut(&violation.schedule[next].who).map(VecDeque::pop_front);
        order.push(next);
    }
    order.into_iter().map(|at| violation.schedule[at].clone()).collect()
}

/// The steps without which the last one would not be what it is.
fn needed<Op, Known>(violation: &Violation<Op, Known>, clocks: &Clocks) -> Vec<usize> {
    let all = 0..violation.schedule.len();
    let whole = matches!(violation.failure.kind, Kind::Deadlock | Kind::Livelock | Kind::Race);
    match violation.schedule.len().checked_sub(1).filter(|_| !whole) {
        Some(last) => all.filter(|at| clocks.ordered(violation.schedule[*at].who, *at, last)).collect(),
        None => all.collect(),
    }
}

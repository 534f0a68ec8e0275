//! A slice of work: how many queries an engine may ask before it has to let others work, and how
//! hard each may be.
//!
//! Slices are counted in queries, not in seconds, so that the same engines are tried in the same
//! order on a slow machine and on a fast one. The clock cuts a slice off only where single queries
//! are slow. Each round of slices is larger than the one before; an engine that was cut off begins
//! anew in the next round, which costs no more than a fraction of that round.

use super::TimedSolvers;
use logic::fol::Term;
use solve::{Answer, Assumption, Options, Solver};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How much an engine may do in a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) queries: u64,
    /// Of each query.
    pub(super) conflicts: u64,
    pub(super) query_time: Duration,
    pub(super) time: Duration,
    /// Of a search state by state.
    pub(super) states: u64,
}

/// One for each round.
pub(super) const ROUNDS: [Budget; 4] = [
    budget(300, 1_000, 300, 700, 2_000),
    budget(2_000, 10_000, 1_000, 2_500, 20_000),
    budget(10_000, 50_000, 5_000, 8_000, 100_000),
    budget(100_000, 50_000, 20_000, 30_000, 300_000),
];

const fn budget(queries: u64, conflicts: u64, query: u64, time: u64, states: u64) -> Budget {
    let (query_time, time) = (Duration::from_millis(query), Duration::from_millis(time));
    Budget { queries, conflicts, query_time, time, states }
}

/// The solvers, for as many queries as a slice has.
pub(super) struct Slice<'a> {
    inner: &'a TimedSolvers,
    left: AtomicU64,
    /// Raised when the slice is used up; engines look at it.
    used_up: Arc<AtomicBool>,
}

impl<'a> Slice<'a> {
    pub(super) fn new(inner: &'a TimedSolvers, budget: &Budget) -> Slice<'a> {
        Slice { inner, left: AtomicU64::new(budget.queries), used_up: Arc::default() }
    }

    /// How conditions are asked about within the slice.
    pub(super) fn options(&self, whole: &Options, budget: &Budget) -> Options {
        Options {
            conflicts: whole.conflicts.min(budget.conflicts),
            milliseconds: whole.milliseconds.min(budget.query_time.as_millis() as u64),
            cancel: self.used_up.clone(),
            ..whole.clone()
        }
    }
}

impl Solver for Slice<'_> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn check(&self, assumptions: &[Assumption], goal: &Term, options: &Options) -> Answer {
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if left.is_err() || self.inner.over().load(Ordering::Relaxed) {
            self.used_up.store(true, Ordering::Relaxed);
            return Answer::unknown(prover::OUT_OF_TIME);
        }
        self.inner.check(assumptions, goal, options)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Choice;
    use super::*;
    use crate::listener::Interrupt;

    #[test]
    fn a_slice_ends_after_its_queries() {
        let solvers = TimedSolvers::new(Choice::Embedded, None, Interrupt::default()).unwrap();
        let slice = Slice::new(&solvers, &budget(2, 100, 1_000, 1_000, 0));
        let options = slice.options(&Options::default(), &ROUNDS[0]);
        let truth = Term::truth(true);
        assert!(slice.check(&[], &truth, &options).is_valid());
        assert!(slice.check(&[], &truth, &options).is_valid());
        assert!(!slice.check(&[], &truth, &options).is_valid());
        assert!(options.is_cancelled());
    }
}

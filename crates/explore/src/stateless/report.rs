//! What a search found and counted.

use super::failure::Failure;
use super::{Edges, Transition};

/// A run in which something goes wrong.
#[derive(Clone, Debug)]
pub struct Violation<Op, Known> {
    /// What goes wrong.
    pub failure: Failure,
    /// Up to the step at which it failed.
    pub schedule: Vec<Transition<Op>>,
    /// Order between threads before the first step, and that which came with each.
    pub beginning: Edges,
    /// Order between threads that came with each step.
    pub edges: Vec<Edges>,
    /// What a world must know to execute the run again.
    pub known: Known,
}

/// What a search found, and how much it did.
#[derive(Clone, Debug)]
pub struct Report<Op, Known> {
    /// Runs in which all threads ended.
    pub terminated: u64,
    /// Runs in which no thread could move.
    pub deadlocks: u64,
    /// Runs that failed.
    pub failing: u64,
    /// Cut by sleep sets.
    pub blocked: u64,
    /// Ended where only a timeout could go on.
    pub expired: u64,
    /// Runs cut because they were too long.
    pub too_deep: u64,
    /// Failing runs that could not go on to their end.
    pub cut: u64,
    /// Transitions of the tree.
    pub explored: u64,
    /// Operations really executed, replays included.
    pub executed: u64,
    /// The most transitions of a run.
    pub depth: usize,
    /// Whether every run was seen, up to equivalence.
    pub exhausted: bool,
    /// Whether the search was stopped from outside.
    pub stopped: bool,
    /// Why not everything was seen.
    pub bounded: Option<String>,
    /// About which part of the tree was seen, of a search that was stopped.
    pub coverage: f64,
    /// One of each kind and message.
    pub violations: Vec<Violation<Op, Known>>,
    /// Failing runs that did not fail when they were executed again.
    pub unrepeated: Vec<Violation<Op, Known>>,
}

impl<Op, Known> Default for Report<Op, Known> {
    fn default() -> Self {
        Report {
            terminated: 0,
            deadlocks: 0,
            failing: 0,
            blocked: 0,
            expired: 0,
            too_deep: 0,
            cut: 0,
            explored: 0,
            executed: 0,
            depth: 0,
            exhausted: false,
            stopped: false,
            bounded: None,
            coverage: 0.0,
            violations: Vec::new(),
            unrepeated: Vec::new(),
        }
    }
}

impl<Op, Known> Report<Op, Known> {
    /// Complete runs: terminated, deadlocked, failing.
    pub fn runs(&self) -> u64 {
        self.terminated + self.deadlocks + self.failing
    }

    pub(super) fn all_runs(&self) -> u64 {
        self.runs() + self.blocked + self.expired
    }

    pub(super) fn bound(&mut self, why: String) {
        self.bounded.get_or_insert(why);
    }
}

//! What an answer took: the parts of [`crate::answer::Answer`] that count.

use crate::disk::DiskNumbers;
use crate::programs::{Estimate, Unrepeated};
use explore::{CacheStatistics, Losses};
use prover::Obligation;

/// What an answer took: the parts that there were.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// How long it took.
    pub seconds: f64,
    /// Of a search of states.
    pub search: Option<SearchNumbers>,
    /// What became of states, if they were kept in a cache.
    pub cache: Option<CacheStatistics>,
    /// What may have been missed, if states may be taken for others.
    pub losses: Option<Losses>,
    /// If states were kept on disk.
    pub disk: Option<DiskNumbers>,
    /// If the search was symbolic.
    pub diagrams: Option<Diagrams>,
    /// Of the runs of a program.
    pub runs: Option<RunNumbers>,
    /// Of proofs.
    pub proof: Option<ProofNumbers>,
}

/// What a search of states took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchNumbers {
    /// How many states were stored.
    pub states: u64,
    /// How many transitions were explored.
    pub transitions: u64,
    /// How long the longest path was.
    pub depth: u64,
    /// How much memory was in use at most.
    pub memory_bytes: u64,
}

/// What the exploration of a program took, and what it saw besides.
#[derive(Clone, Debug, Default)]
pub struct RunNumbers {
    /// Complete: terminated, deadlocked or failing.
    pub runs: u64,
    /// Runs in which all threads ended.
    pub terminated: u64,
    /// Runs in which no thread could move.
    pub deadlocks: u64,
    /// Runs that failed.
    pub failing: u64,
    /// Cut because another run covers them.
    pub blocked_runs: u64,
    /// Transitions of the tree of runs.
    pub explored: u64,
    /// Operations executed, replays included.
    pub executed: u64,
    /// The most transitions of a run.
    pub depth: u64,
    /// Runs that failed once, and not when they were executed again.
    pub unrepeated: Vec<Unrepeated>,
    /// What the program did that the scheduler does not control.
    pub uncontrolled: Vec<String>,
    /// What is shared and not seen: why, and what to do about it.
    pub unseen: Vec<String>,
    /// Whether the program ran in namespaces of its own.
    pub contained: bool,
    /// About which part of the tree was seen, if the search was stopped.
    pub coverage: Option<f64>,
    /// How large the tree of runs is, if it was asked for.
    pub estimate: Option<Estimate>,
}

/// What proofs took, and what was found on the way.
#[derive(Clone, Debug, Default)]
pub struct ProofNumbers {
    /// The solver and its version.
    pub solver: String,
    /// Invariants found, by kind.
    pub generated: Vec<(String, String)>,
    /// Indices within bounds, divisors that are not zero.
    pub types: Vec<Obligation>,
    /// The diagrams that proofs refer to.
    pub diagrams: Vec<system::fts::Diagram>,
    /// The abstraction that was made.
    pub abstraction: Option<Abstraction>,
    /// The diagrams that were derived.
    pub derived: Vec<Derived>,
}

/// A diagram that was derived for a property.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The property.
    pub property: String,
    /// What the text calls it: by its name, or by one that was made for a formula without one.
    pub stated: String,
    /// The diagram as a user would write it; or why there is none.
    pub text: Result<String, String>,
}

/// An abstract program in words.
#[derive(Clone, Debug, Default)]
pub struct Abstraction {
    /// Names and the assertions that they stand for.
    pub basis: Vec<(String, String)>,
    /// Numbers that are watched, each behind the truth values that say whether the last step made
    /// it smaller and whether it made it larger.
    pub watched: Vec<(String, String, String)>,
    /// Transitions, what they do, how fair they are.
    pub statements: Vec<(String, String, &'static str)>,
    /// The whole as a transition system.
    pub text: String,
}

/// What a search with decision diagrams took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diagrams {
    /// The most nodes at once.
    pub nodes: u64,
    /// Bits of a state.
    pub bits: u64,
}

impl Numbers {
    /// How many states were found a second, without those of a checkpoint.
    pub fn states_per_second(&self) -> f64 {
        let before = self.disk.as_ref().and_then(|disk| disk.resumed).unwrap_or_default();
        rate(self.search.unwrap_or_default().states.saturating_sub(before), self.seconds)
    }
}

impl SearchNumbers {
    /// How many transitions led to a state that was known.
    pub fn matched(&self) -> u64 {
        self.transitions.saturating_sub(self.states)
    }

    /// Of two searches, one after the other.
    pub(crate) fn and(self, other: SearchNumbers) -> SearchNumbers {
        SearchNumbers {
            states: self.states + other.states,
            transitions: self.transitions + other.transitions,
            depth: self.depth.max(other.depth),
            memory_bytes: self.memory_bytes.max(other.memory_bytes),
        }
    }

    /// How much memory a state takes.
    pub fn bytes_per_state(&self) -> f64 {
        if self.states == 0 { 0.0 } else { self.memory_bytes as f64 / self.states as f64 }
    }
}

impl From<&explore::Report> for SearchNumbers {
    fn from(report: &explore::Report) -> SearchNumbers {
        let explore::Report { states, transitions, depth, memory_bytes, .. } = *report;
        SearchNumbers { states, transitions, depth, memory_bytes }
    }
}

impl From<&explore::emptiness::Outcome> for SearchNumbers {
    fn from(outcome: &explore::emptiness::Outcome) -> SearchNumbers {
        let explore::emptiness::Outcome { states, transitions, depth, memory_bytes, .. } = *outcome;
        SearchNumbers { states, transitions, depth, memory_bytes }
    }
}

/// An estimate in as many digits as it deserves.
pub fn few(number: f64) -> String {
    match number {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 0.1 => format!("{n:.1}"),
        n if n > 0.0 => format!("{n:.0e}"),
        _ => "0".to_string(),
    }
}

/// How many in a second.
pub fn rate(count: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}

//! What a search found.

use crate::limits::Stop;
use crate::store::cache::CacheStatistics;
use crate::store::lossy::Losses;
use independence::FullExpansion;
use space::{Run, Undefined};
use std::collections::BTreeMap;

/// What a search found, and how much it did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Distinct states stored; with a cache, visits of states that were not in it.
    pub states: u64,
    /// Paths between stored states, and one for the initial state: stored + matched.
    pub transitions: u64,
    /// The deepest state, in stored states from the initial one.
    pub depth: u64,
    /// Of the store and the search's own stacks.
    pub memory_bytes: u64,
    /// `None` if everything reachable was seen.
    pub stopped: Option<Stop>,
    /// Distinct states without a move where some process may not rest.
    pub deadlocks: u64,
    /// Distinct states out of which an assertion fails.
    pub assertions: u64,
    /// Distinct states out of which another fault happens.
    pub faults: u64,
    /// One for each kind and place, in the order found.
    pub violations: Vec<Violation>,
    /// States in which a reduction left nothing out, and why.
    pub full_expansions: FullExpansions,
    /// What has no value, and ended the search.
    pub undefined: Option<Undefined>,
    /// An edge was left out because of a bound.
    pub cut: bool,
    /// What became of states, if there was a cache: then the same state may be counted several
    /// times.
    pub cache: Option<CacheStatistics>,
    /// What may have been missed, if states may be taken for others.
    pub losses: Option<Losses>,
}

/// How many states were fully expanded, for each reason not to reduce them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FullExpansions(BTreeMap<FullExpansion, u64>);

impl FullExpansions {
    /// Counts one more state.
    pub fn count(&mut self, full_expansion: FullExpansion) {
        *self.0.entry(full_expansion).or_default() += 1;
    }

    /// With those of another search.
    pub fn and(&self, other: &FullExpansions) -> FullExpansions {
        let mut both = self.clone();
        other.iter().for_each(|(full_expansion, count)| *both.0.entry(full_expansion).or_default() += count);
        both
    }

    /// The reasons, each with its number of states.
    pub fn iter(&self) -> impl Iterator<Item = (FullExpansion, u64)> {
        self.0.iter().map(|(full_expansion, count)| (*full_expansion, *count))
    }
}

/// A violation and the run that shows it.
#[derive(Clone, Debug)]
pub struct Violation {
    /// From the initial state.
    pub run: Run,
    /// Whether no shorter run (in stored states) shows a violation of this kind.
    pub shortest: bool,
}

//! What a search found.

use crate::limits::Stop;
use crate::store::cache::Account;
use system::Run;

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
    /// What became of states, if there was a cache: then the same state may be counted several times.
    pub cache: Option<Account>,
}

#[derive(Clone, Debug)]
pub struct Violation {
    pub run: Run,
    /// Whether no shorter run (in stored states) shows a violation of this kind.
    pub shortest: bool,
}

//! States inside atomic sequences that wait to be expanded: a stack of packed states in one buffer.
//!
//! Every path through an atomic sequence is followed, as SPIN does and counts. But a sequence may
//! come back to where it was, and then there is no end to its paths (SPIN runs on to its depth
//! limit): from the first time that is seen, each state inside is expanded only once. Where counts
//! need not be SPIN's, that is so as soon as there are many states: paths that meet are followed as
//! one.

use crate::pids::Pids;
use space::{Label, Step};
use std::collections::HashSet;
use system::Pid;

/// After this many atomic steps in a row, coming back to a state is looked for.
const PATIENCE: usize = 64;

#[derive(Clone, Default)]
pub struct Pending {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// How deep in its atomic sequence the state at work is.
    depth: usize,
    /// The states on a long way to the one at work, each with its depth and the process that has
    /// control.
    way: Vec<(usize, Pid, Vec<u8>)>,
    /// Filled once some path has come back: what was expanded since.
    expanded: HashSet<(Pid, Pids, Vec<u8>)>,
    /// Some path comes back to a state of its own.
    pub endless: bool,
    /// Paths that meet may be followed as one.
    joins: bool,
    /// How many states were taken since the sequence began.
    taken: usize,
    /// Room for the state at work.
    pub current: Vec<u8>,
}

#[derive(Clone)]
struct Entry {
    start: usize,
    depth: usize,
    reached: Reached,
}

/// How a state inside an atomic sequence was reached.
#[derive(Clone)]
pub struct Reached {
    /// The process that has control.
    pub pid: Pid,
    /// How the step began.
    pub label: Label,
    /// Who has moved on the way to it, if that is recorded.
    pub movers: Pids,
    /// The steps to it, if they are recorded.
    pub steps: Vec<Step>,
}

impl Pending {
    pub fn new(joins: bool) -> Pending {
        Pending { joins, ..Pending::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn push(&mut self, state: &[u8], reached: Reached) {
        self.entries.push(Entry { start: self.bytes.len(), depth: self.depth + 1, reached });
        self.bytes.extend_from_slice(state);
    }

    /// Moves the latest state to `state`; gives how it was reached.
    pub fn pop(&mut self, state: &mut Vec<u8>) -> Option<Reached> {
        let entry = self.entries.pop()?;
        state.clear();
        state.extend_from_slice(&self.bytes[entry.start..]);
        self.bytes.truncate(entry.start);
        self.depth = entry.depth;
        Some(entry.reached)
    }

    /// Whether there is no need to expand the state at work: all it leads to is seen elsewhere.
    pub fn comes_back(&mut self, pid: Pid, movers: Pids, state: &[u8]) -> bool {
        self.taken += 1;
        let joins = self.endless || self.joins && self.taken > PATIENCE;
        if !joins && self.depth < PATIENCE {
            return false;
        }
        let before = self.way.iter().rposition(|(depth, ..)| *depth < self.depth);
        self.way.truncate(before.map_or(0, |at| at + 1));
        let known = joins && !self.expanded.insert((pid, movers, state.to_vec()));
        if known || !joins {
            self.endless |= self.way.iter().any(|(_, p, s)| *p == pid && s == state);
        }
        if !known && (joins || !self.endless) {
            self.way.push((self.depth, pid, state.to_vec()));
        }
        if joins { known } else { self.endless }
    }

    pub fn forget_way(&mut self) {
        self.depth = 0;
        self.way.clear();
        self.expanded.clear();
        self.endless = false;
        self.taken = 0;
    }
}

//! A breadth-first search that keeps what it saw: every state, in the order in which it was found,
//! who found it first, and the edges if they are wanted, with what their stepper notes of them.
//!
//! States are expanded in batches, side by side if there are several workers (`batch`); what
//! they lead to is taken in in the order of the states. So the states, their numbers, the edges and
//! the runs do not depend on how many workers there are.
//!
//! *Joins*: states with one key are one, and grow; a state that has grown is expanded again, behind
//! those that wait already. Nothing is recorded of edges then: a state that grows after its edges
//! were found would make them say too much.

mod batch;
mod finished;
mod search;

use crate::limits::{Limits, Listener, Stop};
use crate::report::Report;
use crate::store::joined::Joined;
use crate::store::{Inserted, StateId, Store, hash};
pub use finished::{Finished, Found, Lasso, Noted, accepted, number};
use search::Search;
use space::{Edges, FaultAt, Joins, Label, Rest, Stepper};
use std::ops::ControlFlow;

/// What a search keeps, and how it goes about it.
#[derive(Clone, Copy, Default)]
pub struct Recording<'a> {
    /// How much it may use.
    pub limits: Limits,
    /// What is kept.
    pub keep: Keep,
    /// Whether `asks` and `meets` are wanted; kept if edges are.
    pub fairness: bool,
    /// Which states are one; `None` if each is its own.
    pub joins: Option<&'a dyn Joins>,
    /// On how many threads, and how often it is reported.
    pub pace: Pace,
}

/// What a recorded search keeps besides its report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// States alone.
    #[default]
    States,
    /// Edges in the order of the stepper.
    Edges,
    /// The same, sorted by target; edges that agree in everything are one.
    DistinctEdges,
}

/// How many states are looked at between other things.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// As many are expanded at a time, if there are several workers.
    pub batch: usize,
    /// Fewer are not worth sharing.
    pub worth_sharing: usize,
    /// As many between two looks at the limits.
    pub look: usize,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { batch: 512, worth_sharing: 64, look: 64 }
    }
}

/// Looks on while a search records.
pub trait Visitor {
    /// Whether an edge is taken in; otherwise it is left out for a bound.
    fn admits(&mut self, _: &Edges, _: usize) -> bool {
        true
    }

    /// The edge has led to a new state.
    fn stored(&mut self, _: &Edges, _: usize) {}

    /// Looks at a state and everything it leads to, once that is taken in; may end the search.
    fn expanded(&mut self, _: &Recorded, _: usize, _: &Edges) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

/// Nothing in particular.
impl Visitor for () {}

/// The states of a search that has ended.
#[derive(Default)]
pub struct Recorded {
    states: States,
    /// Who found each state, by an edge with which label; an initial one itself.
    parents: Vec<(StateId, Label)>,
    depths: Vec<u32>,
    /// The initial states, in the order of the stepper; one may be there twice.
    pub initial: Vec<StateId>,
    /// Of each state that was expanded: where its edges end, and whether it may rest besides.
    ends: Vec<(usize, Rest)>,
    edges: Vec<Kept>,
    /// Rows of each state and each edge.
    asks: Vec<u64>,
    meets: Vec<u64>,
    words: usize,
    notes: Notes,
    /// The first fault of each kind that did not end the search, and in which state; an initial
    /// state has it by itself.
    pub faults: Vec<FaultIn>,
    /// A state with a fault that ends the search.
    pub faulty: Option<usize>,
    /// What the search counted.
    pub report: Report,
}

/// An edge that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept {
    /// The state it leads to.
    pub to: StateId,
    /// What is done on it.
    pub label: Label,
    /// The number of its note.
    pub note: u32,
}

/// A fault of a state or of an edge out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultIn {
    /// The state.
    pub state: StateId,
    /// Where runs begin, before any step.
    pub initial: bool,
    /// What the fault is.
    pub at: FaultAt,
}

enum States {
    Exact(Store),
    Joined(Joined),
}

struct Notes(Store);

impl Default for States {
    fn default() -> States {
        States::Exact(Store::small())
    }
}

impl Default for Notes {
    fn default() -> Notes {
        Notes(Store::small())
    }
}

impl States {
    fn len(&self) -> usize {
        match self {
            States::Exact(store) => store.len(),
            States::Joined(joined) => joined.len(),
        }
    }

    fn get(&self, id: StateId) -> &[u8] {
        match self {
            States::Exact(store) => store.get(id),
            States::Joined(joined) => joined.get(id),
        }
    }

    fn memory_bytes(&self) -> u64 {
        match self {
            States::Exact(store) => store.memory_bytes(),
            States::Joined(joined) => joined.memory_bytes(),
        }
    }

    /// The number of a state, and whether it has grown. Unless there is room a new one is not
    /// taken.
    fn insert(&mut self, state: &[u8], joins: Option<&dyn Joins>, room: bool) -> (Option<Inserted>, bool) {
        match (self, joins) {
            (States::Joined(joined), Some(joins)) => joined.insert(state, joins, room),
            (States::Joined(_), None) => (None, false),
            (States::Exact(store), _) => {
                let hash = hash(state);
                let known = if room { None } else { store.find(state, hash).map(Inserted::Known) };
                (known.or_else(|| room.then(|| store.insert(state, hash))), false)
            }
        }
    }
}

/// Searches everything reachable. Each worker is a copy of the same stepper.
pub fn record<S: Stepper + Send>(workers: &mut [S], limits: Limits, watch: &mut impl Listener) -> Recorded {
    record_as(workers, &Recording { limits, ..Recording::default() }, &mut (), watch)
}

/// The same, in a way of one's own.
pub fn record_as<S: Stepper + Send>(
    workers: &mut [S],
    how: &Recording<'_>,
    visitor: &mut impl Visitor,
    watch: &mut (impl Listener + ?Sized),
) -> Recorded {
    let states = match how.joins {
        Some(_) => States::Joined(Joined::default()),
        None => States::default(),
    };
    let mut recorded =
        Search::new(how, visitor, watch, Recorded { states, ..Recorded::default() }).run(workers);
    recorded.report.states = recorded.len() as u64;
    recorded.report.memory_bytes = recorded.memory_bytes();
    recorded
}

impl Recorded {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The packed states, in the order in which they were found.
    pub fn states(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|id| self.state(id))
    }

    /// The bytes of a state, by its number.
    pub fn state(&self, number: usize) -> &[u8] {
        self.states.get(number as StateId)
    }

    /// Whether everything reachable was seen.
    pub fn is_complete(&self) -> bool {
        self.report.stopped.is_none() && !self.report.cut
    }

    /// Whether the edges of all states are kept.
    pub fn has_edges(&self) -> bool {
        self.ends.len() == self.len()
    }

    /// The numbers of the edges out of a state, if they are kept.
    fn range(&self, state: usize) -> std::ops::Range<usize> {
        let end = |n: usize| self.ends.get(n).map_or(self.edges.len(), |(end, _)| *end);
        (if state == 0 { 0 } else { end(state - 1) })..end(state)
    }

    /// The edges out of a state, if they are kept.
    pub fn edges(&self, state: usize) -> &[Kept] {
        &self.edges[self.range(state)]
    }

    /// What the stepper noted of an edge.
    pub fn note(&self, edge: &Kept) -> &[u8] {
        self.notes.0.get(edge.note)
    }

    /// All notes, by number.
    pub fn notes(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.notes.0.len()).map(|id| self.notes.0.get(id as StateId))
    }

    /// The state that found one first, and the label of the edge; none of an initial one.
    pub fn parent(&self, state: usize) -> Option<(usize, Label)> {
        let (parent, label) = self.parents[state];
        (parent as usize != state).then_some((parent as usize, label))
    }

    /// The numbers of the states on a shortest path to one, itself last.
    pub fn way_to(&self, state: usize) -> Vec<usize> {
        let mut way: Vec<usize> =
            std::iter::successors(Some(state), |at| Some(self.parent(*at)?.0)).collect();
        way.reverse();
        way
    }

    /// The states on a shortest path to one, itself last.
    pub fn path_to(&self, state: usize) -> Vec<&[u8]> {
        self.way_to(state).into_iter().map(|at| self.state(at)).collect()
    }

    fn memory_bytes(&self) -> u64 {
        let found = 16 * self.parents.capacity() + 4 * self.depths.capacity() + 16 * self.ends.capacity();
        let edges = 24 * self.edges.capacity() + 8 * (self.asks.capacity() + self.meets.capacity());
        self.states.memory_bytes() + self.notes.0.memory_bytes() + (found + edges) as u64
    }

    /// The k-th edge as it is kept.
    fn kept(&mut self, edges: &Edges, k: usize, to: StateId) -> Kept {
        let note = edges.note(k);
        let note = match self.notes.0.insert(note, hash(note)) {
            Inserted::New(id) | Inserted::Known(id) => id,
            Inserted::Full => 0,
        };
        Kept { to, label: edges.labels[k], note }
    }

    fn push(&mut self, edge: Kept, met: &[u64]) {
        self.edges.push(edge);
        self.meets.extend_from_slice(met);
    }

    /// Keeps the edges of the state that is next, given where each leads.
    fn keep(&mut self, keep: Keep, edges: &Edges, rest: Rest, targets: &[(usize, StateId)]) {
        let first = self.edges.len();
        if edges.wants_fairness {
            self.words = edges.words;
            self.asks.extend_from_slice(&edges.asks);
        }
        if keep == Keep::DistinctEdges {
            let kept = |(k, to): &(usize, StateId)| (self.kept(edges, *k, *to), edges.met(*k));
            let mut found: Vec<(Kept, &[u64])> = targets.iter().map(kept).collect();
            found.sort_unstable();
            found.dedup();
            found.into_iter().for_each(|(edge, met)| self.push(edge, met));
        } else {
            for (k, to) in targets {
                let edge = self.kept(edges, *k, *to);
                self.push(edge, edges.met(*k));
            }
        }
        // What was left out for a bound is no reason to rest.
        let rest = if edges.cut && self.edges.len() == first { Rest::Enabled } else { rest };
        self.ends.push((self.edges.len(), rest));
    }
}

#[cfg(test)]
mod tests;

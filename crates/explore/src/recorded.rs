//! A breadth-first search that keeps what it saw: every state, in the order in which it was found, who found it first, and the edges
//! if they are wanted, with what their stepper notes of them.
//!
//! States are expanded in batches, side by side if there are several workers ([`mod@batch`]); what they lead to is taken in in the
//! order of the states. So the states, their numbers, the edges and the runs do not depend on how many workers there are.
//!
//! *Joins*: states with one key are one, and grow; a state that has grown is expanded again, behind those that wait already. Nothing
//! is recorded of edges then: a state that grows after its edges were found would make them say too much.

mod batch;
mod finished;

use crate::limits::{Limits, Progress, Stop, Watch};
use crate::report::Report;
use crate::store::joined::Joined;
use crate::store::{Inserted, StateId, Store, hash};
use batch::Batch;
pub use finished::{Finished, Found, Lasso, Noted, accepted};
use space::{Edges, FaultAt, Joins, Label, Rest, Stepper};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// What a search keeps, and how it goes about it.
#[derive(Clone, Copy, Default)]
pub struct Recording<'a> {
    pub limits: Limits,
    pub keep: Keep,
    /// Whether `asks` and `meets` are wanted; kept if edges are.
    pub fairness: bool,
    /// Which states are one; `None` if each is its own.
    pub joins: Option<&'a dyn Joins>,
    pub pace: Pace,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
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
    /// The first fault of each kind that did not end the search, and in which state; an initial state has it by itself.
    pub faults: Vec<FaultIn>,
    /// A state with a fault that ends the search.
    pub faulty: Option<usize>,
    pub report: Report,
}

/// An edge that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept {
    pub to: StateId,
    pub label: Label,
    /// The number of its note.
    pub note: u32,
}

/// A fault of a state or of an edge out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultIn {
    pub state: StateId,
    /// Where runs begin, before any step.
    pub initial: bool,
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

    /// The number of a state, and whether it has grown. Unless there is room a new one is not taken.
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
pub fn record<S: Stepper + Send>(workers: &mut [S], limits: Limits, watch: &mut impl Watch) -> Recorded {
    record_as(workers, &Recording { limits, ..Recording::default() }, &mut (), watch)
}

/// The same, in a way of one's own.
pub fn record_as<S: Stepper + Send>(
    workers: &mut [S],
    how: &Recording<'_>,
    visitor: &mut impl Visitor,
    watch: &mut (impl Watch + ?Sized),
) -> Recorded {
    let states = match how.joins {
        Some(_) => States::Joined(Joined::default()),
        None => States::default(),
    };
    let recorded = Recorded { states, ..Recorded::default() };
    let mut search = Search { how, visitor, watch, recorded, queue: VecDeque::new(), waits: Vec::new() };
    if let ControlFlow::Break(stop) = search.run(workers) {
        search.recorded.report.stopped = Some(stop);
    }
    let mut recorded = search.recorded;
    recorded.report.states = recorded.len() as u64;
    recorded.report.memory_bytes = recorded.memory_bytes();
    recorded
}

struct Search<'a, V, W: ?Sized> {
    how: &'a Recording<'a>,
    visitor: &'a mut V,
    watch: &'a mut W,
    recorded: Recorded,
    queue: VecDeque<StateId>,
    /// Whether each state waits to be expanded.
    waits: Vec<bool>,
}

impl Recorded {
    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The packed states, in the order in which they were found.
    pub fn states(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|id| self.state(id))
    }

    pub fn state(&self, number: usize) -> &[u8] {
        self.states.get(number as StateId)
    }

    /// Whether everything reachable was seen.
    pub fn is_complete(&self) -> bool {
        self.report.stopped.is_none() && !self.report.cut
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

    /// Keeps the edges of the state that is next, given where each leads.
    fn keep(&mut self, keep: Keep, edges: &Edges, rest: Rest, targets: &[(usize, StateId)]) {
        let first = self.edges.len();
        if edges.wants_fairness {
            self.words = edges.words;
            self.asks.extend_from_slice(&edges.asks);
        }
        let mut found: Vec<(Kept, &[u64])> = Vec::with_capacity(targets.len());
        for (k, to) in targets {
            let note = edges.note(*k);
            let note = match self.notes.0.insert(note, hash(note)) {
                Inserted::New(id) | Inserted::Known(id) => id,
                Inserted::Full => 0,
            };
            found.push((Kept { to: *to, label: edges.labels[*k], note }, edges.met(*k)));
        }
        if keep == Keep::DistinctEdges {
            found.sort_unstable();
            found.dedup();
        }
        for (edge, met) in found {
            self.edges.push(edge);
            self.meets.extend_from_slice(met);
        }
        // What was left out for a bound is no reason to rest.
        let rest = if edges.cut && self.edges.len() == first { Rest::Enabled } else { rest };
        self.ends.push((self.edges.len(), rest));
    }
}

impl<V: Visitor, W: Watch + ?Sized> Search<'_, V, W> {
    /// States are expanded in the order in which they were found. With several workers, what a batch of states leads to is taken in
    /// while the next batch is being expanded; with joins a state that is expanded early may have to be expanded again, so
    /// there are few at a time.
    fn run<S: Stepper + Send>(&mut self, workers: &mut [S]) -> ControlFlow<Stop> {
        let Some(first) = workers.first_mut() else { return ControlFlow::Continue(()) };
        let mut initial = Edges { wants_fairness: false, ..Edges::default() };
        first.initial(&mut initial);
        self.take(None, &mut initial, Rest::Enabled)?;
        let Pace { batch, worth_sharing, .. } = self.how.pace;
        let (mut done, mut next) = (Batch::default(), Batch::default());
        while !(self.queue.is_empty() && done.is_empty()) {
            let shared = workers.len() > 1 && self.queue.len() >= worth_sharing;
            let size = match done.is_empty() {
                _ if shared && self.how.joins.is_none() => batch,
                true if shared => 2 * workers.len(),
                true => 1,
                false => 0,
            };
            next.fill(size, self.how.fairness, &mut self.queue, &self.recorded.states);
            next.expand(workers, |worker| self.take_all(worker, &done))?;
            std::mem::swap(&mut done, &mut next);
        }
        ControlFlow::Continue(())
    }

    /// Takes in what the states of a batch lead to.
    fn take_all(&mut self, worker: &mut impl Stepper, batch: &Batch) -> ControlFlow<Stop> {
        for (state, seen, expansion) in batch.iter() {
            let mut expansion = batch::held(expansion);
            // With joins an earlier one may have changed it.
            if self.how.joins.is_some() && self.recorded.states.get(state) != seen {
                expansion.expand(worker, self.recorded.states.get(state));
            }
            self.waits[state as usize] = false;
            let rest = expansion.rest;
            self.take(Some(state), &mut expansion.edges, rest)?;
            self.visitor.expanded(&self.recorded, state as usize, &expansion.edges)?;
            if (state as usize).is_multiple_of(self.how.pace.look) {
                self.look()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes in what a state leads to; without a state, where everything begins.
    fn take(&mut self, from: Option<StateId>, edges: &mut Edges, rest: Rest) -> ControlFlow<Stop> {
        if let Some(undefined) = edges.undefined.take() {
            self.recorded.report.undefined = Some(undefined);
            return ControlFlow::Break(Stop::Undefined);
        }
        if let (Some(from), Some(_)) = (from, edges.fatal()) {
            self.recorded.faulty = Some(from as usize);
            return ControlFlow::Break(Stop::Violation);
        }
        let keep = self.how.keep != Keep::States && self.how.joins.is_none() && from.is_some();
        let mut targets: Vec<(usize, StateId)> = Vec::new();
        for k in 0..edges.len() {
            if from.is_some() && !self.visitor.admits(edges, k) {
                edges.cut = true;
                continue;
            }
            self.recorded.report.transitions += 1;
            let to = self.enter(from, edges, k)?;
            match from {
                None => self.recorded.initial.push(to),
                Some(_) if keep => targets.push((k, to)),
                Some(_) => {}
            }
        }
        self.recorded.report.cut |= edges.cut;
        if keep {
            self.recorded.keep(self.how.keep, edges, rest, &targets);
        }
        self.note_faults(from, &edges.faults);
        ControlFlow::Continue(())
    }

    /// The number of the state that an edge leads to.
    fn enter(&mut self, from: Option<StateId>, edges: &Edges, k: usize) -> ControlFlow<Stop, StateId> {
        let recorded = &mut self.recorded;
        let room = self.how.limits.states.is_none_or(|limit| (recorded.len() as u64) < limit);
        let (inserted, grown) = recorded.states.insert(edges.get(k), self.how.joins, room);
        match inserted {
            None => ControlFlow::Break(Stop::States),
            Some(Inserted::Full) => ControlFlow::Break(Stop::Memory),
            Some(Inserted::Known(id)) => {
                if grown && !std::mem::replace(&mut self.waits[id as usize], true) {
                    self.queue.push_back(id);
                }
                ControlFlow::Continue(id)
            }
            Some(Inserted::New(id)) => {
                recorded.parents.push((from.unwrap_or(id), edges.labels[k]));
                let depth = from.map_or(0, |from| recorded.depths[from as usize] + 1);
                recorded.depths.push(depth);
                recorded.report.depth = recorded.report.depth.max(u64::from(depth));
                self.queue.push_back(id);
                self.waits.push(true);
                self.visitor.stored(edges, k);
                ControlFlow::Continue(id)
            }
        }
    }

    fn note_faults(&mut self, from: Option<StateId>, faults: &[FaultAt]) {
        for at in faults {
            if self.recorded.faults.iter().any(|known| known.at.fault == at.fault) {
                continue;
            }
            let initial = || self.recorded.initial.get(at.place as usize).copied();
            if let Some(state) = from.or_else(initial) {
                self.recorded.faults.push(FaultIn { state, initial: from.is_none(), at: *at });
            }
        }
    }

    fn look(&mut self) -> ControlFlow<Stop> {
        let memory_bytes = self.recorded.memory_bytes();
        if self.how.limits.memory.is_some_and(|limit| memory_bytes > limit) {
            return ControlFlow::Break(Stop::Memory);
        }
        self.watch.look(&Progress {
            states: self.recorded.len() as u64,
            transitions: self.recorded.report.transitions,
            depth: self.recorded.report.depth,
            memory_bytes,
            cache: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;
    use space::{Fault, Label, Rest, Step, Undefined, Which};

    /// Numbers below 1000: each leads to its double and to its successor.
    struct Numbers;

    impl Stepper for Numbers {
        fn initial(&mut self, out: &mut Edges) {
            out.push(&1u32.to_le_bytes(), Label(0));
        }

        fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
            let n = u32::from_le_bytes([state[0], state[1], state[2], state[3]]);
            out.undefined = (n == 999).then(|| Undefined("no thousand".to_string()));
            for next in [2 * n, n + 1].into_iter().filter(|next| *next < 1000) {
                out.push(&next.to_le_bytes(), Label(0));
            }
            Rest::Enabled
        }

        fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<Step>> {
            None
        }

        fn describe(&self, _: Fault) -> String {
            String::new()
        }
    }

    fn all(workers: usize, limits: Limits) -> Recorded {
        let mut workers: Vec<Numbers> = (0..workers).map(|_| Numbers).collect();
        record(&mut workers, limits, &mut Unwatched)
    }

    #[test]
    fn many_workers_see_what_one_sees() {
        let one = all(1, Limits::default());
        assert_eq!(one.len(), 999);
        assert_eq!(one.report.stopped, Some(Stop::Undefined));
        for workers in [2, 3, 8] {
            let many = all(workers, Limits::default());
            assert!(many.states().eq(one.states()));
            assert_eq!(many.parents, one.parents);
            assert_eq!(many.report.transitions, one.report.transitions);
            assert_eq!(many.report.depth, one.report.depth);
        }
        let path: Vec<u8> = one.path_to(6).iter().map(|state| state[0]).collect();
        assert_eq!(one.path_to(6).len(), path.len());
        assert!(path.windows(2).all(|w| w[1] == 2 * w[0] || w[1] == w[0] + 1), "{path:?}");
    }

    #[test]
    fn a_limit_of_states_is_exact() {
        let some = all(3, Limits { states: Some(100), ..Limits::default() });
        assert_eq!((some.len(), some.report.stopped), (100, Some(Stop::States)));
    }
}

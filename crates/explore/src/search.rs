//! Exhaustive search: every state reachable, once.
//!
//! Depth-first search expands a state at once: all edges are made, hashed, prefetched and looked up
//! together, and the new ones go on a stack with their depth. The first entry popped of depth d was
//! pushed by the state now at depth d-1 of `path`, so the path to any state at work is at hand
//! without parent pointers. Breadth-first search takes states in the order of their numbers and
//! keeps a parent for each; its runs are the shortest.

use crate::findings::Findings;
use crate::limits::{Limits, Progress, Stop, Watch};
use crate::reduction::Patience;
use crate::report::Report;
use crate::store::{Inserted, StateId, Store, hash};
use space::{Edges, Fault, FaultAt, Rest, Stepper};
use std::ops::ControlFlow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    DepthFirst,
    BreadthFirst,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub order: Order,
    /// Do not stop at the first violation.
    pub keep_going: bool,
    pub limits: Limits,
    /// Which kinds of violation are looked for.
    pub deadlocks: bool,
    pub assertions: bool,
    pub faults: bool,
    /// Keep at most this many states, if that is possible (thesis, section 8.4); for selective
    /// searches.
    pub cache: Option<usize>,
    /// When a selective search gives up looking for small sets; never if there is none.
    pub patience: Option<Patience>,
}

impl Default for Options {
    fn default() -> Self {
        let order = Order::DepthFirst;
        let limits = Limits::default();
        let (deadlocks, assertions, faults) = (true, true, true);
        Options {
            order,
            keep_going: false,
            limits,
            deadlocks,
            assertions,
            faults,
            cache: None,
            patience: None,
        }
    }
}

impl Options {
    /// Whether a violation looked for is among these.
    pub(crate) fn looks_for(&self, rest: Rest, faults: &[FaultAt]) -> bool {
        let wanted = |f: &FaultAt| if f.fault == Fault::Assertion { self.assertions } else { self.faults };
        rest == Rest::Deadlock && self.deadlocks || faults.iter().any(wanted)
    }
}

/// Explores everything reachable.
pub fn search(stepper: &mut impl Stepper, options: &Options, watch: &mut impl Watch) -> Report {
    let mut search = Search::new(options);
    let mut initial = Edges::default();
    stepper.initial(&mut initial);
    if let Some(fault) = initial.fatal() {
        return search.findings.no_initial_state(fault.fault);
    }
    search.findings.report.cut = initial.cut;
    if let Some(undefined) = initial.undefined.take() {
        return search.findings.undefined(undefined);
    }
    for state in initial.iter() {
        search.admit(state, hash(state), None);
    }
    let flow = match options.order {
        Order::DepthFirst => search.depth_first(stepper, watch),
        Order::BreadthFirst => search.breadth_first(stepper, watch),
    };
    if let ControlFlow::Break(stop) = flow {
        search.findings.report.stopped = Some(stop);
    }
    search.finish()
}

struct Search<'a> {
    options: &'a Options,
    store: Store,
    findings: Findings<'a>,
    edges: Edges,
    hashes: Vec<u64>,
    /// Depth-first: states to expand with their depths.
    stack: Vec<(StateId, u32)>,
    path: Vec<StateId>,
    /// Breadth-first: who found each state.
    parents: Vec<StateId>,
    next_look: u64,
    /// Some state found no room.
    overflowed: bool,
}

/// How many states lie between two looks at the watch.
const LOOK_EVERY: u64 = 4096;

impl<'a> Search<'a> {
    fn new(options: &'a Options) -> Self {
        Search {
            options,
            store: Store::default(),
            findings: Findings::new(options),
            edges: Edges::default(),
            hashes: Vec::new(),
            stack: Vec::new(),
            path: Vec::new(),
            parents: Vec::new(),
            next_look: 0,
            overflowed: false,
        }
    }

    /// Counts a transition into `state`; its number if it is new.
    fn admit(&mut self, state: &[u8], hash: u64, parent: Option<StateId>) -> Option<StateId> {
        self.findings.report.transitions += 1;
        match self.store.insert(state, hash) {
            Inserted::New(id) => {
                match self.options.order {
                    Order::DepthFirst => self.stack.push((id, self.path.len() as u32)),
                    Order::BreadthFirst => self.parents.push(parent.unwrap_or(id)),
                }
                Some(id)
            }
            Inserted::Known(_) => None,
            Inserted::Full => {
                self.overflowed = true;
                None
            }
        }
    }

    fn depth_first(&mut self, stepper: &mut impl Stepper, watch: &mut impl Watch) -> ControlFlow<Stop> {
        let mut truncated = false;
        while let Some((id, depth)) = self.stack.pop() {
            self.path.truncate(depth as usize);
            self.path.push(id);
            self.findings.report.depth = self.findings.report.depth.max(u64::from(depth));
            if self.options.limits.depth.is_some_and(|limit| u64::from(depth) >= limit) {
                truncated = true;
                continue;
            }
            self.expand(stepper, id)?;
            self.look(watch)?;
        }
        if truncated { ControlFlow::Break(Stop::Depth) } else { ControlFlow::Continue(()) }
    }

    fn breadth_first(&mut self, stepper: &mut impl Stepper, watch: &mut impl Watch) -> ControlFlow<Stop> {
        let mut level_end = self.store.len();
        let mut id = 0;
        while (id as usize) < self.store.len() {
            if id as usize == level_end {
                level_end = self.store.len();
                self.findings.report.depth += 1;
            }
            if self.options.limits.depth.is_some_and(|limit| self.findings.report.depth >= limit) {
                return ControlFlow::Break(Stop::Depth);
            }
            self.expand(stepper, id)?;
            self.look(watch)?;
            id += 1;
        }
        ControlFlow::Continue(())
    }

    fn expand(&mut self, stepper: &mut impl Stepper, id: StateId) -> ControlFlow<Stop> {
        let mut edges = std::mem::take(&mut self.edges);
        edges.clear();
        let rest = stepper.expand(self.store.get(id), &mut edges);
        self.hashes.clear();
        for state in edges.iter() {
            let hash = hash(state);
            self.store.prefetch(hash);
            self.hashes.push(hash);
        }
        for hash in &self.hashes {
            self.store.prefetch_state(*hash);
        }
        for (k, state) in edges.iter().enumerate() {
            self.admit(state, self.hashes[k], Some(id));
        }
        self.findings.report.cut |= edges.cut;
        if let Some(undefined) = edges.undefined.take() {
            self.findings.report.undefined = Some(undefined);
            return ControlFlow::Break(Stop::Undefined);
        }
        let found = if rest == Rest::Deadlock || !edges.faults.is_empty() {
            let path = self.path_to(id);
            let states = || path.iter().map(|id| self.store.get(*id)).collect();
            self.findings.note(stepper, rest, &edges.faults, states)
        } else {
            ControlFlow::Continue(())
        };
        self.edges = edges;
        found
    }

    fn path_to(&self, id: StateId) -> Vec<StateId> {
        if self.options.order == Order::DepthFirst {
            return self.path.clone();
        }
        let mut path = vec![id];
        let mut at = id;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
            path.push(at);
        }
        path.reverse();
        path
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.store.len() as u64,
            transitions: self.findings.report.transitions,
            depth: self.findings.report.depth,
            memory_bytes: self.memory_bytes(),
            cache: None,
        }
    }

    fn memory_bytes(&self) -> u64 {
        let own = self.stack.capacity() * 8 + (self.path.capacity() + self.parents.capacity()) * 4;
        self.store.memory_bytes() + own as u64
    }

    /// Holds the search against its limits and shows it to the watcher, now and then.
    fn look(&mut self, watch: &mut impl Watch) -> ControlFlow<Stop> {
        let states = self.store.len() as u64;
        let limits = &self.options.limits;
        if self.overflowed {
            return ControlFlow::Break(Stop::Memory);
        }
        if limits.states.is_some_and(|limit| states > limit) {
            return ControlFlow::Break(Stop::States);
        }
        if states < self.next_look && !self.findings.report.transitions.is_multiple_of(LOOK_EVERY) {
            return ControlFlow::Continue(());
        }
        self.next_look = states + LOOK_EVERY;
        limits.show(&self.progress(), watch)
    }

    fn finish(self) -> Report {
        let memory_bytes = self.memory_bytes();
        let mut report = self.findings.report;
        report.states = self.store.len() as u64;
        report.memory_bytes = memory_bytes;
        let shortest = self.options.order == Order::BreadthFirst;
        report.violations.iter_mut().for_each(|v| v.shortest = shortest);
        report
    }
}

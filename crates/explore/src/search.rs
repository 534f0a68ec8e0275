//! Exhaustive search: every state reachable, once.
//!
//! Depth-first search expands a state at once: all edges are made, encoded, prefetched and looked
//! up together, and the new ones go on a stack with their depth. The first entry popped of depth d
//! was pushed by the state now at depth d-1 of `path`, so the path to any state at work is at hand
//! without parent pointers. Breadth-first search takes states in the order of their numbers,
//! several of a level together; who found each takes two bits (`parents.rs`). Its runs are the
//! shortest. A `Team` of several steppers takes many states of a level at once (`levels.rs`).

use crate::findings::Findings;
use crate::limits::{Limits, Listener, Progress, Stop};
use crate::memo::{Known, Memo};
use crate::parents::Parents;
use crate::reduction::Patience;
use crate::report::Report;
use crate::store::coder::{Apart, Key};
use crate::store::lately::Lately;
use crate::store::packed::{Keys, Packed, hash};
use crate::store::{Inserted, Keep, StateId};
use space::{Edges, Fault, FaultAt, Label, Rest, Stepper};
use std::ops::{ControlFlow, Range};

/// The order in which states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The newest state first.
    DepthFirst,
    /// Level by level.
    BreadthFirst,
}

/// What a search looks for, and how.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The order of expansion.
    pub order: Order,
    /// Do not stop at the first violation.
    pub keep_going: bool,
    /// How much it may use.
    pub limits: Limits,
    /// Which kinds of violation are looked for.
    pub deadlocks: bool,
    /// Assertions that fail.
    pub assertions: bool,
    /// Run-time errors.
    pub faults: bool,
    /// What is kept of states; for selective searches.
    pub keep: Keep,
    /// Take steps in an order drawn with this seed, and hash with it; for selective searches
    /// without sleep sets.
    pub shuffle: Option<u64>,
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
            keep: Keep::All,
            shuffle: None,
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
pub fn search(stepper: &mut impl Stepper, options: &Options, watch: &mut impl Listener) -> Report {
    run(&mut Alone(stepper), options, watch)
}

/// Those who search.
pub(crate) trait Team {
    type Stepper: Stepper;

    /// The one who searches where only one does.
    fn lead(&mut self) -> &mut Self::Stepper;

    /// Expands states of one level together, from the first of these numbers on, as many as it
    /// likes: the number of the next state. Nothing if there are not enough to share.
    fn window(
        &mut self,
        _: &mut Search<'_>,
        _: Range<usize>,
        _: &mut impl Listener,
    ) -> Option<ControlFlow<Stop, usize>> {
        None
    }
}

struct Alone<'s, S>(&'s mut S);

impl<S: Stepper> Team for Alone<'_, S> {
    type Stepper = S;

    fn lead(&mut self) -> &mut S {
        self.0
    }
}

/// Explores everything reachable, by a team.
pub(crate) fn run(team: &mut impl Team, options: &Options, watch: &mut impl Listener) -> Report {
    let stepper = team.lead();
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
    search.begin(stepper, &initial);
    let flow = match options.order {
        Order::DepthFirst => search.depth_first(stepper, watch),
        Order::BreadthFirst => search.breadth_first(team, watch),
    };
    if let ControlFlow::Break(stop) = flow {
        search.findings.report.stopped = Some(stop);
    }
    search.finish()
}

pub(crate) struct Search<'a> {
    pub options: &'a Options,
    pub store: Packed,
    pub findings: Findings<'a>,
    pub memo: Memo,
    edges: Edges,
    labels: Vec<Label>,
    /// The state at work.
    apart: Apart,
    /// Keys of what the state at work leads to.
    edges_to: Vec<Key>,
    /// Those of all states of the batch without what came up lately; by state, how many edges it
    /// has, and how many of these keys.
    keys: Vec<Key>,
    counts: Vec<(usize, usize)>,
    lately: Lately,
    /// Depth-first: states to expand with their depths.
    stack: Vec<(StateId, u32)>,
    path: Vec<StateId>,
    /// Breadth-first: who found each state.
    pub parents: Parents,
    /// Bytes that a team uses besides.
    pub beside: u64,
    next_look: u64,
    /// Some state found no room.
    overflowed: bool,
}

/// How many states lie between two looks at the watch.
const LOOK_EVERY: u64 = 4096;

/// How many states of a level are expanded before what they lead to is looked up: by then the
/// memory for that is near.
const BATCH: usize = 16;

impl<'a> Search<'a> {
    fn new(options: &'a Options) -> Self {
        Search {
            options,
            store: Packed::default(),
            findings: Findings::new(options),
            memo: Memo::default(),
            edges: Edges::default(),
            labels: Vec::new(),
            apart: Apart::default(),
            edges_to: Vec::new(),
            keys: Vec::new(),
            counts: Vec::new(),
            lately: Lately::default(),
            stack: Vec::new(),
            path: Vec::new(),
            parents: Parents::default(),
            beside: 0,
            next_look: 0,
            overflowed: false,
        }
    }

    fn begin(&mut self, stepper: &impl Stepper, initial: &Edges) {
        for state in initial.iter() {
            self.findings.report.transitions += 1;
            let key = self.store.key_of(state, stepper);
            if let Inserted::New(id) = self.store.insert(key) {
                self.stack.push((id, 0));
            }
        }
        self.parents = Parents::new(self.store.len());
        self.forget();
    }

    /// Forgets what was known of keys, since there are others.
    fn forget(&mut self) {
        self.memo.forget();
        if self.store.len() > 0 {
            self.lately.reset(self.store.key(0));
        }
    }

    fn depth_first(&mut self, stepper: &mut impl Stepper, watch: &mut impl Listener) -> ControlFlow<Stop> {
        let mut truncated = false;
        while let Some((id, depth)) = self.stack.pop() {
            self.path.truncate(depth as usize);
            self.path.push(id);
            self.findings.report.depth = self.findings.report.depth.max(u64::from(depth));
            if self.options.limits.depth.is_some_and(|limit| u64::from(depth) >= limit) {
                truncated = true;
                continue;
            }
            let rest = loop {
                match self.expand(stepper, id) {
                    Some(rest) => break rest,
                    None => self.widen(),
                }
            };
            self.admit()?;
            self.note(stepper, id, rest)?;
            self.look(watch)?;
        }
        if truncated { ControlFlow::Break(Stop::Depth) } else { ControlFlow::Continue(()) }
    }

    fn breadth_first(&mut self, team: &mut impl Team, watch: &mut impl Listener) -> ControlFlow<Stop> {
        let mut level_end = self.store.len();
        let mut next = 0;
        while next < self.store.len() {
            if next == level_end {
                level_end = self.store.len();
                self.findings.report.depth += 1;
            }
            if self.options.limits.depth.is_some_and(|limit| self.findings.report.depth >= limit) {
                return ControlFlow::Break(Stop::Depth);
            }
            next = match team.window(self, next..level_end, watch) {
                Some(flow) => flow?,
                None => self.batch(team.lead(), next, (next + BATCH).min(level_end))?,
            };
            self.look(watch)?;
        }
        ControlFlow::Continue(())
    }

    /// Expands states, up to one with which something is wrong or for which keys must be widened;
    /// the number of the next state.
    fn batch(&mut self, stepper: &mut impl Stepper, from: usize, to: usize) -> ControlFlow<Stop, usize> {
        for id in from..to {
            let Some(rest) = self.expand(stepper, id as StateId) else {
                self.admit()?;
                self.widen();
                return ControlFlow::Continue(id);
            };
            let edges = &self.edges;
            if rest == Rest::Deadlock || !edges.faults.is_empty() || edges.undefined.is_some() {
                self.admit()?;
                self.note(stepper, id as StateId, rest)?;
                return ControlFlow::Continue(id + 1);
            }
        }
        self.admit()?;
        ControlFlow::Continue(to)
    }

    pub fn widen(&mut self) {
        self.store.widen();
        self.forget();
    }

    /// Makes the edges of a state and the keys of what they lead to. Nothing if keys must be
    /// widened for that, after those of the states before it were used.
    fn expand(&mut self, stepper: &mut impl Stepper, id: StateId) -> Option<Rest> {
        self.edges.clear();
        self.labels.clear();
        self.edges_to.clear();
        let key = self.store.key(id);
        let known = self.memo.expand(&mut self.store, stepper, key, &mut self.edges_to, &mut self.labels);
        let rest = match known {
            Known::Edges => Rest::Enabled,
            Known::Outgrown => return None,
            Known::Whole => {
                self.store.open(id, &mut self.apart);
                let rest = stepper.expand(&self.apart.bytes, &mut self.edges);
                if !self.store.try_keys(&self.apart, &self.edges, stepper, &mut self.edges_to) {
                    return None;
                }
                rest
            }
        };
        self.findings.report.cut |= self.edges.cut;
        self.gather();
        Some(rest)
    }

    /// Adds what the state at work leads to to the batch, unless it came up lately: then it is
    /// stored or in the batch already.
    fn gather(&mut self) {
        let before = self.keys.len();
        for key in &self.edges_to {
            let hash = hash(*key);
            if !self.lately.has(*key, hash) {
                self.store.prefetch_line(hash);
                self.keys.push(*key);
            }
        }
        self.counts.push((self.edges_to.len(), self.keys.len() - before));
    }

    /// Stores what the states of the batch lead to, in order. The limit of states holds after each
    /// of them; after the last, [`Search::look`] sees to it.
    fn admit(&mut self) -> ControlFlow<Stop> {
        for key in &self.keys {
            self.store.prefetch(*key);
        }
        let mut keys = self.keys.iter();
        let depth = self.path.len() as u32;
        for (k, (edges, count)) in self.counts.iter().enumerate() {
            if k > 0 && self.options.limits.states.is_some_and(|limit| self.store.len() as u64 > limit) {
                return ControlFlow::Break(Stop::States);
            }
            let before = self.store.len();
            self.findings.report.transitions += *edges as u64;
            for key in keys.by_ref().take(*count) {
                match self.store.insert(*key) {
                    Inserted::New(id) if self.options.order == Order::DepthFirst => {
                        self.stack.push((id, depth))
                    }
                    Inserted::New(_) | Inserted::Known(_) => {}
                    Inserted::Full => self.overflowed = true,
                }
            }
            if self.options.order == Order::BreadthFirst {
                self.parents.expanded(self.store.len() - before);
            }
        }
        self.keys.clear();
        self.counts.clear();
        ControlFlow::Continue(())
    }

    /// Notes what is wrong with a state that was expanded last.
    fn note(&mut self, stepper: &mut impl Stepper, id: StateId, rest: Rest) -> ControlFlow<Stop> {
        if let Some(undefined) = self.edges.undefined.take() {
            self.findings.report.undefined = Some(undefined);
            return ControlFlow::Break(Stop::Undefined);
        }
        if rest != Rest::Deadlock && self.edges.faults.is_empty() {
            return ControlFlow::Continue(());
        }
        let path = || match self.options.order {
            Order::DepthFirst => self.path.iter().map(|id| self.store.get(*id)).collect(),
            Order::BreadthFirst => {
                self.parents.path_to(id).into_iter().map(|id| self.store.get(id)).collect::<Vec<_>>()
            }
        };
        self.findings.note(stepper, rest, &self.edges.faults, path)
    }

    pub fn progress(&self) -> Progress {
        Progress {
            states: self.store.len() as u64,
            transitions: self.findings.report.transitions,
            depth: self.findings.report.depth,
            memory_bytes: self.memory_bytes(),
            cache: None,
        }
    }

    fn memory_bytes(&self) -> u64 {
        let own = (self.stack.capacity() * 8 + self.path.capacity() * 4) as u64;
        let known = self.memo.memory_bytes() + self.lately.memory_bytes() + self.beside;
        self.store.memory_bytes() + known + self.parents.memory_bytes() + own
    }

    /// Holds the search against its limits and shows it to the watcher, now and then.
    fn look(&mut self, watch: &mut impl Listener) -> ControlFlow<Stop> {
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

//! Selective search: persistent sets, sleep sets and the proviso (thesis, Figures 4.1, 5.2 and 6.2).
//!
//! A true depth-first search: `frames` is the thesis' *Stack*. All successors of a state are made at once, which tells
//! what is enabled; those of a persistent set that do not sleep are put into the store and become the edges of a frame,
//! each with the sleep set it will be visited with. So a state of the store may still wait for its visit;
//! when the search is over, none does.
//!
//! * **Sleep sets** are kept with states and shrink (Figure 5.2, lines 11–13): a state that comes again with less asleep
//!   is expanded again by what has woken up.
//! * **The proviso** (Definition 6.2): a persistent set must have a step that does not sleep and does not lead to the
//!   stack; other sets are tried before everything enabled is taken. A state on the stack that comes again with less asleep
//!   waits until it is backtracked (Figure 6.2, `delay`).
//! * A step that ends in a fatal fault leads nowhere, so it counts for the proviso like one that leads to the stack.
//!   Faults of steps that are not selected are reported all the same: they are there.
//!
//! Without the proviso a search with persistent sets decides about deadlocks only (Example 6.1); sleep sets
//! alone see every state (Theorem 5.4).

use super::persistent::{Sets, members};
use super::sleep::{Sleep, SleepId};
use crate::findings::Findings;
use crate::limits::{Progress, Stop, Watch};
use crate::report::Report;
use crate::search::Options;
use crate::store::{Inserted, StateId, Store, hash};
use std::collections::HashMap;
use std::ops::ControlFlow;
use system::independence::{Label, Method, Set};
use system::objects::Dependency;
use system::stepper::{Rest, Selective, Successors};

/// What is left out of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// How persistent sets are computed, if they are used.
    pub persistent: Option<Method>,
    pub sleep: bool,
    pub proviso: bool,
}

impl Reduction {
    /// The dependency relation of sleep sets.
    fn dependency(&self) -> Dependency {
        self.persistent.map_or(Dependency::Conditional, |method| method.dependency)
    }
}

/// Explores a part of what is reachable, as much as the reduction asks for. The stepper must be prepared.
pub fn selective_search(
    stepper: &mut impl Selective,
    options: &Options,
    reduction: Reduction,
    watch: &mut impl Watch,
) -> Report {
    let mut search = Search::new(options, reduction);
    let initial = match stepper.initial() {
        Ok(initial) => initial,
        Err(fault) => return search.findings.stillborn(fault),
    };
    search.findings.report.transitions = 1;
    let first = search.store.insert(&initial, hash(&initial));
    let flow = match first {
        Inserted::New(id) | Inserted::Known(id) => {
            search.grow();
            search.run(stepper, id, watch)
        }
        Inserted::Full => ControlFlow::Break(Stop::Memory),
    };
    if let ControlFlow::Break(stop) = flow {
        search.findings.report.stopped = Some(stop);
    }
    search.finish()
}

/// A state on the stack; its edges are `edges[next..end]`.
struct Frame {
    id: StateId,
    first: usize,
    next: usize,
}

struct Search<'a> {
    options: &'a Options,
    reduction: Reduction,
    findings: Findings<'a>,
    store: Store,
    sleep: Sleep,
    /// By state: whether it was visited.
    visited: Vec<bool>,
    /// By state: how often it is on the stack.
    on_stack: Vec<u8>,
    /// By state: what sleeps there, the thesis' H(s).Sleep.
    sleeping: Vec<SleepId>,
    frames: Vec<Frame>,
    path: Vec<StateId>,
    edges: Vec<(StateId, SleepId)>,
    delayed: HashMap<StateId, Vec<SleepId>>,
    successors: Successors,
    /// By successor: its state.
    targets: Vec<StateId>,
    sets: Sets,
    truncated: bool,
    next_look: u64,
}

/// How many states lie between two looks at the watch.
const LOOK_EVERY: u64 = 4096;

impl<'a> Search<'a> {
    fn new(options: &'a Options, reduction: Reduction) -> Self {
        Search {
            options,
            reduction,
            findings: Findings::new(options),
            store: Store::default(),
            sleep: Sleep::default(),
            visited: Vec::new(),
            on_stack: Vec::new(),
            sleeping: Vec::new(),
            frames: Vec::new(),
            path: Vec::new(),
            edges: Vec::new(),
            delayed: HashMap::new(),
            successors: Successors::default(),
            targets: Vec::new(),
            sets: Sets::default(),
            truncated: false,
            next_look: 0,
        }
    }

    /// Room for what is kept with each state.
    fn grow(&mut self) {
        let count = self.store.len();
        self.visited.resize(count, false);
        self.on_stack.resize(count, 0);
        self.sleeping.resize(count, 0);
    }

    fn run(
        &mut self,
        stepper: &mut impl Selective,
        initial: StateId,
        watch: &mut impl Watch,
    ) -> ControlFlow<Stop> {
        self.visit(stepper, initial, 0)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.next < self.edges.len() {
                let (target, asleep) = self.edges[frame.next];
                frame.next += 1;
                self.follow(stepper, target, asleep)?;
                self.look(watch)?;
            } else {
                self.backtrack(stepper)?;
            }
        }
        if self.truncated { ControlFlow::Break(Stop::Depth) } else { ControlFlow::Continue(()) }
    }

    /// An edge is taken: lines 19–28 of Figure 6.2.
    fn follow(
        &mut self,
        stepper: &mut impl Selective,
        target: StateId,
        asleep: SleepId,
    ) -> ControlFlow<Stop> {
        self.findings.report.transitions += 1;
        let at = target as usize;
        if self.visited[at] && self.sleep.is_subset(self.sleeping[at], asleep) {
            return ControlFlow::Continue(());
        }
        if self.on_stack[at] > 0 && self.reduction.proviso {
            self.delayed.entry(target).or_default().push(asleep);
            return ControlFlow::Continue(());
        }
        self.visit(stepper, target, asleep)
    }

    /// The state on top is done: lines 31–36.
    fn backtrack(&mut self, stepper: &mut impl Selective) -> ControlFlow<Stop> {
        let Some(frame) = self.frames.pop() else { return ControlFlow::Continue(()) };
        self.edges.truncate(frame.first);
        self.path.pop();
        let here = &mut self.on_stack[frame.id as usize];
        *here = here.saturating_sub(1);
        while self.on_stack[frame.id as usize] == 0
            && let Some(asleep) = self.take_delayed(frame.id)
        {
            self.visit(stepper, frame.id, asleep)?;
        }
        ControlFlow::Continue(())
    }

    fn take_delayed(&mut self, id: StateId) -> Option<SleepId> {
        let waiting = self.delayed.get_mut(&id)?;
        let asleep = waiting.pop();
        if asleep.is_none() {
            self.delayed.remove(&id);
        }
        asleep
    }

    /// Visits a state: lines 8–17, and puts what must be explored from it on the stack.
    fn visit(&mut self, stepper: &mut impl Selective, id: StateId, asleep: SleepId) -> ControlFlow<Stop> {
        let at = id as usize;
        let again = self.visited[at];
        if again && self.sleep.is_subset(self.sleeping[at], asleep) {
            return ControlFlow::Continue(());
        }
        let depth = self.frames.len() as u64;
        if self.options.limits.depth.is_some_and(|limit| depth >= limit) {
            self.truncated = true;
            return ControlFlow::Continue(());
        }
        self.findings.report.depth = self.findings.report.depth.max(depth);
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        let rest = stepper.expand(self.store.get(id), &mut successors);
        self.path.push(id);
        self.on_stack[at] = self.on_stack[at].saturating_add(1);
        let first = self.edges.len();
        let reducible = stepper.situate(self.store.get(id), &successors);
        let base = if again {
            let woken = self.sleep.difference(self.sleeping[at], asleep);
            self.sleeping[at] = self.sleep.intersection(asleep, self.sleeping[at]);
            self.select(&successors, |label| woken.binary_search(&label).is_ok());
            self.sleeping[at]
        } else {
            self.visited[at] = true;
            self.findings.report.states += 1;
            self.sleeping[at] = asleep;
            self.choose(stepper, &successors, asleep, reducible);
            asleep
        };
        self.add_edges(stepper, &successors, base, reducible);
        self.frames.push(Frame { id, first, next: first });
        let found = if !again && (rest == Rest::Deadlock || !successors.faults.is_empty()) {
            self.findings.note(stepper, &self.store, &self.path, rest, &successors.faults)
        } else {
            ControlFlow::Continue(())
        };
        self.successors = successors;
        found
    }

    /// Marks the successors to be explored: `targets` has their states, and nothing for the others.
    fn select(&mut self, successors: &Successors, wanted: impl Fn(Label) -> bool) {
        self.targets.clear();
        for (state, label) in successors.iter().zip(&successors.labels) {
            let target = if wanted(*label) { self.admit(state) } else { NOT_SELECTED };
            self.targets.push(target);
        }
    }

    fn admit(&mut self, state: &[u8]) -> StateId {
        match self.store.insert(state, hash(state)) {
            Inserted::New(id) => {
                self.grow();
                id
            }
            Inserted::Known(id) => id,
            Inserted::Full => NOT_SELECTED,
        }
    }

    /// Selects a persistent set that satisfies the proviso, without what sleeps.
    fn choose(
        &mut self,
        stepper: &mut impl Selective,
        successors: &Successors,
        asleep: SleepId,
        reducible: bool,
    ) {
        let sleeping: Vec<Label> = self.sleep.get(asleep).to_vec();
        let sleeps = |label: &Label| sleeping.binary_search(label).is_ok();
        let (Some(method), true) = (self.reduction.persistent, reducible) else {
            return self.select(successors, |label| !sleeps(&label));
        };
        let enabled = stepper.enabled();
        if enabled.count_ones() < 2 {
            return self.select(successors, |label| !sleeps(&label));
        }
        // By successor: its choice, if it does not sleep.
        let awake: Vec<(Set, usize)> = successors
            .labels
            .iter()
            .enumerate()
            .filter(|(_, label)| !sleeps(label))
            .map(|(k, label)| (choice(stepper, *label), k))
            .collect();
        let mut sets = std::mem::take(&mut self.sets);
        let weight = |set: Set| awake.iter().filter(|(choice, _)| set & choice != 0).count() as u32;
        let proviso = self.reduction.proviso;
        let goes_on = |set: Set| {
            !proviso
                || awake.iter().any(|(choice, k)| set & choice != 0 && !self.leads_to_stack(successors, *k))
        };
        let starts = self.starts(enabled, &awake, successors);
        let set = sets.each(stepper, method, starts.into_iter(), weight, goes_on);
        self.sets = sets;
        let nodes: Vec<_> = members(set).map(|at| stepper.nodes()[at]).collect();
        self.select(successors, |label| !sleeps(&label) && nodes.contains(&label.node()));
    }

    /// Starting choices, those first that lead to states known already: of sets alike, one that adds no state is better.
    fn starts(&self, enabled: Set, awake: &[(Set, usize)], successors: &Successors) -> Vec<usize> {
        let new = awake.iter().filter(|(_, k)| {
            let state = successor(successors, *k);
            self.store.find(state, hash(state)).is_none()
        });
        let new = new.fold(0, |set, (choice, _)| set | choice);
        members(enabled & !new).chain(members(enabled & new)).collect()
    }

    fn leads_to_stack(&self, successors: &Successors, k: usize) -> bool {
        let state = successor(successors, k);
        self.store.find(state, hash(state)).is_some_and(|id| self.on_stack[id as usize] > 0)
    }

    /// Lines 18–20 and 29: each selected successor with what will sleep there.
    fn add_edges(
        &mut self,
        stepper: &mut impl Selective,
        successors: &Successors,
        base: SleepId,
        reducible: bool,
    ) {
        if !self.reduction.sleep || !reducible {
            let selected = self.targets.iter().filter(|t| **t != NOT_SELECTED);
            return self.edges.extend(selected.map(|t| (*t, 0)));
        }
        let mut taken: Vec<Label> = self.sleep.get(base).to_vec();
        for (k, target) in self.targets.iter().enumerate().filter(|(_, t)| **t != NOT_SELECTED) {
            let label = successors.labels[k];
            let by = self.reduction.dependency();
            let mut asleep: Vec<Label> =
                taken.iter().copied().filter(|other| stepper.independent(label, *other, by)).collect();
            self.edges.push((*target, self.sleep.number(&mut asleep)));
            if taken.last() != Some(&label) {
                taken.push(label);
            }
        }
    }

    fn memory_bytes(&self) -> u64 {
        let per_state = self.visited.capacity() + self.on_stack.capacity() + 4 * self.sleeping.capacity();
        let stacks = 24 * self.frames.capacity() + 4 * self.path.capacity() + 8 * self.edges.capacity();
        self.store.memory_bytes() + self.sleep.memory_bytes() + (per_state + stacks) as u64
    }

    /// Holds the search against its limits and shows it to the watcher, now and then.
    fn look(&mut self, watch: &mut impl Watch) -> ControlFlow<Stop> {
        let states = self.findings.report.states;
        let limits = &self.options.limits;
        if self.store.is_full() {
            return ControlFlow::Break(Stop::Memory);
        }
        if limits.states.is_some_and(|limit| states > limit) {
            return ControlFlow::Break(Stop::States);
        }
        let transitions = self.findings.report.transitions;
        if states < self.next_look && !transitions.is_multiple_of(LOOK_EVERY) {
            return ControlFlow::Continue(());
        }
        self.next_look = states + LOOK_EVERY;
        let memory_bytes = self.memory_bytes();
        if limits.memory.is_some_and(|limit| memory_bytes > limit) {
            return ControlFlow::Break(Stop::Memory);
        }
        watch.look(&Progress { states, transitions, depth: self.findings.report.depth, memory_bytes })
    }

    fn finish(self) -> Report {
        let memory_bytes = self.memory_bytes();
        Report { memory_bytes, ..self.findings.report }
    }
}

fn successor(successors: &Successors, k: usize) -> &[u8] {
    let start = if k == 0 { 0 } else { successors.ends[k - 1] };
    &successors.bytes[start..successors.ends[k]]
}

const NOT_SELECTED: StateId = StateId::MAX;

/// The choice that a step begins with.
fn choice(stepper: &impl Selective, label: Label) -> Set {
    let node = label.node();
    stepper.nodes().iter().position(|n| *n == node).map_or(0, |at| 1 << at)
}

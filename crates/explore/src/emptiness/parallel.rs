//! Strongly connected components on the fly by several threads, for every acceptance.
//!
//! After Bloemen, Laarman and van de Pol (*Multi-core on-the-fly SCC decomposition*, 2016) and, for
//! acceptance, Bloemen, Duret-Lutz and van de Pol (*Explicit state model checking with generalized
//! Büchi and Rabin automata*, 2017). Every thread searches depth-first from the initial states, in
//! an order of its own, and finds cycles against its own path; what is known to be one component is
//! one set in [`Sets`], for all. A state whose edges all lead into its own set or into dead sets
//! is done; a thread at the root of its part goes on with states of the set that are not done,
//! whichever thread found them. When none is left the set is a whole component, and dead.
//!
//! Acceptance. Marks of an edge inside a set are added to the set before the edge's source is
//! done, so a dead set has all marks of its component, and the one thread that completes it decides
//! it, by refinement if there are pairs. A set that counts earlier by its marks is examined at
//! once; since other threads may be in the midst of a merge this is a guess: only a part that
//! [`accepting_part`] finds in the graph itself is an answer. A guess that fails is made again when
//! the set has doubled.
//!
//! The first thread that has searched everything ends it for all: then all that is reachable is
//! dead. Costs: 32 bytes a state, and as many for marks as they take; a state may be expanded by
//! more than one thread.

use super::component::Component;
use super::graph::{Graph, Outcome};
use super::lasso;
use super::marks::unite;
use super::meter::Meter;
use super::refine::{Part, accepting_part};
use super::sets::{Claim, Pick, Sets};
use super::space::Space;
use crate::limits::{Limits, Listener, NoListener, Progress, Stop};
use crate::store::StateId;
use crate::store::shared::SharedStore;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// As many threads as a set of visitors has bits.
const MOST_THREADS: usize = 64;

pub(super) fn search<G: Graph>(
    make: impl Fn() -> G + Sync,
    threads: usize,
    limits: Limits,
    watch: &mut impl Listener,
) -> Outcome {
    let mut graph = make();
    let store = SharedStore::default();
    let shared = Shared::new(&store, graph.acceptance().words());
    thread::scope(|scope| {
        for number in 1..threads.min(MOST_THREADS) as u32 {
            let (make, shared) = (&make, &shared);
            scope.spawn(move || {
                let mut graph = make();
                let mut unwatched = NoListener;
                let mut meter = Meter::new(limits, &mut unwatched);
                Worker::new(&mut graph, shared, number).work(&mut meter);
            });
        }
        Worker::new(&mut graph, &shared, 0).work(&mut Meter::new(limits, watch));
    });
    let progress = shared.progress();
    let found = shared.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let stopped = shared.stopped.into_inner().unwrap_or_else(PoisonError::into_inner);
    let truncated = shared.truncated.into_inner().then_some(Stop::Depth);
    let lasso = found
        .as_ref()
        .map(|(component, part)| lasso::lasso(&mut Space::new(&mut graph, &store), component, part));
    let stopped = if lasso.is_some() { None } else { stopped.or(truncated) };
    Outcome::new(lasso, stopped, &progress)
}

/// What the threads share.
struct Shared<'s> {
    store: &'s SharedStore,
    sets: Sets,
    /// Some thread knows the answer, or must stop.
    over: AtomicBool,
    found: Mutex<Option<(Component, Part)>>,
    stopped: Mutex<Option<Stop>>,
    truncated: AtomicBool,
    transitions: AtomicU64,
    depth: AtomicU64,
    /// Bytes that threads have for themselves.
    own: AtomicU64,
}

impl<'s> Shared<'s> {
    fn new(store: &'s SharedStore, words: usize) -> Self {
        Shared {
            store,
            sets: Sets::new(words),
            over: AtomicBool::new(false),
            found: Mutex::new(None),
            stopped: Mutex::new(None),
            truncated: AtomicBool::new(false),
            transitions: AtomicU64::new(0),
            depth: AtomicU64::new(0),
            own: AtomicU64::new(0),
        }
    }

    fn progress(&self) -> Progress {
        let shared = self.store.memory_bytes() + self.sets.memory_bytes();
        Progress {
            states: self.store.len() as u64,
            transitions: self.transitions.load(Relaxed),
            depth: self.depth.load(Relaxed),
            memory_bytes: shared + self.own.load(Relaxed),
            cache: None,
        }
    }
}

struct Worker<'g, 's, G> {
    space: Space<'g, G, &'s SharedStore>,
    shared: &'s Shared<'s>,
    number: u32,
    path: Vec<Frame>,
    /// For each place of the path, the marks of the edge to it.
    into: Vec<u64>,
    roots: Vec<Root>,
    /// Edges not followed yet, those of the last state of the path on top: target and marks.
    pending: Vec<StateId>,
    pending_marks: Vec<u64>,
    /// Edges of the state at hand into known sets.
    known: Vec<usize>,
    /// How large the last set was that was examined in vain.
    in_vain: usize,
    depth: usize,
    /// What of `transitions` and of own memory the others know of.
    told: (u64, u64),
}

struct Frame {
    state: StateId,
    /// How many of its edges are pending.
    pending: u32,
}

/// A state of the thread's path at which a part begins that the thread knows to be strongly
/// connected.
struct Root {
    state: StateId,
    /// Its place in the path.
    depth: usize,
}

/// To stop, because of oneself or of others; why is in [`Shared`].
type Flow = ControlFlow<()>;

impl<'g, 's, G: Graph> Worker<'g, 's, G> {
    fn new(graph: &'g mut G, shared: &'s Shared<'s>, number: u32) -> Self {
        Worker {
            space: Space::new(graph, shared.store),
            shared,
            number,
            path: Vec::new(),
            into: Vec::new(),
            roots: Vec::new(),
            pending: Vec::new(),
            pending_marks: Vec::new(),
            known: Vec::new(),
            in_vain: 0,
            depth: 0,
            told: (0, 0),
        }
    }

    fn work(&mut self, meter: &mut Meter<impl Listener>) {
        let flow = self.run(meter);
        self.tell();
        if flow.is_continue() {
            self.shared.over.store(true, Relaxed);
        }
    }

    fn run(&mut self, meter: &mut Meter<impl Listener>) -> Flow {
        let flow = self.space.initial();
        self.obey(flow)?;
        let unmarked = vec![0; self.space.wanted.words];
        for start in self.space.targets.clone() {
            if self.shared.sets.claim(start, self.number) == Claim::New {
                self.enter(start, &unmarked, meter)?;
                self.follow(meter)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Follows pending edges until the path is empty.
    fn follow(&mut self, meter: &mut Meter<impl Listener>) -> Flow {
        let words = self.space.wanted.words;
        let mut marks = Vec::new();
        while let Some(frame) = self.path.last_mut() {
            if frame.pending == 0 || self.shared.sets.is_done(frame.state) {
                self.leave(meter)?;
                continue;
            }
            frame.pending -= 1;
            marks.clear();
            marks.extend(self.pending_marks.drain(self.pending_marks.len() - words..));
            let Some(target) = self.pending.pop() else { break };
            match self.shared.sets.claim(target, self.number) {
                Claim::Dead => {}
                Claim::New => self.enter(target, &marks, meter)?,
                Claim::Known => self.merge(target, &mut marks)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Begins a part at a state of a set in which the thread has not been.
    fn enter(&mut self, state: StateId, into: &[u64], meter: &mut Meter<impl Listener>) -> Flow {
        self.roots.push(Root { state, depth: self.path.len() });
        self.into.extend_from_slice(into);
        if self.shared.sets.is_done(state) { self.pick(meter) } else { self.explore(state, meter) }
    }

    /// Puts a state at the end of the path, and its edges among the pending ones; those that lead
    /// to known sets on top.
    fn explore(&mut self, state: StateId, meter: &mut Meter<impl Listener>) -> Flow {
        if self.shared.over.load(Relaxed) {
            return ControlFlow::Break(());
        }
        self.depth = self.depth.max(self.path.len());
        if meter.is_too_deep(self.path.len()) {
            self.shared.truncated.store(true, Relaxed);
            self.path.push(Frame { state, pending: 0 });
            return ControlFlow::Continue(());
        }
        let flow = self.space.expand(state);
        self.obey(flow)?;
        let flow = meter.look(self.shared.store.len(), self.space.transitions, || {
            self.tell();
            self.shared.progress()
        });
        self.obey(flow)?;
        let before = self.pending.len();
        self.sort_edges();
        self.path.push(Frame { state, pending: (self.pending.len() - before) as u32 });
        ControlFlow::Continue(())
    }

    /// Puts the edges of the last state among the pending ones.
    fn sort_edges(&mut self) {
        self.space.targets.iter().for_each(|target| self.shared.sets.prefetch(*target));
        self.known.clear();
        for k in 0..self.space.targets.len() {
            let k = self.in_own_order(k);
            match self.shared.sets.peek(self.space.targets[k], self.number) {
                Claim::Dead => {}
                Claim::New => self.wait(k),
                Claim::Known => self.known.push(k),
            }
        }
        let known = std::mem::take(&mut self.known);
        known.iter().for_each(|k| self.wait(*k));
        self.known = known;
    }

    fn wait(&mut self, k: usize) {
        self.pending.push(self.space.targets[k]);
        self.pending_marks.extend_from_slice(self.space.marks(k));
    }

    /// Each thread takes the edges of a state in another order, so that threads part ways.
    fn in_own_order(&self, k: usize) -> usize {
        let count = self.space.targets.len();
        let turned = (k + self.number as usize / 2) % count;
        if self.number % 2 == 1 { count - 1 - turned } else { turned }
    }

    /// An edge from the last state of the path into a set that the thread knows: all parts from
    /// there on become one. `marks` are those of the edge; they are used up.
    fn merge(&mut self, target: StateId, marks: &mut [u64]) -> Flow {
        let Some(source) = self.path.last().map(|frame| frame.state) else {
            return ControlFlow::Continue(());
        };
        let sets = &self.shared.sets;
        let mut united = false;
        while !sets.same(source, target) && self.roots.len() > 1 {
            let Some(Root { state, depth }) = self.roots.pop() else { break };
            unite(marks, &self.into[depth * marks.len()..][..marks.len()]);
            sets.unite(state, self.roots[self.roots.len() - 1].state);
            united = true;
        }
        if sets.mark(source, marks, united, &self.space.wanted) {
            return self.examine(source, false);
        }
        ControlFlow::Continue(())
    }

    /// Takes the last state off the path; its edges are all followed, by this thread or by
    /// another.
    fn leave(&mut self, meter: &mut Meter<impl Listener>) -> Flow {
        let Some(frame) = self.path.pop() else { return ControlFlow::Continue(()) };
        let words = self.space.wanted.words;
        self.pending.truncate(self.pending.len() - frame.pending as usize);
        self.pending_marks.truncate(self.pending.len() * words);
        self.shared.sets.done(frame.state);
        if self.roots.last().is_some_and(|root| root.depth == self.path.len()) {
            return self.pick(meter);
        }
        self.into.truncate(self.path.len() * words);
        ControlFlow::Continue(())
    }

    /// At the root of the last part: goes on with another state of its set, or ends the part.
    fn pick(&mut self, meter: &mut Meter<impl Listener>) -> Flow {
        let Some(root) = self.roots.last().map(|root| root.state) else { return ControlFlow::Continue(()) };
        let pick = self.shared.sets.pick(root);
        if let Pick::State(state) = pick {
            return self.explore(state, meter);
        }
        self.roots.pop();
        self.into.truncate(self.path.len() * self.space.wanted.words);
        if pick == Pick::Completed && self.shared.sets.may_count(root, &self.space.wanted) {
            return self.examine(root, true);
        }
        ControlFlow::Continue(())
    }

    /// Looks for a part that counts among the states of a set.
    fn examine(&mut self, state: StateId, complete: bool) -> Flow {
        let sets = &self.shared.sets;
        let members = sets.members(state);
        if !complete && members.len() < 2 * self.in_vain {
            return ControlFlow::Continue(());
        }
        let size = members.len();
        let component =
            Component::new(&mut self.space, members, |members, target| sets.place(members, target));
        let Some(part) = accepting_part(&component, &self.space.wanted) else {
            self.in_vain = if complete { self.in_vain } else { size };
            return ControlFlow::Continue(());
        };
        self.shared.found.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert((component, part));
        self.shared.over.store(true, Relaxed);
        ControlFlow::Break(())
    }

    /// Ends the search for all if there is a reason.
    fn obey(&self, flow: ControlFlow<Stop>) -> Flow {
        let ControlFlow::Break(stop) = flow else { return ControlFlow::Continue(()) };
        self.shared.stopped.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(stop);
        self.shared.over.store(true, Relaxed);
        ControlFlow::Break(())
    }

    /// Adds what was done since last time to what is known by all.
    fn tell(&mut self) {
        let words = self.pending_marks.capacity() + self.into.capacity();
        let stacks = self.path.capacity() * size_of::<Frame>() + self.roots.capacity() * size_of::<Root>();
        let own = (words * 8 + self.pending.capacity() * 4 + stacks) as u64;
        let (transitions, before) = std::mem::replace(&mut self.told, (self.space.transitions, own));
        self.shared.transitions.fetch_add(self.space.transitions - transitions, Relaxed);
        self.shared.own.fetch_add(own.wrapping_sub(before), Relaxed);
        self.shared.depth.fetch_max(self.depth as u64, Relaxed);
    }
}

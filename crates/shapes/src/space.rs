//! The abstract state space: everything reachable from the initial structures, blurred.
//!
//! *Relational*: a set of structures, each its own key. *Partial join*: structures with the same names and the same nullary
//! values are one, their other values joined; a state that changes is expanded again until nothing changes. Breadth-first, so that the
//! way to a state is a shortest one. Edges, with who left and who entered which name, exist only in relational spaces: joining a state after
//! its edges were made would make them say too much.
//!
//! Several workers expand states side by side (`expand`); what they find is taken in in the order of the states, so the space does not depend on
//! how many there are.

use crate::blur::Blur;
use crate::expand::{Expansion, Rules, Worker};
use crate::kleene::Kleene;
use crate::machine::Notes;
use crate::names::{Moves, Names};
use crate::prepared::Prepared;
use crate::structure::Structure;
use crate::vocabulary::Symbol;
use explore::{Stop, Watch};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Join {
    #[default]
    Relational,
    Partial,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub action: usize,
    /// Which names surely lose an individual, and which may gain one.
    pub moves: Moves,
    /// Which of the distinguished predicates the individual that moves may have, as bits.
    pub who: u64,
    pub definite: bool,
}

/// A state that may break a promise, and how it is reached: a state and the action taken there, or an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    pub state: usize,
    pub action: Option<usize>,
    /// Surely broken in the abstract, before blur.
    pub definite: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Space {
    pub states: Vec<Structure>,
    pub initial: Vec<usize>,
    pub edges: Vec<Edge>,
    /// How each state was first found.
    pub parents: Vec<Option<(usize, usize)>>,
    pub names: Names,
    /// Of each formula watched over: the first state that may break it, and whether one surely does.
    pub breaches: Vec<Option<Breach>>,
    /// Actions that were taken.
    pub taken: Vec<bool>,
    /// Steps made, and how many structures were expanded.
    pub steps: u64,
    pub expanded: u64,
    pub depth: u64,
    pub notes: Notes,
    pub stopped: Option<Stop>,
}

/// What to do and to look at.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    pub join: Join,
    /// Closed formulas that must be 1 in every state; looked at before blur.
    pub invariants: Vec<crate::formula::Formula>,
    /// Unary predicates of which edges tell whether the individual that moves has them.
    pub who: Vec<Symbol>,
    pub edges: bool,
    /// How many threads of the machine may work; 0 is 1.
    pub workers: usize,
    pub max_states: Option<u64>,
    pub max_memory: Option<u64>,
}

/// So many states are expanded at a time, if so many are waiting.
const BATCH: usize = 128;
const WORTH_SHARING: usize = 24;

struct Builder<'a> {
    wish: &'a Wish,
    space: Space,
    index: HashMap<u64, Vec<u32>>,
    queue: VecDeque<usize>,
    queued: Vec<bool>,
    depths: Vec<u64>,
    blurred: Structure,
    edges: HashSet<Edge>,
    /// The numbers of the names of an expansion, and the edge that is looked for.
    numbers: Vec<u32>,
    edge: Edge,
    bytes: u64,
}

pub fn explore(prepared: &Prepared, wish: &Wish, watch: &mut dyn Watch) -> Space {
    let mut builder = Builder {
        wish,
        space: Space {
            names: Names::default(),
            breaches: vec![None; wish.invariants.len()],
            taken: vec![false; prepared.actions.len()],
            ..Space::default()
        },
        index: HashMap::new(),
        queue: VecDeque::new(),
        queued: Vec::new(),
        depths: Vec::new(),
        blurred: Structure::default(),
        edges: HashSet::new(),
        numbers: Vec::new(),
        edge: Edge::default(),
        bytes: 0,
    };
    for s in &prepared.initial {
        let state = builder.begin(prepared, s);
        if !builder.space.initial.contains(&state) {
            builder.space.initial.push(state);
        }
    }
    builder.run(prepared, watch);
    let mut space = builder.space;
    space.edges = builder.edges.into_iter().collect();
    space.edges.sort_unstable();
    space
}

impl Builder<'_> {
    /// States are expanded in the order in which they were found. With several workers, what a batch of states leads to is taken in
    /// while the next batch is being expanded.
    fn run(&mut self, prepared: &Prepared, watch: &mut dyn Watch) {
        let rules = Rules { actions: &prepared.actions, passing: &prepared.passing, wish: self.wish };
        let new = |_| Worker::new(prepared.machine.clone());
        let mut workers: Vec<Worker> = (0..self.wish.workers.max(1)).map(new).collect();
        let (mut done, mut next) = (Batch::default(), Batch::default());
        while !(self.queue.is_empty() && done.states.is_empty()) {
            // Alone, or with little to share, it is best to take in one state before looking at another. With partial join a state that is
            // expanded early may have to be expanded again, so there are few at a time.
            let several = workers.len() > 1 && self.queue.len() >= WORTH_SHARING;
            let size = match done.states.is_empty() {
                _ if several && self.wish.join == Join::Relational => BATCH,
                true if several => 2 * workers.len(),
                true => 1,
                false => 0,
            };
            self.next(size, &mut next);
            let taken =
                next.expand(&rules, &mut workers, |worker| self.settle_all(&rules, worker, &done, watch));
            if let ControlFlow::Break(stop) = taken {
                self.space.stopped = Some(stop);
                break;
            }
            std::mem::swap(&mut done, &mut next);
        }
        let notes = workers.iter().map(|w| &w.machine.notes).chain([&prepared.machine.notes]);
        for one in notes {
            self.space.notes.overflow |= one.overflow;
            self.space.notes.declined.extend(one.declined.iter().copied());
        }
    }

    /// Takes in what the states of a batch lead to.
    fn settle_all(
        &mut self,
        rules: &Rules<'_>,
        worker: &mut Worker,
        batch: &Batch,
        watch: &mut dyn Watch,
    ) -> ControlFlow<Stop> {
        for ((state, seen), expansion) in batch.states.iter().zip(&batch.expansions) {
            let mut expansion = held(expansion);
            // With partial join an earlier one may have changed it.
            if self.space.states[*state] != *seen {
                worker.expand(rules, &self.space.states[*state], &mut expansion);
            }
            self.queued[*state] = false;
            self.settle(&worker.machine.blur, *state, &expansion);
            if let Some(stop) = self.look(watch) {
                return ControlFlow::Break(stop);
            }
        }
        ControlFlow::Continue(())
    }

    /// Copies of the states that are next.
    fn next(&mut self, size: usize, batch: &mut Batch) {
        let size = size.min(self.queue.len());
        batch.states.resize_with(size, Default::default);
        batch.expansions.resize_with(size.max(batch.expansions.len()), Default::default);
        for (state, copy) in &mut batch.states {
            *state = self.queue.pop_front().unwrap_or_default();
            copy.copy_from(&self.space.states[*state]);
        }
    }

    /// Takes in what a state leads to.
    fn settle(&mut self, blur: &Blur, state: usize, expansion: &Expansion) {
        self.space.expanded += 1;
        self.space.steps += expansion.steps;
        expansion.taken.iter().for_each(|action| self.space.taken[*action] = true);
        for (known, found) in self.space.breaches.iter_mut().zip(&expansion.breaches) {
            let breach = found.map(|(action, definite)| Breach { state, action: Some(action), definite });
            *known = known.take().or(breach);
        }
        self.numbers.clear();
        let names = &mut self.space.names;
        let few = &expansion.names;
        self.numbers.extend((0..few.len()).map(|n| names.number(few.name(n))));
        for arrival in &expansion.arrivals {
            expansion.state(arrival, &mut self.blurred);
            let to = self.insert(blur, Some((state, arrival.action)));
            if self.wish.edges {
                let edge = &mut self.edge;
                (edge.from, edge.to, edge.action) = (state, to, arrival.action);
                (edge.who, edge.definite) = (arrival.who, arrival.definite);
                expansion.moves(arrival, &self.numbers, &mut edge.moves);
                if !self.edges.contains(edge) {
                    self.edges.insert(edge.clone());
                }
            }
        }
    }

    /// An initial state; one that breaks an invariant is told by its own number.
    fn begin(&mut self, prepared: &Prepared, s: &Structure) -> usize {
        prepared.machine.blur.blur(s, &mut self.blurred);
        let state = self.insert(&prepared.machine.blur, None);
        for (breach, f) in self.space.breaches.iter_mut().zip(&self.wish.invariants) {
            let value = prepared.machine.value(s, f);
            if value != Kleene::True && breach.is_none() {
                *breach = Some(Breach { state, action: None, definite: value == Kleene::False });
            }
        }
        state
    }

    /// The number of the state that has just been blurred.
    fn insert(&mut self, blur: &Blur, parent: Option<(usize, usize)>) -> usize {
        let blurred = std::mem::take(&mut self.blurred);
        let key = match self.wish.join {
            Join::Relational => hash(blurred.words.iter().copied()),
            Join::Partial => {
                let nullary = blurred.words[..blur.layout.head()].iter().copied();
                hash(nullary.chain((0..blurred.nodes).flat_map(|u| blur.name(&blurred, u))))
            }
        };
        let bucket = self.index.entry(key).or_default();
        let states = &mut self.space.states;
        let known = bucket.iter().map(|n| *n as usize).find(|n| match self.wish.join {
            Join::Relational => states[*n] == blurred,
            Join::Partial => blur.same_universe(&states[*n], &blurred),
        });
        let state = match known {
            Some(state) => {
                if self.wish.join == Join::Partial && blur.join(&mut states[state], &blurred) {
                    if !self.queued[state] {
                        self.queue.push_back(state);
                    }
                    self.queued[state] = true;
                }
                state
            }
            None => {
                let state = states.len();
                bucket.push(state as u32);
                self.bytes += 8 * blurred.words.len() as u64 + 64;
                states.push(blurred.clone());
                self.space.parents.push(parent);
                let depth = parent.map_or(0, |(p, _)| self.depths[p] + 1);
                self.space.depth = self.space.depth.max(depth);
                self.depths.push(depth);
                self.queue.push_back(state);
                self.queued.push(true);
                state
            }
        };
        self.blurred = blurred;
        state
    }

    fn look(&self, watch: &mut dyn Watch) -> Option<Stop> {
        let states = self.space.states.len() as u64;
        if self.wish.max_states.is_some_and(|max| states > max) {
            return Some(Stop::States);
        }
        if self.wish.max_memory.is_some_and(|max| self.bytes > max) {
            return Some(Stop::Memory);
        }
        let progress = explore::Progress {
            states,
            transitions: self.space.steps,
            depth: self.space.depth,
            memory_bytes: self.bytes,
            cache: None,
        };
        match watch.look(&progress) {
            ControlFlow::Break(stop) => Some(stop),
            ControlFlow::Continue(()) => None,
        }
    }
}

/// States that are expanded side by side, as they were when they were taken from the queue.
#[derive(Default)]
struct Batch {
    states: Vec<(usize, Structure)>,
    /// At least one for each; kept to be filled again.
    expansions: Vec<Mutex<Expansion>>,
}

impl Batch {
    /// Expands all states. The first worker does something else before that, while the others begin.
    fn expand(
        &self,
        rules: &Rules<'_>,
        workers: &mut [Worker],
        meanwhile: impl FnOnce(&mut Worker) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop> {
        let Some((first, rest)) = workers.split_first_mut() else { return ControlFlow::Continue(()) };
        let open = AtomicUsize::new(0);
        let work = |worker: &mut Worker| {
            loop {
                let at = open.fetch_add(1, Ordering::Relaxed);
                let Some((_, state)) = self.states.get(at) else { return };
                worker.expand(rules, state, &mut held(&self.expansions[at]));
            }
        };
        std::thread::scope(|scope| {
            for worker in rest.iter_mut().filter(|_| self.states.len() > 1) {
                scope.spawn(|| work(worker));
            }
            let result = meanwhile(first);
            work(first);
            result
        })
    }
}

/// What a worker that has stopped did is not looked at any more, so a lock that it left behind does no harm.
fn held(expansion: &Mutex<Expansion>) -> MutexGuard<'_, Expansion> {
    expansion.lock().unwrap_or_else(PoisonError::into_inner)
}

/// After Fx: multiply and rotate, a word at a time.
pub fn hash(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, |hash: u64, word| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95))
}

impl Space {
    /// Whether everything reachable was seen, by structures that all fitted.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && !self.notes.overflow
    }

    /// The actions that lead to a state, and the states on the way, the state itself last.
    pub fn way(&self, state: usize) -> (Vec<usize>, Vec<usize>) {
        let (mut actions, mut states) = (Vec::new(), vec![state]);
        let mut at = state;
        while let Some((parent, action)) = self.parents[at] {
            actions.push(action);
            states.push(parent);
            at = parent;
        }
        actions.reverse();
        states.reverse();
        (actions, states)
    }

    pub fn bytes(&self) -> u64 {
        self.states.iter().map(|s| 8 * s.words.len() as u64 + 64).sum()
    }

    /// Distinct (from, to, action).
    pub fn arrows(&self) -> usize {
        let arrows: HashSet<_> = self.edges.iter().map(|e| (e.from, e.to, e.action)).collect();
        arrows.len()
    }
}

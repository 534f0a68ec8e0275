//! A system without the steps that make no difference to a property that counts no steps: a stepper
//! for searches of runs.
//!
//! After chapter 7 of the thesis. From a state either everything is explored or a persistent set,
//! if
//! * none of its steps is *visible*, may change what a proposition says, and
//! * the [`Proviso`] is kept, so that no step is ignored.
//!
//! Every run of the system then has one here that satisfies the same properties
//! (docs/internals/partial-order.md). Sleep sets are not used: they lose cycles.
//!
//! What is explored depends on the state of the system alone, not on the automaton's, nor on the
//! way there: `Choices` remembers it. Looking at the product's stack instead, as is usual, misses
//! errors (Siegel, *What's wrong with on-the-fly partial order reduction*, 2019). States are
//! numbers here; the states themselves are kept once, by `Choices`.

use super::choices::{Choice, Choices};
use super::persistent::{AtHand, Sets};
use crate::limits::{Listener, Progress, Stop};
use crate::report::FullExpansions;
use crate::store::StateId;
use independence::selective::Selective;
use independence::{FullExpansion, Method, Set, members, node, partner};
use space::{Edges, Fault, Label, Observer, Rest, Step, Stepper, Undefined, Which};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use super::choices::Proviso;

/// What is explored from each state, shared by all who explore.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Choices>>);

impl Shared {
    /// Nothing is chosen yet.
    pub fn new(proviso: Proviso) -> Self {
        Shared(Arc::new(Mutex::new(Choices::new(proviso))))
    }

    fn open(&self) -> MutexGuard<'_, Choices> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// States that are fully expanded, with the reason.
    pub fn full_expansions(&self) -> FullExpansions {
        self.open().full_expansions.clone()
    }

    /// A state of the system, by the bytes that stand for it.
    pub fn state(&self, number: &[u8]) -> Vec<u8> {
        self.open().state(self::number(number)).to_vec()
    }

    /// How many states and steps the reduced system has, if all of it was explored: every state
    /// that a step led to was expanded.
    pub fn all(&self) -> Option<(u64, u64)> {
        self.open().all()
    }

    /// How much memory the choices take.
    pub fn memory_bytes(&self) -> u64 {
        self.open().memory_bytes()
    }

    /// How many states are not explored whole.
    pub fn parts(&self) -> u64 {
        self.open().parts()
    }
}

/// A system whose steps are selected. The stepper must be prepared.
pub struct Reduced<S> {
    stepper: S,
    method: Method,
    choices: Shared,
    sets: Sets,
    edges: Edges,
    state: Vec<u8>,
    /// Of the state at hand.
    full_expansion: Option<FullExpansion>,
}

impl<S: Selective> Reduced<S> {
    /// A stepper with persistent sets, which records its choices in `choices`.
    pub fn new(stepper: S, method: Method, choices: Shared) -> Self {
        let (sets, edges, state) = Default::default();
        Reduced { stepper, method, choices, sets, edges, state, full_expansion: None }
    }

    /// Takes a state to hand, and what was decided of it.
    fn take(&mut self, state: &[u8]) -> (StateId, Option<Choice>) {
        let id = number(state);
        let choices = self.choices.open();
        self.state.clear();
        self.state.extend_from_slice(choices.state(id));
        (id, choices.made(id))
    }

    /// Decides what is explored from the state at hand; `edges` are all of it.
    fn decide(&mut self, id: StateId) -> Choice {
        let edges = &self.edges;
        let choice = (edges.ends.len() <= 64 && edges.fatal().is_none()).then(|| self.select(id)).flatten();
        let (full_expansion, steps) = (self.full_expansion.take(), self.edges.len());
        let mut choices = self.choices.open();
        match choice {
            None => {
                full_expansion.into_iter().for_each(|o| choices.full_expansions.count(o));
                choices.make_whole(id, steps)
            }
            Some(selected) => choices.make(id, (selected, steps), selected_of(&self.edges, selected)),
        }
    }

    /// The edges by a persistent set that will do, smaller than everything.
    fn select(&mut self, id: StateId) -> Option<u64> {
        let edges = &self.edges;
        let reducible = self.stepper.load(&self.state, edges);
        self.full_expansion = self.stepper.full_expansion().filter(|_| edges.labels.len() > 1);
        if !reducible {
            return None;
        }
        let (enabled, visible) = (self.stepper.enabled(), self.stepper.visible());
        if enabled.count_ones() < 2 || enabled & !visible == 0 {
            return None;
        }
        let by: Vec<Set> = edges.labels.iter().map(|label| parts(&self.stepper, *label)).collect();
        let selected = |set: Set| {
            let of = by.iter().enumerate().filter(|(_, choices)| set & **choices != 0);
            of.fold(0u64, |mask, (k, _)| mask | 1 << k)
        };
        let unseen = |set: Set| by.iter().all(|choices| set & choices == 0 || choices & visible == 0);
        let choices = &self.choices;
        let accept = |set: Set| {
            selected(set) != 0 && unseen(set) && choices.open().allows(id, selected_of(edges, selected(set)))
        };
        let starts = self.starts(enabled & !visible, &by);
        let weight = |set: Set| selected(set).count_ones();
        let set =
            self.sets.each(&mut AtHand(&mut self.stepper, self.method), starts.into_iter(), weight, accept);
        (set & enabled != enabled).then(|| selected(set))
    }

    /// Starting choices, those first that lead to states known already.
    fn starts(&self, candidates: Set, by: &[Set]) -> Vec<usize> {
        let choices = self.choices.open();
        let new = self.edges.iter().zip(by).filter(|(state, _)| !choices.is_known(state));
        let new = new.fold(0, |new, (_, by)| new | by);
        members(candidates & !new).chain(members(candidates & new)).collect()
    }
}

/// The choices that a step begins with: one, or two of a handshake.
pub(super) fn parts(stepper: &impl Selective, label: Label) -> Set {
    let participants = std::iter::once(node(label)).chain(partner(label));
    let at = |node| stepper.nodes().iter().position(|n| *n == node);
    participants.filter_map(at).fold(0, |set, at| set | 1 << at)
}

fn selected_of(edges: &Edges, selected: u64) -> impl Iterator<Item = &[u8]> + Clone {
    edges.iter().enumerate().filter(move |(k, _)| selected >> k & 1 == 1).map(|(_, state)| state)
}

fn number(state: &[u8]) -> StateId {
    state.try_into().map_or(0, StateId::from_le_bytes)
}

impl<S: Selective> Stepper for Reduced<S> {
    fn initial(&mut self, out: &mut Edges) {
        self.edges.clear();
        self.stepper.initial(&mut self.edges);
        out.faults.extend_from_slice(&self.edges.faults);
        out.undefined = self.edges.undefined.take();
        let mut choices = self.choices.open();
        for (state, label) in self.edges.iter().zip(&self.edges.labels) {
            out.push(&choices.number(state).unwrap_or_default().to_le_bytes(), *label);
        }
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        let (id, made) = self.take(state);
        self.edges.clear();
        self.edges.wants_fairness = out.wants_fairness;
        let rest = self.stepper.expand(&self.state, &mut self.edges);
        let choice = made.unwrap_or_else(|| self.decide(id));
        out.undefined = self.edges.undefined.take();
        out.cut |= self.edges.cut;
        out.endless |= self.edges.endless;
        let mut choices = self.choices.open();
        for (k, next) in self.edges.iter().enumerate() {
            let explored = match choice {
                Choice::All => true,
                Choice::Some(selected) => selected >> k & 1 == 1,
            };
            if explored && let Some(number) = choices.number(next) {
                out.push(&number.to_le_bytes(), self.edges.labels[k]);
                out.meets.extend_from_slice(self.edges.met(k));
            }
        }
        out.words = self.edges.words;
        out.asks.extend_from_slice(&self.edges.asks);
        out.faults.extend_from_slice(&self.edges.faults);
        rest
    }

    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<Step>> {
        self.take(state);
        match which {
            Which::To { target, meets } => {
                let target = self.choices.open().state(number(target)).to_vec();
                self.stepper.explain(&self.state, Which::To { target: &target, meets })
            }
            Which::Fault(fault) => self.stepper.explain(&self.state, Which::Fault(fault)),
        }
    }

    fn describe(&self, fault: Fault) -> String {
        self.stepper.describe(fault)
    }
}

impl<S: Selective + Observer> Observer for Reduced<S> {
    fn observe(&mut self, state: &[u8]) -> Result<u64, Undefined> {
        self.take(state);
        self.stepper.observe(&self.state)
    }
}

/// A watch that also sees what the states of a reduced system take.
pub struct ReductionListener<'a, W> {
    /// Who listens to the search itself.
    pub watch: &'a mut W,
    /// What the steppers of the search have chosen.
    pub choices: Shared,
    /// So much memory may be used.
    pub memory: Option<u64>,
}

impl<W: Listener> Listener for ReductionListener<'_, W> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<Stop> {
        let choices = self.choices.open();
        let memory_bytes = progress.memory_bytes + choices.memory_bytes();
        if choices.is_full() || self.memory.is_some_and(|limit| memory_bytes > limit) {
            return ControlFlow::Break(Stop::Memory);
        }
        drop(choices);
        self.watch.look(&Progress { memory_bytes, ..*progress })
    }
}

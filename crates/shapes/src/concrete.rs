//! Concrete runs with few individuals, as a stepper that `explore` searches: everything reachable,
//! up to a bound.
//!
//! States that differ only in the order of individuals are one, as far as a cheap normal form can
//! tell. Closed formulas, actions and unary predicates do not know individuals apart, so a way back
//! to a state in another order can be taken again and again, and comes back to the very state after
//! some rounds: a cycle here is a cycle.
//!
//! The note of an edge says who takes part and which individual comes to which place.

use explore::recorded::{Finished, Keep, Noted, Recorded, Recording, Visitor, record_as};
use explore::{Limits, NoListener, Stop};
use space::{Edges, Fault, FaultAt, Label, Observer, Reference, Rest, Undefined, Which};
use std::ops::ControlFlow;
pub use structures::concrete::{Concrete, State, Step};
use structures::model::Model;
use structures::reference::Meaning;

/// Limits of a search of concrete states.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Not counting those in which an individual is at a transient location.
    pub states: usize,
    /// Of one state.
    pub individuals: usize,
}

/// A step between recorded states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the target.
    pub to: usize,
    /// The number of the action.
    pub action: usize,
    /// The individual that moves, in the state the edge starts from.
    pub actor: Option<usize>,
    /// The step with all who take part.
    pub step: Step,
    /// The individual of the state before at each place of the state after; new ones are above
    /// those.
    pub order: Vec<usize>,
}

/// The steps of concrete states, up to isomorphism.
pub struct Stepper<'a> {
    meaning: &'a Meaning<'a>,
    /// States with more are left out.
    individuals: usize,
}

impl<'a> Stepper<'a> {
    /// States with more individuals than this are left out.
    pub fn new(meaning: &'a Meaning<'a>, individuals: usize) -> Stepper<'a> {
        Stepper { meaning, individuals }
    }

    fn unpack(&self, state: &[u8]) -> State {
        self.meaning.concrete.unpack(state)
    }

    fn push(&self, state: &State, label: Label, out: &mut Edges) -> Vec<usize> {
        let (normal, order) = self.meaning.concrete.normal(state);
        self.meaning.concrete.pack(&normal, &mut out.bytes);
        out.push(&[], label);
        order
    }

    fn edge(&self, from: &State, step: &Step, next: &State, out: &mut Edges) {
        let Meaning { model, .. } = self.meaning;
        let label = Label(step.action as u64);
        let order = self.push(next, label, out);
        let rests = model.transient.is_empty() || self.meaning.transient(next).is_none();
        out.notes.extend([u8::from(rests), step.part.len() as u8]);
        out.notes.extend(step.part.iter().flat_map(|(v, u)| [*v, *u as u8]));
        out.notes.extend(order.iter().map(|u| *u as u8));
        out.note_ends.push(out.notes.len());
        if out.wants_fairness {
            let start = out.meets.len();
            out.meets.resize(start + out.words, 0);
            let met = model.fairness.iter().enumerate().filter(|(_, g)| self.meaning.takes(from, step, g));
            met.for_each(|(n, _)| out.meets[start + n / 64] |= 1 << (n % 64));
        }
        if model.actions[step.action].error.is_some() {
            let (fault, place) = (Fault::Error(step.action as u32), step.action as u64);
            out.faults.push(FaultAt { fault, place, label, goes_on: true, certain: true });
        }
    }
}

impl space::Stepper for Stepper<'_> {
    fn initial(&mut self, out: &mut Edges) {
        for state in &self.meaning.initial {
            self.push(state, Label::default(), out);
        }
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        let state = self.unpack(state);
        let groups = self.meaning.model.fairness.len();
        if out.wants_fairness {
            out.words = groups.div_ceil(64);
            out.asks.resize(out.words, 0);
            let asked = self.meaning.asks(&state).unwrap_or_default();
            asked.into_iter().for_each(|n| out.asks[n / 64] |= 1 << (n % 64));
        }
        for (step, next) in self.meaning.steps(&state) {
            match next.individuals > self.individuals {
                true => out.cut = true,
                false => self.edge(&state, &step, &next, out),
            }
        }
        match out.cut || !out.is_empty() {
            true => Rest::Enabled,
            false if self.meaning.is_deadlock(&state) => Rest::Deadlock,
            false => Rest::Terminated,
        }
    }

    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<space::Step>> {
        let from = self.unpack(state);
        let leads = |step: &Step, next: &State| match which {
            Which::To { target, .. } => {
                let mut packed = Vec::new();
                self.meaning.concrete.pack(&self.meaning.concrete.normal(next).0, &mut packed);
                packed == target
            }
            Which::Fault(at) => Label(step.action as u64) == at.label,
        };
        let steps = self.meaning.steps(&from);
        let found = steps.iter().find(|(step, next)| leads(step, next))?;
        Some(vec![space::Step::from(&found.0)])
    }

    fn describe(&self, fault: Fault) -> String {
        match fault {
            Fault::Error(n) => self.meaning.model.actions[n as usize].error.clone().unwrap_or_default(),
            _ => String::new(),
        }
    }
}

impl Observer for Stepper<'_> {
    fn observe(&mut self, state: &[u8]) -> Result<u64, Undefined> {
        self.meaning.letter(&self.unpack(state))
    }
}

/// A recorded search, read as states and steps.
#[derive(Clone, Copy)]
pub struct Runs<'a> {
    /// What a step means.
    pub meaning: &'a Meaning<'a>,
    /// The states and edges by number.
    pub recorded: &'a Recorded,
}

/// Ends a search at a state of interest, and keeps it to its bounds.
struct Bounded<'a, 'f> {
    meaning: &'a Meaning<'a>,
    bounds: Bounds,
    resting: usize,
    stop: &'f mut dyn FnMut(&Runs<'_>, usize, &Edges) -> bool,
}

impl Visitor for Bounded<'_, '_> {
    fn admits(&mut self, edges: &Edges, k: usize) -> bool {
        edges.note(k).first() != Some(&1) || self.resting < self.bounds.states
    }

    /// Initial states have no notes.
    fn stored(&mut self, edges: &Edges, k: usize) {
        self.resting += usize::from(edges.note(k).first() != Some(&0));
    }

    fn expanded(&mut self, recorded: &Recorded, state: usize, edges: &Edges) -> ControlFlow<Stop> {
        let runs = Runs { meaning: self.meaning, recorded };
        match (self.stop)(&runs, state, edges) {
            true => ControlFlow::Break(Stop::Violation),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Explores breadth-first; `stop` may end it at a state of interest, or because of its edges.
pub fn runs(
    meaning: &Meaning<'_>,
    bounds: Bounds,
    memory: Option<u64>,
    stop: &mut dyn FnMut(&Runs<'_>, usize, &Edges) -> bool,
) -> Recorded {
    let how = Recording {
        limits: Limits { memory, ..Limits::default() },
        keep: Keep::Edges,
        fairness: !meaning.model.fairness.is_empty(),
        ..Recording::default()
    };
    let mut bounded = Bounded { meaning, bounds, resting: 0, stop };
    record_as(&mut [Stepper::new(meaning, bounds.individuals)], &how, &mut bounded, &mut NoListener)
}

impl<'a> Runs<'a> {
    /// The description.
    pub fn model(&self) -> &'a Model {
        self.meaning.model
    }

    /// Evaluates its formulas.
    pub fn concrete(&self) -> &'a Concrete<'a> {
        &self.meaning.concrete
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.recorded.len()
    }

    /// Whether there is no initial state.
    pub fn is_empty(&self) -> bool {
        self.recorded.is_empty()
    }

    /// Nothing was cut off.
    pub fn complete(&self) -> bool {
        self.recorded.is_complete()
    }

    /// The state of this number.
    pub fn state(&self, at: usize) -> State {
        self.concrete().unpack(self.recorded.state(at))
    }

    /// All states in the order of their numbers.
    pub fn states(&self) -> impl Iterator<Item = State> {
        (0..self.len()).map(|at| self.state(at))
    }

    /// How many edges leave a state.
    pub(crate) fn degree(&self, at: usize) -> usize {
        self.recorded.edges(at).len()
    }

    /// The edge of this number out of a state.
    pub fn edge(&self, at: usize, number: usize) -> Edge {
        let edge = &self.recorded.edges(at)[number];
        let action = edge.label.0 as usize;
        let note = self.recorded.note(edge);
        let (part, order) = note[2..].split_at(2 * usize::from(note[1]));
        let part = part.chunks_exact(2).map(|pair| (pair[0], usize::from(pair[1]))).collect();
        let step = Step { action, part };
        let actor = self.model().actions[action].actor.as_ref().and_then(|_| step.part.get(&0).copied());
        Edge {
            to: edge.to as usize,
            action,
            actor,
            step,
            order: order.iter().map(|u| usize::from(*u)).collect(),
        }
    }

    /// All edges out of a state.
    pub fn edges(&self, at: usize) -> impl Iterator<Item = Edge> {
        (0..self.degree(at)).map(move |n| self.edge(at, n))
    }

    /// The states and edges on a shortest way to a state.
    pub fn way(&self, state: usize) -> Vec<(usize, usize)> {
        let states = self.recorded.way_to(state);
        let by = |pair: &[usize]| {
            let edges = self.recorded.edges(pair[0]);
            (pair[0], edges.iter().position(|e| e.to as usize == pair[1]).unwrap_or(0))
        };
        states.windows(2).map(by).collect()
    }

    /// The steps on it.
    pub fn steps(&self, state: usize) -> Vec<Step> {
        self.way(state).into_iter().map(|(at, edge)| self.edge(at, edge).step).collect()
    }

    /// The letter of each state: which of the propositions of the meaning hold.
    pub fn letters(&self) -> Vec<u64> {
        self.states().map(|s| self.meaning.letter(&s).unwrap_or(0)).collect()
    }

    /// The runs as a stepper of infinite ones.
    pub fn finished<'b>(&self, letters: &'b [u64], noted: &'b Noted) -> Finished<'b>
    where
        'a: 'b,
    {
        Finished { recorded: self.recorded, letters, noted: Some(noted) }
    }
}

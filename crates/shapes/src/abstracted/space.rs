//! The finished search of the abstract space: structures by number, edges, what may be bad.

use super::{Join, PACE, Stepper, Wish, read};
use crate::machine::Notes;
use crate::prepared::Prepared;
use explore::recorded::{Finished, Keep, Noted, Recorded, Recording, Visitor, record_as};
use explore::{Listener, Stop};
use space::{Edges, Fault, Joins, Observer};
use std::collections::HashSet;
use std::ops::ControlFlow;
use structures::model::Model;
use structures::structure::Structure;
use structures::vocabulary::Layout;

/// A finished search of the abstract space.
#[derive(Default)]
pub struct Space {
    /// The states and edges by number.
    pub recorded: Recorded,
    pub(crate) layout: Option<Layout>,
    /// The letter of each state, if infinite runs are asked about.
    pub(crate) letters: Vec<u64>,
    /// Actions that were taken.
    pub taken: Vec<bool>,
    /// Steps made.
    pub steps: u64,
    /// How many structures were expanded.
    pub expanded: u64,
    /// Steps from an initial state to the deepest one.
    pub depth: u64,
    /// What limits the answer without being wrong.
    pub notes: Notes,
    /// Why the search ended early, if it did.
    pub stopped: Option<Stop>,
}

/// An edge of the abstract space.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The number of the source.
    pub from: usize,
    /// The number of the target.
    pub to: usize,
    /// The number of the action.
    pub action: usize,
    /// All preconditions on it were 1.
    pub(crate) definite: bool,
}

/// A state that may be bad, and how it is reached: a state and the action taken there, or an
/// initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadState {
    /// The number of the state in which it begins.
    pub state: usize,
    /// The action taken there; none if the state itself is initial and bad.
    pub action: Option<usize>,
    /// Surely bad in the abstract, before blur.
    pub(crate) definite: bool,
}

/// Counts what expansions tell.
impl Visitor for Space {
    fn expanded(&mut self, _: &Recorded, _: usize, edges: &Edges) -> ControlFlow<Stop> {
        self.expanded += 1;
        self.steps += edges.tally[0];
        for (n, taken) in self.taken.iter_mut().enumerate() {
            *taken |= edges.tally[1 + n / 64] >> (n % 64) & 1 == 1;
        }
        ControlFlow::Continue(())
    }
}

/// Searches the abstract space from the initial structures.
pub fn explore(prepared: &Prepared, wish: &Wish, watch: &mut dyn Listener) -> Space {
    let mut workers: Vec<Stepper<'_>> =
        (0..wish.workers.max(1)).map(|_| Stepper::new(prepared, wish)).collect();
    let how = Recording {
        limits: wish.limits,
        keep: if wish.edges && wish.join == Join::Relational { Keep::DistinctEdges } else { Keep::States },
        fairness: wish.infinite.is_some(),
        joins: (wish.join == Join::Partial).then_some(&prepared.machine.blur as &dyn Joins),
        pace: PACE,
    };
    let mut space = Space { taken: vec![false; prepared.actions.len()], ..Space::default() };
    let recorded = record_as(&mut workers, &how, &mut space, watch);
    for one in workers.iter().map(|w| &w.machine.notes).chain([&prepared.machine.notes]) {
        space.notes.overflow |= one.overflow;
        space.notes.declined.extend(one.declined.iter().copied());
    }
    if wish.infinite.is_some() {
        let mut stepper = Stepper::new(prepared, wish);
        space.letters = recorded.states().map(|s| stepper.observe(s).unwrap_or(0)).collect();
    }
    let (depth, stopped) = (recorded.report.depth, recorded.report.stopped);
    Space { recorded, layout: Some(prepared.machine.layout), depth, stopped, ..space }
}

impl Space {
    /// How many structures were found.
    pub fn len(&self) -> usize {
        self.recorded.len()
    }

    /// Whether there is no initial structure.
    pub fn is_empty(&self) -> bool {
        self.recorded.is_empty()
    }

    /// The structures, in the order in which they were found; with the predicates of the prepared
    /// model.
    pub fn states(&self) -> impl Iterator<Item = Structure> {
        (0..self.len()).map(|n| self.state(n))
    }

    /// The structure of this number.
    pub fn state(&self, number: usize) -> Structure {
        let mut s = Structure::default();
        if let Some(layout) = self.layout {
            read(layout, self.recorded.state(number), &mut s);
        }
        s
    }

    /// Without what the prepared model adds.
    pub(crate) fn narrow(&self, model: &Model, number: usize) -> Structure {
        let s = self.state(number);
        self.layout.map_or_else(Structure::default, |layout| crate::prepared::narrow(model, layout, &s))
    }

    /// Whether everything reachable was seen, by structures that all fitted.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && !self.notes.overflow
    }

    /// Every edge, by source.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        (0..self.len())
            .flat_map(|from| (0..self.recorded.edges(from).len()).map(move |n| (from, n)))
            .map(|(from, n)| self.edge(from, n))
    }

    /// The n-th edge out of a state.
    pub fn edge(&self, from: usize, n: usize) -> Edge {
        let edge = &self.recorded.edges(from)[n];
        let definite = self.recorded.note(edge).first() == Some(&1);
        Edge { from, to: edge.to as usize, action: edge.label.0 as usize, definite }
    }

    /// Distinct (from, to, action).
    pub fn distinct_edges(&self) -> usize {
        self.edges().map(|e| (e.from, e.to, e.action)).collect::<HashSet<_>>().len()
    }

    /// The actions that lead to a state, and the states on the way, the state itself last.
    pub fn way(&self, state: usize) -> (Vec<usize>, Vec<usize>) {
        let states = self.recorded.way_to(state);
        let by = states.iter().filter_map(|s| self.recorded.parent(*s));
        (by.map(|(_, label)| label.0 as usize).collect(), states)
    }

    /// The memory that the states take, about.
    pub fn bytes(&self) -> u64 {
        self.recorded.states().map(|s| s.len() as u64 + 64).sum()
    }

    /// The first state with a fault.
    pub fn first(&self, fault: Fault) -> Option<BadState> {
        let found = self.recorded.faults.iter().find(|f| f.at.fault == fault)?;
        let action = (!found.initial).then_some(found.at.place as usize);
        Some(BadState { state: found.state as usize, action, definite: found.at.certain })
    }

    /// What the population owes: a name that loses individuals again and again gains some again and
    /// again.
    pub fn population(&self, prepared: &Prepared) -> Noted {
        let width = 2 * prepared.machine.layout.unary_words;
        crate::names::population(&self.recorded.notes().collect::<Vec<_>>(), width)
    }

    /// The space as a stepper of infinite runs.
    pub fn finished<'a>(&'a self, noted: &'a Noted) -> Finished<'a> {
        Finished { recorded: &self.recorded, letters: &self.letters, noted: Some(noted) }
    }
}

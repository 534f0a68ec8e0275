//! Which edges of a state are explored: a persistent set that satisfies the proviso, without what
//! sleeps (Figure 6.2, line 11, and Definition 6.2).
//!
//! Of sets alike, one that leads to states known already is better: it adds none.

use super::components::Terminal;
use super::marks::Marks;
use super::persistent::{AtHand, Sets};
use super::selective::{Proviso, Reduction};
use crate::store::{StateId, StateStore};
use independence::selective::Selective;
use independence::{Method, Set, members, node};
use logic::random::Random;
use space::{Edges, Label};

/// Reused from state to state.
#[derive(Default)]
pub(super) struct Choice {
    sets: Sets,
    /// All edges.
    edges: Vec<Looked>,
    /// Those that do not sleep, each with the choice it begins with, as a set.
    awake: Vec<(Looked, Set)>,
    starts: Vec<usize>,
    /// The edges to be explored.
    pub selected: Vec<Looked>,
}

/// An edge whose state was looked up.
#[derive(Clone, Copy)]
pub(super) struct Looked {
    /// Its position.
    pub edge: usize,
    /// The number of its state, if the search has come to it.
    pub known: Option<StateId>,
}

impl Choice {
    /// Looks the states of all edges up: what is selected is among these.
    pub fn look_up<K: StateStore>(
        &mut self,
        edges: &Edges,
        targets: &[K::Target],
        states: &K,
        marks: &Marks,
    ) {
        let guesses = targets.iter().filter_map(|target| states.prefetch(*target));
        guesses.for_each(|id| marks.prefetch(id));
        self.edges.clear();
        for (edge, target) in targets.iter().enumerate() {
            let state = if states.keeps_all() { &[] } else { edges.get(edge) };
            let known = states.find(state, *target).filter(|id| marks.is_entered(*id));
            self.edges.push(Looked { edge, known });
        }
    }

    /// Selects edges by their labels.
    pub fn select(&mut self, edges: &Edges, wanted: impl Fn(Label) -> bool) {
        self.selected.clear();
        self.selected.extend(self.edges.iter().filter(|looked| wanted(edges.labels[looked.edge])));
    }

    /// The order in which the selected are explored, which is free: what leads to known states
    /// first, so that it sleeps in the others without costing a visit; with sleep sets alone the
    /// last process first, as the thesis' package does.
    pub fn order(&mut self, last_first: bool) {
        if last_first {
            return self.selected.reverse();
        }
        self.selected.sort_by_key(|looked| looked.known.is_none());
    }

    /// Draws the order in which the selected are explored.
    pub fn shuffle(&mut self, random: &mut Random) {
        for last in (1..self.selected.len()).rev() {
            self.selected.swap(last, random.below(last + 1));
        }
    }

    /// Selects what must be explored from a state visited for the first time; `sleeping` is what
    /// sleeps there. Whether all that is enabled is in the set.
    pub fn choose(
        &mut self,
        stepper: &mut impl Selective,
        (edges, sleeping): (&Edges, &[Label]),
        reduction: Reduction,
        marks: &Marks,
    ) -> bool {
        self.awake.clear();
        let sleeps = |label: &Label| sleeping.binary_search(label).is_ok();
        let (Some(method), true) = (reduction.persistent, stepper.enabled().count_ones() > 1) else {
            self.select(edges, |label| !sleeps(&label));
            return true;
        };
        for looked in &self.edges {
            let label = edges.labels[looked.edge];
            if !sleeps(&label) {
                self.awake.push((*looked, choice(stepper, label)));
            }
        }
        let set = self.smallest(stepper, method, reduction.proviso == Proviso::Stack, marks);
        self.selected.clear();
        self.selected.extend(self.awake.iter().filter(|(_, choice)| choice & set != 0).map(|(a, _)| *a));
        set & stepper.enabled() == stepper.enabled()
    }

    /// How many edges do not sleep, where a set was looked for last.
    pub fn awake(&self) -> usize {
        self.awake.len()
    }

    /// Selects a persistent set that has the label, without what the root of its component has
    /// executed.
    pub fn around(
        &mut self,
        stepper: &mut impl Selective,
        (edges, terminal): (&Edges, &Terminal<'_>),
        method: Method,
        label: Label,
    ) {
        let start = choice(stepper, label).trailing_zeros() as usize;
        let set = self.sets.around(&mut AtHand(stepper, method), start);
        let nodes = stepper.nodes();
        let is_in = |label: Label| members(set).any(|at| nodes[at] == node(label));
        self.select(edges, |label| is_in(label) && !terminal.is_own(label));
    }

    fn smallest(
        &mut self,
        stepper: &mut impl Selective,
        method: Method,
        proviso: bool,
        marks: &Marks,
    ) -> Set {
        let Choice { sets, awake, starts, .. } = self;
        let awake: &[(Looked, Set)] = awake;
        let enabled = stepper.enabled();
        let new = awake.iter().filter(|(a, _)| a.known.is_none()).fold(0, |set, (_, choice)| set | choice);
        starts.clear();
        starts.extend(members(enabled & !new).chain(members(enabled & new)));
        let weight = |set: Set| awake.iter().filter(|(_, choice)| set & choice != 0).count() as u32;
        let ignores = |id: StateId| marks.is_on_stack(id) && !marks.is_grounded(id);
        let goes_on = |set: Set| {
            !proviso || awake.iter().any(|(a, choice)| set & choice != 0 && !a.known.is_some_and(ignores))
        };
        sets.each(&mut AtHand(stepper, method), starts.iter().copied(), weight, goes_on)
    }
}

/// The choice that a step begins with.
fn choice(stepper: &impl Selective, label: Label) -> Set {
    let begun = node(label);
    stepper.nodes().iter().position(|n| *n == begun).map_or(0, |at| 1 << at)
}

//! Which edges of a state are explored: a persistent set that satisfies the proviso, without what
//! sleeps (Figure 6.2, line 11, and Definition 6.2).
//!
//! Of sets alike, one that leads to states known already is better: it adds none.

use super::persistent::{AtHand, Sets};
use super::selective::{Mark, Proviso, Reduction};
use crate::store::{StateId, StateStore, hash};
use independence::selective::Selective;
use independence::{Method, Set, members, node};
use space::{Edges, Label};

/// Reused from state to state.
#[derive(Default)]
pub(super) struct Choice {
    sets: Sets,
    /// The edges that do not sleep.
    awake: Vec<Awake>,
    starts: Vec<usize>,
    /// The edges to be explored: each by its position, with the hash of its state.
    pub selected: Vec<(usize, u64)>,
}

struct Awake {
    successor: usize,
    /// The choice it begins with, as a set.
    choice: Set,
    hash: u64,
    known: Option<StateId>,
}

impl Choice {
    /// Selects edges by their labels.
    pub fn select(&mut self, edges: &Edges, wanted: impl Fn(Label) -> bool) {
        self.selected.clear();
        for (k, (state, label)) in edges.iter().zip(&edges.labels).enumerate() {
            if wanted(*label) {
                self.selected.push((k, hash(state)));
            }
        }
    }

    /// The order in which the selected are explored, which is free: what leads to known states
    /// first, so that it sleeps in the others without costing a visit; with sleep sets alone the
    /// last process first, as the thesis' package does.
    pub fn order(&mut self, edges: &Edges, last_first: bool, states: &impl StateStore) {
        if last_first {
            return self.selected.reverse();
        }
        self.selected.sort_by_key(|(k, hash)| states.find(edges.get(*k), *hash).is_none());
    }

    /// Selects what must be explored from a state visited for the first time; `sleeping` is what
    /// sleeps there. Whether all that is enabled is in the set.
    pub fn choose(
        &mut self,
        stepper: &mut impl Selective,
        (edges, sleeping): (&Edges, &[Label]),
        reduction: Reduction,
        (states, marks): (&impl StateStore, &[Mark]),
    ) -> bool {
        let sleeps = |label: &Label| sleeping.binary_search(label).is_ok();
        let (Some(method), true) = (reduction.persistent, stepper.enabled().count_ones() > 1) else {
            self.select(edges, |label| !sleeps(&label));
            return true;
        };
        self.look_up(stepper, edges, sleeps, states);
        let set = self.smallest(stepper, method, reduction.proviso == Proviso::Stack, marks);
        self.selected.clear();
        let chosen = self.awake.iter().filter(|a| a.choice & set != 0);
        self.selected.extend(chosen.map(|a| (a.successor, a.hash)));
        set & stepper.enabled() == stepper.enabled()
    }

    /// Selects a persistent set that has the label, without what was explored before.
    pub fn around(
        &mut self,
        stepper: &mut impl Selective,
        (edges, before): (&Edges, &[Label]),
        method: Method,
        label: Label,
    ) {
        let start = choice(stepper, label).trailing_zeros() as usize;
        let set = self.sets.around(&mut AtHand(stepper, method), start);
        let nodes = stepper.nodes();
        let is_in = |label: Label| members(set).any(|at| nodes[at] == node(label));
        self.select(edges, |label| is_in(label) && !before.contains(&label));
    }

    fn look_up(
        &mut self,
        stepper: &impl Selective,
        edges: &Edges,
        sleeps: impl Fn(&Label) -> bool,
        states: &impl StateStore,
    ) {
        self.awake.clear();
        for (successor, (state, label)) in edges.iter().zip(&edges.labels).enumerate() {
            if !sleeps(label) {
                let hash = hash(state);
                let known = states.find(state, hash);
                self.awake.push(Awake { successor, choice: choice(stepper, *label), hash, known });
            }
        }
    }

    fn smallest(
        &mut self,
        stepper: &mut impl Selective,
        method: Method,
        proviso: bool,
        marks: &[Mark],
    ) -> Set {
        let Choice { sets, awake, starts, .. } = self;
        let awake: &[Awake] = awake;
        let enabled = stepper.enabled();
        let new = awake.iter().filter(|a| a.known.is_none()).fold(0, |set, a| set | a.choice);
        starts.clear();
        starts.extend(members(enabled & !new).chain(members(enabled & new)));
        let weight = |set: Set| awake.iter().filter(|a| set & a.choice != 0).count() as u32;
        let ignores = |id: StateId| marks[id as usize].on_stack > 0 && !marks[id as usize].grounded;
        let goes_on =
            |set: Set| !proviso || awake.iter().any(|a| set & a.choice != 0 && !a.known.is_some_and(ignores));
        sets.each(&mut AtHand(stepper, method), starts.iter().copied(), weight, goes_on)
    }
}

/// The choice that a step begins with.
fn choice(stepper: &impl Selective, label: Label) -> Set {
    let begun = node(label);
    stepper.nodes().iter().position(|n| *n == begun).map_or(0, |at| 1 << at)
}

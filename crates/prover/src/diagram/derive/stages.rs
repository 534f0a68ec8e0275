//! Why every fair path through a finite graph leads to a goal: stages, the last first.
//!
//! A *node* is a set of states from which a fair transition leads on, to earlier stages; no other
//! step leaves the set but to earlier stages. For justice alone that is complete (Lehmann, Pnueli
//! and Stavi, *Impartiality, justice and fairness*, 1981): in a component that no fair path stays
//! in, some just transition is enabled everywhere and leads out. A compassionate transition need
//! not be enabled everywhere; then paths must lead where it is, by stages of their own. A path that
//! stays where a premise of the property, that something recurs, is false need not lead on. Where
//! nothing else helps, the component is a *loop*: some number never grows in it, and what makes it
//! smaller counts as leading on (Streett's emptiness test, with the number as the pair).

use super::space::{Space, Step};
use std::collections::BTreeSet;

/// A part of the way to the goal.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    /// States, and what leads on from them.
    Node { states: BTreeSet<usize>, by: Helps },
    /// States in which a number never grows, and the way to where it is smaller.
    Loop { number: usize, inner: Vec<Stage> },
}

/// Why no path that matters stays in some states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Helps {
    /// This transition is fair, and leads on.
    Transition(usize),
    /// This premise is false there: what it says does not recur.
    Premise(usize),
}

/// A search for stages.
#[derive(Clone)]
struct Search<'a> {
    space: &'a Space<'a>,
    /// Where what recurs holds, for each premise.
    again: &'a [Vec<bool>],
    /// Where a path has arrived.
    done: Vec<bool>,
    /// Numbers that count: to make one smaller is to lead on.
    counted: u64,
}

/// Stages for these states; none if some fair path stays among them and finds each of `again` again
/// and again.
pub(super) fn stages(space: &Space<'_>, pending: &[usize], again: &[Vec<bool>]) -> Option<Vec<Stage>> {
    let mut done = vec![true; space.points.len()];
    pending.iter().for_each(|at| done[*at] = false);
    Search { space, again, done, counted: 0 }.all(pending.iter().copied().collect())
}

impl Stage {
    /// All states of it.
    pub(super) fn states(&self) -> Vec<usize> {
        match self {
            Stage::Node { states, .. } => states.iter().copied().collect(),
            Stage::Loop { inner, .. } => inner.iter().flat_map(Stage::states).collect(),
        }
    }
}

impl Search<'_> {
    fn leads_on(&self, step: &Step) -> bool {
        self.done[step.to] || step.lowers & self.counted != 0
    }

    fn all(&mut self, mut left: BTreeSet<usize>) -> Option<Vec<Stage>> {
        let mut found = Vec::new();
        while !left.is_empty() {
            if self.space.judge.is_over() {
                return None;
            }
            let stage = self.node(&left).or_else(|| self.premise(&left)).or_else(|| self.circle(&left))?;
            for at in stage.states() {
                self.done[at] = true;
                left.remove(&at);
            }
            found.push(stage);
        }
        Some(found)
    }

    /// The largest set from which one transition leads on.
    fn node(&self, left: &BTreeSet<usize>) -> Option<Stage> {
        let sets = self.space.fair().into_iter().map(|by| (by, self.helped(left, by)));
        let some = sets.filter(|(_, states)| !states.is_empty());
        // Of sets of the same size the first.
        let best = some.reduce(|a, b| if b.1.len() > a.1.len() { b } else { a });
        best.map(|(by, states)| Stage::Node { states, by: Helps::Transition(by) })
    }

    /// The largest set in which some premise is false all the time.
    fn premise(&self, left: &BTreeSet<usize>) -> Option<Stage> {
        let all = self.again.iter().enumerate().map(|(at, holds)| {
            let never = left.iter().filter(|state| !holds[**state]).copied().collect();
            (Helps::Premise(at), self.closed(never))
        });
        let some = all.filter(|(_, states)| !states.is_empty());
        some.max_by_key(|(_, states)| states.len()).map(|(by, states)| Stage::Node { states, by })
    }

    /// The largest part of some states that no step leaves but to lead on.
    fn closed(&self, mut states: BTreeSet<usize>) -> BTreeSet<usize> {
        let steps = &self.space.steps;
        loop {
            let stays = |at: &usize| steps[*at].iter().all(|s| self.leads_on(s) || states.contains(&s.to));
            let kept: BTreeSet<usize> = states.iter().filter(|at| stays(at)).copied().collect();
            if kept.len() == states.len() {
                return states;
            }
            states = kept;
        }
    }

    fn helped(&self, left: &BTreeSet<usize>, by: usize) -> BTreeSet<usize> {
        let (steps, strong) = (&self.space.steps, self.space.is_compassionate(by));
        let leads = |at: &usize| steps[*at].iter().all(|s| s.by != by || self.leads_on(s));
        let enabled = |at: &usize| self.space.enabled(*at, by);
        let may = left.iter().filter(|at| leads(at) && (strong || enabled(at))).copied();
        let mut states = self.closed(may.collect());
        if strong && !self.comes_again(&states, by) {
            states.clear();
        }
        states
    }

    /// Whether each fair path within some states comes where a transition is enabled, or leaves.
    fn comes_again(&self, states: &BTreeSet<usize>, by: usize) -> bool {
        let off: BTreeSet<usize> =
            states.iter().filter(|at| !self.space.enabled(**at, by)).copied().collect();
        if off.len() == states.len() {
            return false;
        }
        let mut inner = self.clone();
        (0..inner.done.len()).for_each(|at| inner.done[at] = !off.contains(&at));
        inner.all(off).is_some()
    }

    /// A component that no step leaves but to lead on, with a number that never grows in it.
    fn circle(&self, left: &BTreeSet<usize>) -> Option<Stage> {
        let states: Vec<usize> = left.iter().copied().collect();
        let place = |at: usize| states.binary_search(&at).ok();
        let stays = |s: &&Step| !self.leads_on(s);
        let next = |n: usize, nth: usize| {
            let steps = self.space.steps[states[n]].iter().filter(stays);
            steps.filter_map(|s| place(s.to)).nth(nth)
        };
        let found = logic::Components::new(states.len(), next);
        // Edges lead to earlier ones only, so none leaves the first.
        let bottom: BTreeSet<usize> = found.members.first()?.iter().map(|n| states[*n]).collect();
        let within = || bottom.iter().flat_map(|at| &self.space.steps[*at]).filter(stays);
        let numbers = 0..self.space.made.watched.len();
        let falls =
            |n: &usize| within().all(|s| s.raises >> n & 1 == 0) && within().any(|s| s.lowers >> n & 1 == 1);
        numbers.filter(falls).find_map(|number| {
            let mut inner = Search { counted: self.counted | 1 << number, ..self.clone() };
            Some(Stage::Loop { number, inner: inner.all(bottom.clone())? })
        })
    }
}

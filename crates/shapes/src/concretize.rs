//! Concrete initial states: an initial structure with a number of individuals for each summary
//! node.
//!
//! Every summary node is split into single ones; then each value of 1/2 is tried both ways, and
//! coerce cuts what cannot be. What is left is checked by the two-valued semantics alone: every
//! constraint holds and every derived predicate is what its definition says.

use crate::coerce::Coercion;
use crate::concrete::{Concrete, State};
use structures::constraint::Constraint;
use structures::kleene::Kleene;
use structures::structure::Structure;
use structures::vocabulary::{Layout, SUMMARY, Vocabulary};

/// No more states than this are made of one structure.
const MANY: usize = 2_000;

/// Finds concrete states that a structure represents.
pub struct Concretizer<'a> {
    /// The predicates of the structure.
    pub vocabulary: &'a Vocabulary,
    /// Sharpens structures before they are expanded.
    pub coercion: &'a Coercion,
    /// What every state satisfies.
    pub constraints: &'a [Constraint],
}

/// The sizes to try for these summary nodes: smallest sum first, each at least 1, `most`
/// individuals in all at most.
pub fn populations(summaries: usize, most: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..summaries {
        all = all
            .into_iter()
            .flat_map(|sizes: Vec<usize>| {
                (1..=most).map(move |size| sizes.iter().copied().chain([size]).collect::<Vec<_>>())
            })
            .filter(|sizes| sizes.iter().sum::<usize>() <= most)
            .collect();
    }
    all.sort_by_key(|sizes| (sizes.iter().sum::<usize>(), sizes.clone()));
    all
}

impl Concretizer<'_> {
    /// The summary nodes of a structure.
    pub fn summaries(&self, s: &Structure) -> Vec<usize> {
        (0..s.nodes).filter(|u| s.is_summary(self.vocabulary.layout(), *u)).collect()
    }

    /// The states with the given number of individuals for each summary node, and whether these are
    /// all.
    pub fn states(&self, s: &Structure, sizes: &[usize]) -> (Vec<State>, bool) {
        let layout = self.vocabulary.layout();
        let mut s = s.clone();
        for (node, size) in self.summaries(&s).into_iter().zip(sizes) {
            for _ in 1..*size {
                let Some(new) = s.split_node(layout, node) else { return (Vec::new(), false) };
                s.set_single(layout, new);
            }
            s.set_single(layout, node);
        }
        let mut found = Vec::new();
        let complete = self.split(s, layout, &mut found);
        (found, complete)
    }

    fn split(&self, mut s: Structure, layout: Layout, found: &mut Vec<State>) -> bool {
        let mut desk = self.coercion.desk();
        if !self.coercion.coerce(&mut s, &mut desk) {
            return true;
        }
        let predicates = self.vocabulary.predicates.iter().filter(|p| p.symbol != SUMMARY);
        let mut open = predicates.flat_map(|p| p.symbol.tuples(s.nodes).map(|t| (p.symbol, t)));
        match open.find(|(symbol, tuple)| s.get(layout, *symbol, *tuple) == Kleene::Half) {
            None => {
                found.extend(self.state(&s, layout));
                found.len() <= MANY
            }
            Some((symbol, tuple)) => [Kleene::False, Kleene::True].into_iter().all(|value| {
                let mut case = s.clone();
                case.set(layout, symbol, tuple, value);
                self.split(case, layout, found)
            }),
        }
    }

    /// The state that a definite structure is, if it is in order.
    fn state(&self, s: &Structure, layout: Layout) -> Option<State> {
        let concrete = Concrete::new(self.vocabulary);
        let mut state = concrete.empty(s.nodes);
        for predicate in &self.vocabulary.predicates {
            for tuple in predicate.symbol.tuples(s.nodes) {
                concrete.set(
                    &mut state,
                    predicate.symbol,
                    tuple,
                    s.get(layout, predicate.symbol, tuple).must(),
                );
            }
        }
        let mut derived = state.clone();
        concrete.derive(&mut derived);
        let good = derived == state && self.constraints.iter().all(|c| concrete.holds(&state, &c.formula()));
        good.then_some(state)
    }
}

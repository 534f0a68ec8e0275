//! Embedding, by its definition: a concrete state is one of those that a three-valued structure
//! stands for if its individuals can be mapped onto the nodes so that every value is the same or
//! 1/2, and a node with several individuals is a summary.
//!
//! Written for tests and for `--cross-check`: plain backtracking, no names, no bits.

use crate::concrete::{Concrete, State};
use crate::kleene::Kleene;
use crate::structure::Structure;
use crate::vocabulary::{Layout, SUMMARY};

/// Decides which concrete states a structure represents.
pub struct Embedding<'a> {
    /// The concrete states.
    pub concrete: &'a Concrete<'a>,
    /// Where the structure has its predicates.
    pub layout: Layout,
}

impl Embedding<'_> {
    /// Whether the structure stands for the state.
    pub fn covers(&self, s: &Structure, state: &State) -> bool {
        let nullary = self.concrete.vocabulary.predicates.iter().filter(|p| p.symbol.arity() == 0);
        let agree = nullary.into_iter().all(|p| {
            let value = Kleene::from(self.concrete.get(state, p.symbol, [0, 0]));
            value.below(s.get(self.layout, p.symbol, [0, 0]))
        });
        agree && s.nodes <= state.individuals && self.extend(s, state, &mut Vec::new())
    }

    fn extend(&self, s: &Structure, state: &State, map: &mut Vec<usize>) -> bool {
        let u = map.len();
        if u == state.individuals {
            return (0..s.nodes).all(|node| map.contains(&node));
        }
        for node in 0..s.nodes {
            let crowded = map.contains(&node) && !s.is_summary(self.layout, node);
            map.push(node);
            if !crowded && self.agrees(s, state, map) && self.extend(s, state, map) {
                return true;
            }
            map.pop();
        }
        false
    }

    /// Whether the last individual mapped fits.
    fn agrees(&self, s: &Structure, state: &State, map: &[usize]) -> bool {
        let last = map.len() - 1;
        let predicates = self.concrete.vocabulary.predicates.iter();
        predicates.filter(|p| p.symbol != SUMMARY && p.symbol.arity() > 0).all(|p| {
            let mapped = p.symbol.tuples(map.len());
            let new = mapped.filter(|t| t[..p.symbol.arity()].contains(&last));
            new.into_iter().all(|tuple| {
                let node = |u: usize| map.get(u).copied().unwrap_or(0);
                let value = Kleene::from(self.concrete.get(state, p.symbol, tuple));
                value.below(s.get(self.layout, p.symbol, [node(tuple[0]), node(tuple[1])]))
            })
        })
    }
}

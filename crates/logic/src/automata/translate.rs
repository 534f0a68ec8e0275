//! From a formula to a small automaton: the tableau, then what makes its result smaller.

use super::bdd::Manager;
use super::closure::Closure;
use super::{Automaton, components, graph, tableau};
use crate::ltl::Formula;
use std::fmt;

/// Why a formula has no automaton here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// More than 64 propositions.
    Propositions,
    /// More than 64 past operators.
    Past,
    /// More than 64 acceptance sets.
    Sets,
    States,
    Labels,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TooLarge::Propositions => "the formula has more than 64 propositions",
            TooLarge::Past => "the formula has more than 64 past operators",
            TooLarge::Sets => "the automaton of the formula needs more than 64 acceptance sets",
            TooLarge::States => "the automaton of the formula has too many states",
            TooLarge::Labels => "the labels of the automaton of the formula are too large",
        })
    }
}

impl std::error::Error for TooLarge {}

/// More nodes of decision diagrams are refused.
pub(super) const NODES: usize = 1 << 22;

/// An automaton that accepts the words that satisfy `formula` at their first position. Its letters have as many propositions as the
/// largest atom says.
pub fn translate(formula: &Formula<usize>) -> Result<Automaton, TooLarge> {
    let mut bdd = Manager::new(NODES);
    let (closure, id) = Closure::of(formula)?;
    let graph = tableau::tableau(closure, id, &mut bdd)?;
    let graph = components::prune(graph);
    Ok(graph::close(&graph, propositions(formula), &mut bdd))
}

/// One more than the largest atom.
pub(super) fn propositions(formula: &Formula<usize>) -> usize {
    let mut count = 0;
    formula.atoms(&mut |&p| count = count.max(p + 1));
    count
}

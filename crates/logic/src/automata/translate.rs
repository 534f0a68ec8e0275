//! From a formula to a small automaton: the tableau, then what makes its result smaller.

use super::bdd::Manager;
use super::closure::{Class, Closure};
use super::components::prune;
use super::degeneralize::{On, degeneralize};
use super::graph::{self, Graph};
use super::obligation::Weak;
use super::reduce::reduce;
use super::{Automaton, tableau};
use crate::ltl::simplify::simplify_at_start;
use crate::ltl::{Formula, normal};

/// Why a formula has no automaton here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// More than 64 propositions.
    #[error("the formula has more than 64 propositions")]
    Propositions,
    /// More than 64 past operators.
    #[error("the formula has more than 64 past operators")]
    Past,
    /// More than 64 acceptance sets.
    #[error("the automaton of the formula needs more than 64 acceptance sets")]
    Sets,
    /// Too many states or edges.
    #[error("the automaton of the formula has too many states or edges")]
    States,
    /// The labels need too many nodes of decision diagrams.
    #[error("the labels of the automaton of the formula are too large")]
    Labels,
}

/// More nodes of decision diagrams are refused.
pub(super) const NODES: usize = 1 << 22;

/// Automata with more edges are not made deterministic.
const DETERMINISED: usize = 10_000;

/// Formulas with larger normal forms are translated as they are.
const SIMPLIFIED: u64 = 2000;

/// An automaton that accepts the words that satisfy `formula` at their first position. Its letters
/// have as many propositions as the largest atom says.
pub fn translate(formula: &Formula<usize>) -> Result<Automaton, TooLarge> {
    let mut bdd = Manager::new(NODES);
    let graph = small(&simple(formula), &mut bdd)?;
    close(&graph, propositions(formula), &mut bdd)
}

/// A Büchi automaton: with at most one acceptance set, on edges or on states. Without a set every
/// infinite run accepts.
pub fn buchi(formula: &Formula<usize>, on: On) -> Result<Automaton, TooLarge> {
    let mut bdd = Manager::new(NODES);
    let mut graph = small(&simple(formula), &mut bdd)?;
    if graph.sets > 0 {
        graph = reduce(degeneralize(&graph, on), on, &mut bdd);
    }
    close(&graph, propositions(formula), &mut bdd)
}

/// The same words with one acceptance set at most, on edges or on states.
pub fn to_buchi(automaton: &Automaton, on: On) -> Result<Automaton, TooLarge> {
    let mut bdd = Manager::new(NODES);
    let graph = reduce(graph::open(automaton, &mut bdd), On::Edges, &mut bdd);
    let graph = reduce(degeneralize(&graph, on), on, &mut bdd);
    close(&graph, automaton.propositions, &mut bdd)
}

/// The formula simplified, unless its normal form is very large.
pub(super) fn simple(formula: &Formula<usize>) -> Formula<usize> {
    if normal::size(formula) > SIMPLIFIED { formula.clone() } else { simplify_at_start(formula) }
}

/// The tableau made smaller.
fn small(formula: &Formula<usize>, bdd: &mut Manager) -> Result<Graph, TooLarge> {
    let (closure, id) = Closure::of(formula)?;
    let class = closure.facts[id as usize].class;
    let graph = reduce(tableau::tableau(closure, id, bdd)?, On::Edges, bdd);
    match weak(formula, class, &graph, bdd) {
        Some(weak) if weak.size() <= graph.size() => Ok(weak),
        _ => Ok(graph),
    }
}

/// The minimal deterministic automaton, if the formula is an obligation and this is cheap to find
/// out.
fn weak(formula: &Formula<usize>, class: Class, graph: &Graph, bdd: &mut Manager) -> Option<Graph> {
    if graph.edges() > DETERMINISED {
        return None;
    }
    let weak = Weak::of(graph, 4 * graph.states.len() + 8, bdd).ok()?;
    let pruned = prune(weak.0.clone(), On::Edges);
    if pruned.size() > graph.size() {
        return None;
    }
    if !class.obligation {
        if !weak.contains(graph, bdd).ok()? {
            return None;
        }
        let (closure, id) = Closure::of(&Formula::negation(formula.clone())).ok()?;
        let negation = tableau::tableau(closure, id, bdd).ok()?;
        if !weak.misses(&negation, bdd).ok()? {
            return None;
        }
    }
    Some(pruned)
}

fn close(graph: &Graph, propositions: usize, bdd: &mut Manager) -> Result<Automaton, TooLarge> {
    let automaton = graph::close(graph, propositions, bdd);
    if bdd.full { Err(TooLarge::Labels) } else { Ok(automaton) }
}

/// One more than the largest atom.
pub(super) fn propositions(formula: &Formula<usize>) -> usize {
    let mut count = 0;
    formula.atoms(&mut |&p| count = count.max(p + 1));
    count
}

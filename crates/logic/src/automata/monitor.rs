//! Monitors: deterministic finite automata that see a violation as soon as no continuation can mend
//! it.
//!
//! The safety closure of a language is what its finite prefixes cannot refute (Alpern and Schneider
//! 1987). Without dead states, an automaton whose acceptance is forgotten accepts the closure; the
//! subset construction makes it deterministic, where the empty set is the state in which all is
//! lost (Kupferman and Vardi 2001). The result is minimal. A formula is a safety property if its
//! closure has no word of its negation; it is a liveness property if its closure is everything.

use super::bdd::Manager;
use super::closure::Closure as Formulas;
use super::degeneralize::On;
use super::graph::{self, Arc, Graph};
use super::powerset::powerset;
use super::reduce::reduce;
use super::translate::{NODES, propositions, simple};
use super::{Label, TooLarge, bisimulation, tableau, words};
use crate::ltl::Formula;

/// More sets of states are refused.
const SETS: usize = 1 << 14;

/// Complete and deterministic: each letter is in the label of one edge of each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// How many propositions a letter has.
    pub propositions: usize,
    /// The state in which every word begins.
    pub initial: usize,
    /// The state that says: violated. It is never left. Without one no finite prefix violates the
    /// formula.
    pub sink: Option<usize>,
    /// By state: the labels of its edges, and where they lead.
    pub states: Vec<Vec<(Label, usize)>>,
}

impl Monitor {
    /// The state after a letter.
    pub fn next(&self, state: usize, letter: u64) -> usize {
        let edge = self.states[state].iter().find(|(label, _)| label.holds(letter));
        edge.map_or(state, |&(_, to)| to)
    }

    /// Whether it has no state but the initial one and the sink: a letter breaks the formula
    /// whatever came before it.
    pub fn remembers_nothing(&self) -> bool {
        (0..self.states.len()).all(|state| state == self.initial || Some(state) == self.sink)
    }
}

/// A monitor that finds every violation of `formula`, if the formula is a safety property.
pub fn monitor(formula: &Formula<usize>) -> Result<Option<Monitor>, TooLarge> {
    let mut bdd = Manager::new(NODES);
    let closure = Closure::of(formula, &mut bdd)?;
    Ok(if closure.is_exact(formula, &mut bdd)? { Some(closure.monitor(formula, &mut bdd)?) } else { None })
}

/// A monitor that finds what violations of any formula a finite prefix can show.
pub fn closure_monitor(formula: &Formula<usize>) -> Result<Monitor, TooLarge> {
    let mut bdd = Manager::new(NODES);
    Closure::of(formula, &mut bdd)?.monitor(formula, &mut bdd)
}

/// Is every violation seen in a finite prefix?
pub fn is_safety(formula: &Formula<usize>) -> Result<bool, TooLarge> {
    let mut bdd = Manager::new(NODES);
    Closure::of(formula, &mut bdd)?.is_exact(formula, &mut bdd)
}

/// Can every finite prefix be continued to a word that satisfies the formula?
pub fn is_liveness(formula: &Formula<usize>) -> Result<bool, TooLarge> {
    Ok(closure_monitor(formula)?.sink.is_none())
}

/// The safety closure of a formula: complete and deterministic, all edges of the violated state and
/// no others in the one set.
struct Closure(Graph);

impl Closure {
    fn of(formula: &Formula<usize>, bdd: &mut Manager) -> Result<Closure, TooLarge> {
        let (closure, id) = Formulas::of(&simple(formula))?;
        let graph = reduce(tableau::tableau(closure, id, bdd)?, On::Edges, bdd);
        let mut subsets = powerset(&graph, SETS, bdd)?;
        subsets.graph.sets = 1;
        for (members, arcs) in subsets.members.iter().zip(&mut subsets.graph.states) {
            let violated = members.iter().all(|&state| graph.states[state].is_empty());
            arcs.iter_mut().for_each(|arc| arc.sets = violated as u64);
        }
        let graph = bisimulation::quotient(subsets.graph, bdd).reachable();
        if bdd.full { Err(TooLarge::Labels) } else { Ok(Closure(graph)) }
    }

    /// The words of the closure, as an automaton in which every run accepts.
    fn words(&self) -> Graph {
        let states =
            self.0.states.iter().map(|arcs| arcs.iter().filter(|arc| arc.sets == 0).copied().collect());
        Graph { sets: 0, initial: self.0.initial, states: states.collect() }
    }

    /// Is the closure the formula itself?
    fn is_exact(&self, formula: &Formula<usize>, bdd: &mut Manager) -> Result<bool, TooLarge> {
        let (closure, id) = Formulas::of(&simple(formula))?;
        if closure.facts[id as usize].class.safety {
            return Ok(true);
        }
        let (closure, id) = Formulas::of(&simple(&Formula::negation(formula.clone())))?;
        let negation = tableau::tableau(closure, id, bdd)?;
        let both = words::product(&self.words(), &negation, bdd)?;
        Ok(words::lasso(&both, bdd).is_none())
    }

    fn monitor(&self, formula: &Formula<usize>, bdd: &mut Manager) -> Result<Monitor, TooLarge> {
        let mut edge = |arc: &Arc| (graph::label(arc.label, bdd), arc.to);
        let states = self.0.states.iter().map(|arcs| arcs.iter().map(&mut edge).collect()).collect();
        let monitor = Monitor {
            propositions: propositions(formula),
            initial: self.0.initial,
            sink: self.0.states.iter().position(|arcs| arcs.iter().all(|arc| arc.sets == 1)),
            states,
        };
        if bdd.full { Err(TooLarge::Labels) } else { Ok(monitor) }
    }
}

//! Minimal deterministic automata for obligations: Boolean combinations of safety and guarantee.
//!
//! After Dax, Eisinger, Klaedtke, "Mechanizing the powerset construction for restricted classes of
//! ω-automata" (ATVA 2007): an obligation has a weak deterministic automaton on the subsets of any
//! automaton for it, where a component accepts if one of its cycles, whichever, is accepted.
//! Löding, "Efficient minimization of deterministic weak ω-automata" (IPL 2001): with components
//! numbered by how often acceptance can still change, minimization is that of finite automata.
//! Whether the result is right is decided by products with the automata of the formula and of its
//! negation, unless the formula is an obligation by its syntax.

use super::bdd::Manager;
use super::components::Components;
use super::graph::{Arc, Graph};
use super::powerset::{Powerset, powerset};
use super::words::{self, accepts_from};
use super::{TooLarge, bisimulation};

/// A complete deterministic automaton in which a run accepts if it ends up in states whose edges
/// are marked.
pub struct Weak(pub Graph);

impl Weak {
    /// The minimal weak automaton of the language, if that is an obligation. At most `limit` sets
    /// of states are looked at.
    pub fn of(graph: &Graph, limit: usize, bdd: &mut Manager) -> Result<Weak, TooLarge> {
        let mut subsets = powerset(graph, limit, bdd)?;
        mark(&mut subsets, graph, bdd);
        Ok(Weak(bisimulation::quotient(subsets.graph, bdd).reachable()))
    }

    pub(crate) fn complement(&self) -> Weak {
        let flip = |arc: &Arc| Arc { sets: arc.sets ^ 1, ..*arc };
        let states = self.0.states.iter().map(|arcs| arcs.iter().map(flip).collect()).collect();
        Weak(Graph { states, ..self.0 })
    }

    /// Does it accept all words that `graph` does?
    pub fn contains(&self, graph: &Graph, bdd: &mut Manager) -> Result<bool, TooLarge> {
        self.complement().misses(graph, bdd)
    }

    /// Does it accept no word that `graph` accepts?
    pub fn misses(&self, graph: &Graph, bdd: &mut Manager) -> Result<bool, TooLarge> {
        let product = words::product(&self.0, graph, bdd)?;
        Ok(!Components::of(&product).accepting.contains(&true))
    }
}

/// Marks the edges out of each subset whose level is even. The level of a component is the largest
/// of those it leads to, or one more where acceptance changes: even if it accepts, odd if it does
/// not.
fn mark(subsets: &mut Powerset, graph: &Graph, bdd: &Manager) {
    let components = Components::of(&subsets.graph);
    let mut levels: Vec<usize> = Vec::new();
    for component in 0..components.members.len() {
        let arcs = components.members[component].iter().flat_map(|&state| &subsets.graph.states[state]);
        let after = arcs.map(|arc| components.of[arc.to]).filter(|&c| c != component);
        let below = after.map(|c| levels[c]).max().unwrap_or(0);
        levels.push(match accepts(&components, component, subsets, graph, bdd) {
            Some(true) => below.next_multiple_of(2),
            Some(false) => below | 1,
            None => below,
        });
    }
    subsets.graph.sets = 1;
    for (state, arcs) in subsets.graph.states.iter_mut().enumerate() {
        let even = levels[components.of[state]].is_multiple_of(2);
        arcs.iter_mut().for_each(|arc| arc.sets = even as u64);
    }
}

/// Is some cycle of the component accepted? None if it has no cycle.
fn accepts(
    components: &Components,
    component: usize,
    subsets: &Powerset,
    graph: &Graph,
    bdd: &Manager,
) -> Option<bool> {
    let state = components.members[component][0];
    let inside = |from: usize, arc: &Arc| components.of[from] == component && arc.to == state;
    let (cycle, _) = words::path(&subsets.graph, state, inside)?;
    let letters: Vec<u64> = cycle.iter().map(|arc| words::letter(arc.label, bdd)).collect();
    Some(accepts_from(graph, &subsets.members[state], &letters, bdd))
}

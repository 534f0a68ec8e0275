//! Automata seen through finite prefixes, for the classes of properties of Manna and Pnueli.
//!
//! * The [closure] accepts the words of which every prefix can still be continued to an accepted
//!   word. It differs from the automaton exactly if that is no safety property (Alpern and
//!   Schneider 1987). If it [accepts everything](is_universal), the property is a liveness
//!   property.
//! * The [weakening](weakened) follows the set of states besides the state, and accepts as soon as
//!   a run stays in a component that has an accepting cycle. It differs from the automaton exactly
//!   if that is no persistence property: after Boker and Kupferman, "Co-ing Büchi made tight and
//!   useful" (LICS 2009).
//!
//! Safety and guarantee, persistence and recurrence are dual: the others are asked of the automaton
//! of the negation.

use super::bdd::{FALSE, Manager};
use super::components::{Components, prune};
use super::degeneralize::On;
use super::graph::{self, Arc, Graph};
use super::hash::Map;
use super::powerset::powerset;
use super::translate::NODES;
use super::{Automaton, TooLarge};

/// More sets of states are not looked at.
const SUBSETS: usize = 1 << 14;
/// More states are not made.
const STATES: usize = 1 << 18;

/// The words of which every prefix is one of an accepted word.
pub fn closure(automaton: &Automaton) -> Result<Automaton, TooLarge> {
    let mut bdd = Manager::new(NODES);
    let graph = closed(graph::open(automaton, &mut bdd));
    let result = graph::close(&graph, automaton.propositions, &mut bdd);
    if bdd.full { Err(TooLarge::Labels) } else { Ok(result) }
}

/// All states can accept something, so every infinite run is one of prefixes of accepted words.
fn closed(graph: Graph) -> Graph {
    let mut graph = prune(graph, On::Edges);
    graph.sets = 0;
    graph.states.iter_mut().flatten().for_each(|arc| arc.sets = 0);
    graph
}

/// Does an automaton without sets accept every word?
pub(crate) fn is_universal(automaton: &Automaton) -> Result<bool, TooLarge> {
    let mut bdd = Manager::new(NODES);
    let graph = graph::open(automaton, &mut bdd);
    let subsets = powerset(&graph, SUBSETS, &mut bdd)?;
    Ok(!subsets.members.contains(&Vec::new()))
}

/// An automaton that accepts at least what this one does, and the same if that is a persistence
/// property.
pub fn weakened(automaton: &Automaton) -> Result<Automaton, TooLarge> {
    let mut bdd = Manager::new(NODES);
    let graph = prune(graph::open(automaton, &mut bdd), On::Edges);
    let mut followed = followed(&graph, &mut bdd)?;
    let components = Components::of(&followed);
    followed.sets = 1;
    for (state, arcs) in followed.states.iter_mut().enumerate() {
        let here = components.of[state];
        for arc in arcs {
            arc.sets = u64::from(components.accepting[here] && components.of[arc.to] == here);
        }
    }
    let result = graph::close(&followed, automaton.propositions, &mut bdd);
    if bdd.full { Err(TooLarge::Labels) } else { Ok(result) }
}

/// Each state together with the set of states that the automaton can be in.
fn followed(graph: &Graph, bdd: &mut Manager) -> Result<Graph, TooLarge> {
    let subsets = powerset(graph, SUBSETS, bdd)?.graph;
    let start = (graph.initial, subsets.initial);
    let (mut numbers, mut pairs) = (Map::from_iter([(start, 0)]), vec![start]);
    let mut states: Vec<Vec<Arc>> = Vec::new();
    while let Some(&(state, set)) = pairs.get(states.len()) {
        let mut arcs = Vec::new();
        for own in &graph.states[state] {
            for all in &subsets.states[set] {
                let label = bdd.and(own.label, all.label);
                if label != FALSE {
                    let pair = (own.to, all.to);
                    let to = *numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    arcs.push(Arc { label, to, sets: own.sets });
                }
            }
        }
        states.push(arcs);
        if bdd.full {
            return Err(TooLarge::Labels);
        }
        if pairs.len() > STATES {
            return Err(TooLarge::States);
        }
    }
    Ok(Graph { sets: graph.sets, initial: 0, states })
}

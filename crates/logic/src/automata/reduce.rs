//! Smaller automata for the same words: each way by itself, and all of them until nothing changes.

use super::bdd::Manager;
use super::components::{prune, raise};
use super::degeneralize::On;
use super::graph::Graph;
use super::{bisimulation, simulation};

/// One way to make an automaton smaller.
type Pass = fn(Graph, On, &mut Manager) -> Graph;

const PASSES: [Pass; 4] = [
    |graph, on, bdd| bisimulation::quotient(prune(graph, on), bdd),
    |graph, on, bdd| prune(simulation::quotient(graph, bdd), on),
    |mut graph, on, bdd| {
        raise(&mut graph, on);
        prune(simulation::quotient(graph, bdd), on)
    },
    |graph, on, bdd| prune(simulation::reverse_quotient(graph, on, bdd), on),
];

/// All ways in turn, until none of them makes states or edges fewer. Sets that are on states stay
/// on states.
pub fn reduce(mut graph: Graph, on: On, bdd: &mut Manager) -> Graph {
    let mut idle = 0;
    for pass in PASSES.iter().cycle() {
        let before = graph.size();
        graph = pass(graph, on, bdd);
        idle = if graph.size() < before { 0 } else { idle + 1 };
        if idle >= PASSES.len() {
            break;
        }
    }
    graph
}

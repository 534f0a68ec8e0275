//! Smaller automata for the same words: each way by itself, and all of them until nothing changes.

use super::bdd::Manager;
use super::degeneralize::On;
use super::graph::Graph;
use super::{bisimulation, components, simulation};

/// Until neither states nor edges become fewer. If all edges out of each state have the same sets, this stays so.
pub fn reduce(mut graph: Graph, on: On, bdd: &mut Manager) -> Graph {
    let prune = |graph| components::prune(graph, on);
    loop {
        let before = (graph.states.len(), graph.edges());
        graph = bisimulation::quotient(prune(graph), bdd);
        graph = prune(simulation::quotient(graph, bdd));
        components::raise(&mut graph, on);
        graph = prune(simulation::quotient(graph, bdd));
        graph = prune(simulation::reverse_quotient(graph, on, bdd));
        if (graph.states.len(), graph.edges()) >= before {
            return graph;
        }
    }
}

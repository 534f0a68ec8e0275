//! States with the same edges to the same classes are one state: the coarsest partition, by
//! refinement.
//!
//! Cheap, and done first, so that the costlier simulation has fewer pairs to look at.

use super::bdd::Manager;
use super::graph::{self, Arc, Graph};
use super::hash::Map;

pub fn quotient(graph: Graph, bdd: &mut Manager) -> Graph {
    let (mut class, mut count) = (vec![0; graph.states.len()], 1);
    loop {
        let mut classes: Map<(usize, Vec<Arc>), usize> = Map::default();
        let refined: Vec<usize> = graph
            .states
            .iter()
            .enumerate()
            .map(|(state, arcs)| {
                let next = classes.len();
                *classes.entry((class[state], project(arcs, &class, bdd))).or_insert(next)
            })
            .collect();
        let more = classes.len();
        class = refined;
        if more == count {
            break;
        }
        count = more;
    }
    if count == graph.states.len() {
        return graph;
    }
    let mut states = vec![Vec::new(); count];
    for (state, arcs) in graph.states.iter().enumerate() {
        if states[class[state]].is_empty() {
            states[class[state]] = project(arcs, &class, bdd);
        }
    }
    Graph { initial: class[graph.initial], states, ..graph }
}

/// The edges with classes in place of states.
fn project(arcs: &[Arc], class: &[usize], bdd: &mut Manager) -> Vec<Arc> {
    let mut arcs = arcs.iter().map(|arc| Arc { to: class[arc.to], ..*arc }).collect();
    graph::join(&mut arcs, bdd);
    arcs
}

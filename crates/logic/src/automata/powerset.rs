//! The subset construction, acceptance left aside.
//!
//! One Boolean function says where a set of states leads: for each edge, its label implies a
//! variable for its target. For each letter that leaves a conjunction of variables, the next set.

use super::TooLarge;
use super::bdd::{self, Manager};
use super::graph::{Arc, Graph};
use super::hash::Map;
use super::tableau::BORDER;

pub(crate) struct Powerset {
    /// Complete and deterministic, without acceptance sets. Its initial state is 0.
    pub graph: Graph,
    /// The set of states that each state stands for, sorted.
    pub members: Vec<Vec<usize>>,
}

/// At most `limit` sets.
pub(crate) fn powerset(graph: &Graph, limit: usize, bdd: &mut Manager) -> Result<Powerset, TooLarge> {
    let mut numbers: Map<Vec<usize>, usize> = Map::from_iter([(vec![graph.initial], 0)]);
    let mut members = vec![vec![graph.initial]];
    let mut states: Vec<Vec<Arc>> = Vec::new();
    while states.len() < members.len() {
        let mut function = bdd::TRUE;
        for arc in members[states.len()].iter().flat_map(|&state| &graph.states[state]) {
            let target = bdd.literal(BORDER + arc.to as u32, true);
            let implication = bdd.ite(arc.label, target, bdd::TRUE);
            function = bdd.and(function, implication);
        }
        let mut arcs = Vec::new();
        for (label, targets) in bdd.split(function, BORDER) {
            let set = conjunction(targets, bdd);
            let to = *numbers.entry(set).or_insert_with_key(|set| {
                members.push(set.clone());
                members.len() - 1
            });
            arcs.push(Arc { label, to, sets: 0 });
        }
        states.push(arcs);
        if bdd.full {
            return Err(TooLarge::Labels);
        }
        if members.len() > limit {
            return Err(TooLarge::States);
        }
    }
    Ok(Powerset { graph: Graph { sets: 0, initial: 0, states }, members })
}

/// The states whose variables a conjunction of variables has.
fn conjunction(mut f: bdd::Bdd, bdd: &Manager) -> Vec<usize> {
    let mut set = Vec::new();
    while f != bdd::TRUE && f != bdd::FALSE {
        let variable = bdd.top(f);
        set.push((variable - BORDER) as usize);
        f = bdd.cofactors(f, variable).1;
    }
    set
}

//! Strongly connected components, and what they say about acceptance.
//!
//! A run ends up in one component. So a state from which no accepting component can be reached is
//! dead; sets on edges between components, or in components that accept nothing, say nothing; and
//! each component may number its sets anew, leaving out those that another one implies (after
//! Duret-Lutz, "Manipulating LTL formulas using Spot 1.0", ATVA 2013).

use super::degeneralize::On;
use super::graph::{Arc, Graph, all};

/// The components in an order in which edges lead to earlier ones only.
pub struct Components {
    /// The component of each state.
    pub of: Vec<usize>,
    pub members: Vec<Vec<usize>>,
    /// It has a cycle through all sets.
    pub accepting: Vec<bool>,
}

impl Components {
    pub fn of(graph: &Graph) -> Components {
        let edge = |state: usize, edge: usize| graph.states[state].get(edge).map(|arc| arc.to);
        let crate::Components { of, members } = crate::Components::new(graph.states.len(), edge);
        let mut components = Components { of, members, accepting: Vec::new() };
        components.accepting = (0..components.members.len()).map(|c| components.accepts(graph, c)).collect();
        components
    }

    fn accepts(&self, graph: &Graph, component: usize) -> bool {
        let mut inner = self.inner(graph, component).peekable();
        inner.peek().is_some() && inner.fold(0, |sets, arc| sets | arc.sets) == graph.all_sets()
    }

    /// The edges within a component.
    pub fn inner<'a>(&'a self, graph: &'a Graph, component: usize) -> impl Iterator<Item = &'a Arc> {
        let arcs = self.members[component].iter().flat_map(|&state| &graph.states[state]);
        arcs.filter(move |arc| self.of[arc.to] == component)
    }

    /// The states from which an accepting component can be reached.
    pub fn alive(&self, graph: &Graph) -> Vec<bool> {
        let mut alive = self.accepting.clone();
        for component in 0..self.members.len() {
            alive[component] |= self.members[component]
                .iter()
                .flat_map(|&s| &graph.states[s])
                .any(|arc| alive[self.of[arc.to]]);
        }
        self.of.iter().map(|&component| alive[component]).collect()
    }
}

/// Without dead and unreachable states, and with the fewest sets. Sets that are on states stay on
/// states.
pub fn prune(mut graph: Graph, on: On) -> Graph {
    graph = graph.reachable();
    let components = Components::of(&graph);
    let alive = components.alive(&graph);
    if !alive[graph.initial] {
        return Graph::empty();
    }
    let renamed: Vec<Option<Vec<u64>>> = (0..components.members.len())
        .map(|c| components.accepting[c].then(|| needed(&graph, &components, c)))
        .collect();
    let sets = renamed.iter().flatten().map(Vec::len).max().unwrap_or(0);
    for (state, arcs) in graph.states.iter_mut().enumerate() {
        arcs.retain(|arc| alive[arc.to]);
        let component = components.of[state];
        for arc in arcs {
            let inside = on == On::States || components.of[arc.to] == component;
            arc.sets = match &renamed[component] {
                Some(kept) if inside => rename(arc.sets, kept, sets),
                _ => 0,
            };
        }
    }
    // A component that accepts nothing would accept everything if there were no sets at all.
    let all_accept = (0..components.members.len())
        .all(|c| components.accepting[c] || components.inner(&graph, c).next().is_none());
    graph.sets = if sets == 0 && !all_accept { 1 } else { sets };
    if graph.sets > sets {
        for (state, arcs) in graph.states.iter_mut().enumerate() {
            let component = components.of[state];
            let inside = |arc: &Arc| on == On::States || components.of[arc.to] == component;
            if components.accepting[component] {
                arcs.iter_mut().filter(|arc| inside(arc)).for_each(|arc| arc.sets = 1);
            }
        }
    }
    graph.reachable()
}

/// The edges, or states, that a run passes at most once are put into all sets. This changes no
/// word, but what simulates what.
pub fn raise(graph: &mut Graph, on: On) {
    let components = Components::of(graph);
    let once: Vec<bool> =
        (0..components.members.len()).map(|c| components.inner(graph, c).next().is_none()).collect();
    let all = graph.all_sets();
    for (state, arcs) in graph.states.iter_mut().enumerate() {
        let component = components.of[state];
        let passes = |arc: &Arc| match on {
            On::Edges => components.of[arc.to] != component,
            On::States => once[component],
        };
        arcs.iter_mut().filter(|arc| passes(arc)).for_each(|arc| arc.sets = all);
    }
}

/// The sets of an accepting component that matter, as bits: not on all of its edges, and not
/// implied by one that is kept.
fn needed(graph: &Graph, components: &Components, component: usize) -> Vec<u64> {
    let mut kept: Vec<u64> = Vec::new();
    let missing = |set: usize| -> Vec<bool> {
        components.inner(graph, component).map(|arc| arc.sets >> set & 1 == 0).collect()
    };
    let columns: Vec<Vec<bool>> = (0..graph.sets).map(missing).collect();
    let within = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(&a, &b)| !a || b);
    for set in 0..graph.sets {
        let implied = (0..graph.sets).any(|other| {
            other != set
                && within(&columns[set], &columns[other])
                && (other < set || !within(&columns[other], &columns[set]))
        });
        if !implied && columns[set].contains(&true) {
            kept.push(1 << set);
        }
    }
    kept
}

/// The sets `kept` numbered anew; what is left over up to `count` sets is on every edge.
fn rename(sets: u64, kept: &[u64], count: usize) -> u64 {
    let renamed =
        kept.iter().enumerate().filter(|&(_, &set)| sets & set != 0).fold(0, |bits, (i, _)| bits | 1 << i);
    renamed | all(count) & !all(kept.len())
}

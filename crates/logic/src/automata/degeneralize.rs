//! From several acceptance sets to one, on edges or on states.
//!
//! The sets are counted one after the other: a copy of each state for each level, the number of sets seen since the last round
//! (Gastin and Oddoux 2001; Giannakopoulou and Lerda 2002, who skip levels). A run that never returns to a component need not
//! count in it, so levels are counted inside accepting components only, and a component is entered on a level that it
//! already has (Babiak, Badie, Duret-Lutz, Křetínský, Strejček, SPIN 2013). Sets that are on every edge out of a state are
//! counted on the way in.

use super::components::Components;
use super::graph::{Arc, Graph};
use super::hash::Map;

/// Where the one set of the result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// On any edges.
    Edges,
    /// On all edges out of a state, or on none.
    States,
}

struct Levels<'a> {
    graph: &'a Graph,
    components: Components,
    on: On,
    /// Sets on all edges that stay in the component of a state.
    common: Vec<u64>,
    numbers: Map<(usize, usize), usize>,
    copies: Vec<(usize, usize)>,
    /// A level on which the state already is.
    entered: Vec<Option<usize>>,
}

pub fn degeneralize(graph: &Graph, on: On) -> Graph {
    if graph.sets == 0 || (graph.sets == 1 && on == On::Edges) {
        return graph.clone();
    }
    let components = Components::of(graph);
    let common = (0..graph.states.len()).map(|state| {
        let inside = |arc: &&Arc| components.of[arc.to] == components.of[state];
        graph.states[state].iter().filter(inside).fold(u64::MAX, |sets, arc| sets & arc.sets)
    });
    let mut levels = Levels {
        graph,
        on,
        common: common.collect(),
        components,
        numbers: Map::default(),
        copies: Vec::new(),
        entered: vec![None; graph.states.len()],
    };
    let initial = levels.enter(graph.initial);
    let mut states = Vec::new();
    while let Some(&(state, level)) = levels.copies.get(states.len()) {
        states.push(graph.states[state].iter().map(|arc| levels.follow(state, level, arc)).collect());
    }
    Graph { sets: 1, initial, states }
}

impl Levels<'_> {
    fn copy(&mut self, state: usize, level: usize) -> usize {
        self.entered[state].get_or_insert(level);
        let copies = &mut self.copies;
        *self.numbers.entry((state, level)).or_insert_with(|| {
            copies.push((state, level));
            copies.len() - 1
        })
    }

    fn follow(&mut self, state: usize, level: usize, arc: &Arc) -> Arc {
        let component = self.components.of[state];
        let marked = self.on == On::States && level == self.graph.sets;
        if component != self.components.of[arc.to] || !self.components.accepting[component] {
            return Arc { to: self.enter(arc.to), sets: marked as u64, ..*arc };
        }
        let level = if marked { 0 } else { level };
        let (to, round) = match self.on {
            On::States => (self.count(self.count(level, arc.sets), self.common[arc.to]), marked),
            On::Edges => match self.count(level, arc.sets) {
                full if full == self.graph.sets => {
                    let again = self.count(0, arc.sets);
                    (if again == self.graph.sets { 0 } else { again }, true)
                }
                partial => (partial, false),
            },
        };
        Arc { to: self.copy(arc.to, to), sets: round as u64, ..*arc }
    }

    /// A copy of the first state of a component that a run reaches.
    fn enter(&mut self, state: usize) -> usize {
        let first = match self.on {
            On::States if self.components.accepting[self.components.of[state]] => {
                self.count(0, self.common[state])
            }
            _ => 0,
        };
        let level = self.entered[state].unwrap_or(first);
        self.copy(state, level)
    }

    /// The level after these sets.
    fn count(&self, mut level: usize, sets: u64) -> usize {
        while level < self.graph.sets && sets >> level & 1 == 1 {
            level += 1;
        }
        level
    }
}

//! A lasso near the initial states: the search of a whole graph finds some lasso, seldom a short
//! one. The same search, confined to the states that are found first breadth-first, finds one whose
//! stem is short, if there is one; the few states allowed grow until it does.

use super::emptiness;
use super::graph::{Acceptance, Graph, Lasso, MarkedEdges};
use crate::limits::{Limits, NoListener};
use std::collections::HashSet;

/// How many states are allowed, one attempt after the other.
const ATTEMPTS: [usize; 4] = [32, 256, 2_048, 16_384];

/// A lasso among the states that are found first, if there is one.
pub fn near(graph: &mut impl Graph) -> Option<Lasso> {
    let first = first_states(graph, ATTEMPTS[ATTEMPTS.len() - 1]);
    for most in ATTEMPTS {
        let allowed: HashSet<&[u8]> = first.iter().take(most).map(Vec::as_slice).collect();
        let mut confined = Confined { graph: &mut *graph, allowed: &allowed, all: MarkedEdges::default() };
        if let Some(lasso) = emptiness(&mut confined, Limits::default(), &mut NoListener).lasso {
            return Some(confined.renumber(lasso));
        }
        if first.len() <= most {
            return None;
        }
    }
    None
}

/// The states found first, breadth-first.
fn first_states(graph: &mut impl Graph, most: usize) -> Vec<Vec<u8>> {
    let mut edges = MarkedEdges::default();
    graph.initial(&mut edges);
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut states: Vec<Vec<u8>> = Vec::new();
    let mut next = 0;
    loop {
        for state in edges.iter() {
            if states.len() < most && seen.insert(state.to_vec()) {
                states.push(state.to_vec());
            }
        }
        if next == states.len() || states.len() == most {
            return states;
        }
        edges.clear();
        graph.edges(&states[next], &mut edges);
        next += 1;
    }
}

/// A graph without the edges to states that are not allowed.
struct Confined<'a, G> {
    graph: &'a mut G,
    allowed: &'a HashSet<&'a [u8]>,
    all: MarkedEdges,
}

impl<G: Graph> Confined<'_, G> {
    /// The lasso with edges numbered as in the whole graph.
    fn renumber(&mut self, mut lasso: Lasso) -> Lasso {
        for (state, edge) in lasso.stem.iter_mut().chain(&mut lasso.cycle) {
            self.all.clear();
            self.graph.edges(state, &mut self.all);
            let allowed = self.all.iter().enumerate().filter(|(_, to)| self.allowed.contains(to));
            let numbers: Vec<usize> = allowed.map(|(number, _)| number).collect();
            *edge = numbers.get(*edge).copied().unwrap_or(*edge);
        }
        lasso
    }

    /// Leaves the allowed ones of `all`.
    fn keep(&self, out: &mut MarkedEdges) {
        let words = self.graph.acceptance().words();
        for (number, state) in self.all.iter().enumerate().filter(|(_, to)| self.allowed.contains(to)) {
            out.bytes.extend_from_slice(state);
            out.ends.push(out.bytes.len());
            out.marks.extend_from_slice(&self.all.marks[number * words..(number + 1) * words]);
        }
    }
}

impl<G: Graph> Graph for Confined<'_, G> {
    fn acceptance(&self) -> &Acceptance {
        self.graph.acceptance()
    }

    fn initial(&mut self, out: &mut MarkedEdges) {
        self.all.clear();
        self.graph.initial(&mut self.all);
        self.keep(out);
    }

    fn edges(&mut self, state: &[u8], out: &mut MarkedEdges) {
        self.all.clear();
        self.graph.edges(state, &mut self.all);
        self.keep(out);
    }
}

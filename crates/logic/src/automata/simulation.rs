//! Direct simulation, forwards and backwards, and the quotients by it.
//!
//! q simulates p if whatever letter p reads, q can read it too on an edge that is in at least the
//! same sets, to a state that simulates p's successor (Etessami and Holzmann 2000; Somenzi and
//! Bloem 2000; on transition-based generalized automata Babiak, Badie, Duret-Lutz, Křetínský,
//! Strejček, SPIN 2013). States that simulate each other are one. Of two edges with the same
//! letters the one to the smaller state ("little brother") is taken away, letter by letter, which
//! also makes automata more deterministic. Labels are compared as functions: an edge may be covered
//! by several together.
//!
//! Backwards the same is done with the edges turned around, where the initial state is like no
//! other. Both keep the language of every infinite word since each finite prefix has a run with at
//! least the same sets, and by König's lemma the whole word has one.

use super::bdd::{FALSE, Manager};
use super::degeneralize::On;
use super::graph::{self, Arc, Graph};

/// Automata with more edges are left alone: each edge is compared with each.
const EDGES: usize = 4000;

/// The states that simulate each state.
struct Relation {
    above: Vec<Vec<bool>>,
}

/// The quotient by simulation.
pub fn quotient(graph: Graph, bdd: &mut Manager) -> Graph {
    if graph.states.len() + graph.edges() > EDGES {
        return graph;
    }
    let relation = Relation::of(&graph, |_, _| true, bdd);
    relation.quotient(graph, bdd)
}

/// The quotient by simulation backwards. Sets that are on states stay on states.
pub(crate) fn reverse_quotient(graph: Graph, on: On, bdd: &mut Manager) -> Graph {
    if graph.states.len() + graph.edges() > EDGES {
        return graph;
    }
    let marks: Vec<u64> = match on {
        On::States => graph.states.iter().map(|arcs| arcs.first().map_or(0, |arc| arc.sets)).collect(),
        On::Edges => vec![0; graph.states.len()],
    };
    let initial = graph.initial;
    let relation =
        Relation::of(&graph.reversed(), |p, q| (p != initial || q == initial) && marks[p] == marks[q], bdd);
    relation.quotient(graph.reversed(), bdd).reversed()
}

impl Relation {
    /// The largest simulation within `allowed`, by taking pairs away.
    fn of(graph: &Graph, allowed: impl Fn(usize, usize) -> bool, bdd: &mut Manager) -> Relation {
        let size = graph.states.len();
        let above = (0..size).map(|p| (0..size).map(|q| p == q || allowed(p, q)).collect()).collect();
        let mut relation = Relation { above };
        let mut changed = vec![true; size];
        while changed.contains(&true) {
            let before = std::mem::replace(&mut changed, vec![false; size]);
            for p in 0..size {
                if graph.states[p].iter().all(|arc| !before[arc.to] && !changed[arc.to]) {
                    continue;
                }
                for q in 0..size {
                    if relation.above[p][q] && p != q && !relation.simulates(graph, p, q, bdd) {
                        relation.above[p][q] = false;
                        changed[p] = true;
                    }
                }
            }
        }
        relation
    }

    fn simulates(&self, graph: &Graph, p: usize, q: usize, bdd: &mut Manager) -> bool {
        graph.states[p].iter().all(|arc| {
            let mut cover = FALSE;
            for other in &graph.states[q] {
                if arc.sets & !other.sets == 0 && self.above[arc.to][other.to] {
                    cover = bdd.or(cover, other.label);
                }
            }
            bdd.implies(arc.label, cover)
        })
    }

    /// One state for each class, with the edges of its first member, less little brothers.
    fn quotient(&self, graph: Graph, bdd: &mut Manager) -> Graph {
        let same = |p: usize, q: usize| self.above[p][q] && self.above[q][p];
        let first: Vec<usize> =
            (0..graph.states.len()).map(|p| (0..p).find(|&q| same(p, q)).unwrap_or(p)).collect();
        let states = (0..graph.states.len())
            .map(|p| match first[p] == p {
                false => Vec::new(),
                true => {
                    let arcs = graph.states[p].iter().map(|arc| Arc { to: first[arc.to], ..*arc }).collect();
                    self.without_little_brothers(arcs, bdd)
                }
            })
            .collect();
        Graph { initial: first[graph.initial], states, ..graph }
    }

    fn without_little_brothers(&self, mut arcs: Vec<Arc>, bdd: &mut Manager) -> Vec<Arc> {
        graph::join(&mut arcs, bdd);
        let big = |small: &Arc, big: &Arc| {
            (small.to, small.sets) != (big.to, big.sets)
                && self.above[small.to][big.to]
                && small.sets & !big.sets == 0
        };
        let cut = |arc: &Arc| {
            let brothers = arcs.iter().filter(|other| big(arc, other));
            let label = brothers.fold(arc.label, |label, other| bdd.minus(label, other.label));
            Arc { label, ..*arc }
        };
        let mut cut: Vec<Arc> = arcs.iter().map(cut).collect();
        cut.retain(|arc| arc.label != FALSE);
        cut
    }
}

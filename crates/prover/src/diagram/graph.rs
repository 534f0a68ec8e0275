//! The graph of a generalized diagram: strongly connected subgraphs, and which of them are
//! accepted.
//!
//! The edges that a path takes again and again form a strongly connected subgraph. All of them are
//! found by leaving out one node after the other; but a proof need not look at each: what settles a
//! subgraph often settles all parts of it (`settle`).

use std::collections::BTreeSet;
use system::fts::diagram::{Acceptance, Diagram};

/// The edges of a diagram by their ends, and what is accepted.
#[derive(Clone, Debug)]
pub struct Graph {
    /// How many nodes there are.
    pub nodes: usize,
    /// By number.
    pub edges: Vec<(usize, usize)>,
    /// Where paths begin.
    pub initial: Vec<usize>,
    /// Which paths count.
    pub acceptance: Acceptance,
}

/// Numbers of edges.
pub type Edges = BTreeSet<usize>;

impl Graph {
    /// That of a diagram.
    pub fn of(diagram: &Diagram) -> Graph {
        let all = || (0..diagram.nodes.len()).collect();
        Graph {
            nodes: diagram.nodes.len(),
            edges: diagram.edges.iter().map(|e| (e.from, e.to)).collect(),
            initial: if diagram.initial.is_empty() { all() } else { diagram.initial.clone() },
            acceptance: diagram.acceptance.clone(),
        }
    }

    /// All edges.
    pub fn all(&self) -> Edges {
        (0..self.edges.len()).collect()
    }

    /// The nodes that edges touch.
    pub fn touched(&self, edges: &Edges) -> Vec<usize> {
        let ends = edges.iter().flat_map(|e| [self.edges[*e].0, self.edges[*e].1]);
        ends.collect::<BTreeSet<usize>>().into_iter().collect()
    }

    /// The edges that touch none of these nodes.
    pub fn without(&self, edges: &Edges, nodes: &[usize]) -> Edges {
        let free = |e: &&usize| !nodes.contains(&self.edges[**e].0) && !nodes.contains(&self.edges[**e].1);
        edges.iter().filter(free).copied().collect()
    }

    /// The largest strongly connected subgraphs of some edges.
    pub fn components(&self, edges: &Edges) -> Vec<Edges> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.nodes];
        edges.iter().for_each(|e| next[self.edges[*e].0].push(self.edges[*e].1));
        let found = logic::Components::new(self.nodes, |n, at| next[n].get(at).copied());
        let mut parts: Vec<Edges> = vec![Edges::new(); found.members.len()];
        for e in edges {
            let (from, to) = self.edges[*e];
            if found.of[from] == found.of[to] {
                parts[found.of[from]].insert(*e);
            }
        }
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    }

    /// Whether a path that takes exactly these edges again and again is accepted.
    pub fn accepts(&self, edges: &Edges) -> bool {
        match &self.acceptance {
            Acceptance::Muller { exactly, containing } => {
                let nodes = self.touched(edges);
                exactly.contains(&nodes) || containing.iter().any(|set| set.iter().all(|n| nodes.contains(n)))
            }
            Acceptance::Streett(pairs) => pairs.iter().all(|(stays, again)| {
                edges.iter().all(|e| stays.contains(e)) || again.iter().any(|e| edges.contains(e))
            }),
        }
    }

    /// Subsets of accepted edges, such that each subset that is not accepted is in one of them.
    pub fn smaller(&self, edges: &Edges) -> Vec<Edges> {
        let nodes = self.touched(edges);
        let leave_out = |nodes: &[usize]| -> Vec<Edges> {
            nodes.iter().map(|n| self.without(edges, std::slice::from_ref(n))).collect()
        };
        match &self.acceptance {
            Acceptance::Muller { containing, .. } => {
                let set = containing.iter().find(|set| set.iter().all(|n| nodes.contains(n)));
                leave_out(set.unwrap_or(&nodes))
            }
            Acceptance::Streett(pairs) => {
                let broken = pairs.iter().filter(|(stays, _)| !edges.iter().all(|e| stays.contains(e)));
                broken
                    .map(|(_, again)| edges.iter().filter(|e| !again.contains(e)).copied().collect())
                    .collect()
            }
        }
    }

    /// The node sets of all strongly connected subgraphs; none if there are more than `most`.
    pub fn subgraphs(&self, most: usize) -> Option<Vec<Vec<usize>>> {
        let mut found: BTreeSet<Vec<usize>> = BTreeSet::new();
        let mut open = self.components(&self.all());
        while let Some(part) = open.pop() {
            let nodes = self.touched(&part);
            if !found.insert(nodes.clone()) {
                continue;
            }
            if found.len() > most {
                return None;
            }
            for n in &nodes {
                open.extend(self.components(&self.without(&part, std::slice::from_ref(n))));
            }
        }
        Some(found.into_iter().collect())
    }
}

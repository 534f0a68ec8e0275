//! Paths through a diagram: that each one on which a fair run may stay is accepted, and that no
//! accepted one has a word that the property forbids.
//!
//! Both by definition. The edges that a path takes again and again are strongly connected. Such a
//! set is accepted, or some reason excludes it: a just exit of nodes that contain it; a compassionate
//! one that is enabled in it; a rank that goes down on one of its edges. So, from the largest sets
//! inwards, what a reason leaves is looked at again.

use super::Refused;
use logic::automata::Automaton;
use std::collections::{BTreeMap, BTreeSet};
use system::fts::diagram::{Acceptance, Diagram, Reason};

/// Sets of edges that are looked at.
const MOST: usize = 20_000;

/// The edges of a diagram, where paths begin and which are accepted.
pub(super) struct Paths<'a> {
    nodes: usize,
    edges: Vec<(usize, usize)>,
    pub(super) initial: Vec<usize>,
    acceptance: &'a Acceptance,
}

type Set = BTreeSet<usize>;

impl<'a> Paths<'a> {
    pub(super) fn of(d: &'a Diagram) -> Paths<'a> {
        let everywhere: Vec<usize> = (0..d.nodes.len()).collect();
        Paths {
            nodes: d.nodes.len(),
            edges: d.edges.iter().map(|e| (e.from, e.to)).collect(),
            initial: if d.initial.is_empty() { everywhere } else { d.initial.clone() },
            acceptance: &d.acceptance,
        }
    }

    fn visited(&self, edges: &Set) -> Set {
        edges.iter().flat_map(|e| [self.edges[*e].0, self.edges[*e].1]).collect()
    }

    /// Edges whose ends are both among these nodes.
    fn among(&self, edges: &Set, nodes: &Set) -> Set {
        let inside = |e: &&usize| nodes.contains(&self.edges[**e].0) && nodes.contains(&self.edges[**e].1);
        edges.iter().filter(inside).copied().collect()
    }

    /// Whether a path that takes these edges again and again, and no others, is accepted.
    fn accepted(&self, edges: &Set) -> bool {
        match self.acceptance {
            Acceptance::Muller { exactly, containing } => {
                let nodes = self.visited(edges);
                let is = |set: &Vec<usize>| set.iter().copied().collect::<Set>() == nodes;
                exactly.iter().any(is) || containing.iter().any(|set| set.iter().all(|n| nodes.contains(n)))
            }
            Acceptance::Streett(pairs) => pairs.iter().all(|(stays, again)| {
                edges.iter().all(|e| stays.contains(e)) || edges.iter().any(|e| again.contains(e))
            }),
        }
    }
}

/// The inner edges of each strongly connected part.
fn connected(nodes: usize, ends: &dyn Fn(usize) -> (usize, usize), edges: &Set) -> Vec<Set> {
    let mut onward: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    edges.iter().for_each(|e| onward[ends(*e).0].push(ends(*e).1));
    let found = logic::Components::new(nodes, |n, at| onward[n].get(at).copied());
    let mut parts: BTreeMap<usize, Set> = BTreeMap::new();
    for e in edges.iter().filter(|e| found.of[ends(**e).0] == found.of[ends(**e).1]) {
        parts.entry(found.of[ends(*e).0]).or_default().insert(*e);
    }
    parts.into_values().collect()
}

/// Every set of edges that a fair run may take again and again is accepted.
pub(super) fn excluded(paths: &Paths<'_>, reasons: &[Reason]) -> Result<(), Refused> {
    let ends = |e: usize| paths.edges[e];
    let mut open = connected(paths.nodes, &ends, &(0..paths.edges.len()).collect());
    let mut seen: BTreeSet<Set> = BTreeSet::new();
    while let Some(part) = open.pop() {
        if !seen.insert(part.clone()) {
            continue;
        }
        if seen.len() > MOST {
            return Err(Refused::Form("the diagram has too many strongly connected subgraphs"));
        }
        let left = if paths.accepted(&part) { smaller(paths, &part) } else { left(paths, &part, reasons)? };
        open.extend(left.iter().flat_map(|edges| connected(paths.nodes, &ends, edges)));
    }
    Ok(())
}

/// Of edges that are accepted together: sets such that each part that is not accepted is in one.
fn smaller(paths: &Paths<'_>, part: &Set) -> Vec<Set> {
    let nodes = paths.visited(part);
    match paths.acceptance {
        Acceptance::Muller { containing, .. } => {
            let set = containing.iter().find(|set| set.iter().all(|n| nodes.contains(n)));
            let left_out: Vec<usize> = set.cloned().unwrap_or_else(|| nodes.iter().copied().collect());
            let without = |n: usize| paths.among(part, &nodes.iter().filter(|m| **m != n).copied().collect());
            left_out.into_iter().map(without).collect()
        }
        Acceptance::Streett(pairs) => {
            pairs.iter().map(|(_, again)| part.iter().filter(|e| !again.contains(e)).copied().collect()).filter(
                |rest: &Set| rest.len() < part.len(),
            ).collect()
        }
    }
}

/// What a reason leaves of edges that are not accepted.
fn left(paths: &Paths<'_>, part: &Set, reasons: &[Reason]) -> Result<Vec<Set>, Refused> {
    let nodes = paths.visited(part);
    let mut best: Option<Set> = None;
    for reason in reasons {
        let rest: Option<Set> = match reason {
            Reason::Just(of, _) => nodes.iter().all(|n| of.contains(n)).then(Set::new),
            Reason::Compassionate { nodes: of, enabled, .. } => {
                let applies = nodes.iter().all(|n| of.contains(n)) && nodes.iter().any(|n| enabled.contains(n));
                applies.then(|| paths.among(part, &nodes.iter().filter(|n| !enabled.contains(n)).copied().collect()))
            }
            Reason::WellFounded(of, cut) => {
                let applies = part.iter().all(|e| of.contains(e)) && part.iter().any(|e| cut.contains(e));
                applies.then(|| part.iter().filter(|e| !cut.contains(e)).copied().collect())
            }
        };
        if let Some(rest) = rest
            && best.as_ref().is_none_or(|best| rest.len() < best.len())
        {
            best = Some(rest);
        }
    }
    best.map(|rest| vec![rest]).ok_or(Refused::Form("a fair run may stay where the diagram does not accept"))
}

/// No accepted path and no run of the automaton share a word.
pub(super) fn disjoint(paths: &Paths<'_>, letters: &[Vec<u64>], automaton: &Automaton) -> Result<(), Refused> {
    // Pairs of a node and a state of the automaton, that can be reached.
    let mut pairs: Vec<(usize, usize)> = paths.initial.iter().map(|n| (*n, automaton.initial)).collect();
    let mut edges: Vec<(usize, usize, usize, u64)> = Vec::new();
    let mut at = 0;
    while let Some((node, state)) = pairs.get(at).copied() {
        let reads = automaton.states[state].iter();
        for read in reads.filter(|read| letters[node].iter().any(|l| read.label.holds(*l))) {
            for (e, (_, to)) in paths.edges.iter().enumerate().filter(|(_, (from, _))| *from == node) {
                let next = pairs.iter().position(|p| *p == (*to, read.to)).unwrap_or_else(|| {
                    pairs.push((*to, read.to));
                    pairs.len() - 1
                });
                edges.push((at, next, e, read.sets));
            }
        }
        at += 1;
    }
    let ends = |e: usize| (edges[e].0, edges[e].1);
    let drawn = |part: &Set| -> Set { part.iter().map(|e| edges[*e].2).collect() };
    let meets = |part: &Set| (0..automaton.sets).all(|set| part.iter().any(|e| edges[*e].3 >> set & 1 == 1));
    // A part that meets all sets and is not accepted may have a smaller one that is.
    let mut open = connected(pairs.len(), &ends, &(0..edges.len()).collect());
    let mut seen: BTreeSet<Set> = BTreeSet::new();
    while let Some(part) = open.pop() {
        if !meets(&part) || !seen.insert(part.clone()) {
            continue;
        }
        if paths.accepted(&drawn(&part)) {
            return Err(Refused::Form("an accepted path of the diagram violates the property"));
        }
        if seen.len() > MOST {
            return Err(Refused::Form("the product of diagram and property is too large"));
        }
        for rest in inner(paths, &part, &|e| edges[e].2) {
            open.extend(connected(pairs.len(), &ends, &rest));
        }
    }
    Ok(())
}

/// Of a part that is not accepted: the largest sets in which all accepted ones are.
fn inner(paths: &Paths<'_>, part: &Set, drawn: &dyn Fn(usize) -> usize) -> Vec<Set> {
    let all: Set = part.iter().map(|e| drawn(*e)).collect();
    let of = |kept: Set| -> Set { part.iter().filter(|e| kept.contains(&drawn(**e))).copied().collect() };
    match paths.acceptance {
        Acceptance::Muller { exactly, .. } => {
            let nodes = paths.visited(&all);
            let fits = |set: &&Vec<usize>| set.len() < nodes.len() && set.iter().all(|n| nodes.contains(n));
            exactly.iter().filter(fits).map(|set| of(paths.among(&all, &set.iter().copied().collect()))).collect()
        }
        Acceptance::Streett(pairs) => {
            let broken = pairs.iter().find(|(stays, again)| {
                !all.iter().all(|e| stays.contains(e)) && !all.iter().any(|e| again.contains(e))
            });
            broken.map(|(stays, _)| of(all.iter().filter(|e| stays.contains(e)).copied().collect())).into_iter().collect()
        }
    }
}

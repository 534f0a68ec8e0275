//! Paths through a diagram: that each one on which a fair run may stay is accepted, and that no
//! accepted one has a word that the property forbids.
//!
//! Both by definition. The edges that a path takes again and again are strongly connected. Such a
//! set is accepted, or some reason excludes it: a just exit of nodes that contain it; a
//! compassionate one that is enabled in it; a rank that goes down on one of its edges. So, from the
//! largest sets inwards, what a reason leaves is looked at again.

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
        Acceptance::Streett(pairs) => pairs
            .iter()
            .map(|(_, again)| part.iter().filter(|e| !again.contains(e)).copied().collect())
            .filter(|rest: &Set| rest.len() < part.len())
            .collect(),
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
                let applies =
                    nodes.iter().all(|n| of.contains(n)) && nodes.iter().any(|n| enabled.contains(n));
                applies.then(|| {
                    paths.among(part, &nodes.iter().filter(|n| !enabled.contains(n)).copied().collect())
                })
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
pub(super) fn disjoint(
    paths: &Paths<'_>,
    letters: &[Vec<u64>],
    automaton: &Automaton,
) -> Result<(), Refused> {
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
            exactly
                .iter()
                .filter(fits)
                .map(|set| of(paths.among(&all, &set.iter().copied().collect())))
                .collect()
        }
        Acceptance::Streett(pairs) => {
            let broken = pairs.iter().find(|(stays, again)| {
                !all.iter().all(|e| stays.contains(e)) && !all.iter().any(|e| again.contains(e))
            });
            broken
                .map(|(stays, _)| of(all.iter().filter(|e| stays.contains(e)).copied().collect()))
                .into_iter()
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::automata::{Cube, Edge, Label};
    use logic::ltl::Lasso;
    use logic::random::Random;
    use system::fts::Helpful;

    const NODES: usize = 4;

    /// A subset of the numbers below some bound.
    fn some(random: &mut Random, bound: usize) -> Vec<usize> {
        (0..bound).filter(|_| random.below(2) == 0).collect()
    }

    fn edges(random: &mut Random) -> Vec<(usize, usize)> {
        let all = (0..NODES).flat_map(|a| (0..NODES).map(move |b| (a, b)));
        all.filter(|_| random.below(3) == 0).take(9).collect()
    }

    fn acceptance(random: &mut Random, edges: usize) -> Acceptance {
        match random.below(3) {
            0 => {
                let exactly = (0..random.below(4)).map(|_| some(random, NODES)).collect();
                Acceptance::Muller { exactly, containing: Vec::new() }
            }
            1 => Acceptance::Muller {
                exactly: vec![some(random, NODES)],
                containing: vec![some(random, NODES)],
            },
            _ => Acceptance::Streett(
                (0..1 + random.below(2)).map(|_| (some(random, edges), some(random, edges))).collect(),
            ),
        }
    }

    fn reason(random: &mut Random, edges: usize) -> Reason {
        let helpful = Helpful { name: String::new(), parameters: Vec::new() };
        match random.below(3) {
            0 => Reason::Just(some(random, NODES), helpful),
            1 => {
                let nodes = some(random, NODES);
                let enabled = nodes.iter().filter(|_| random.below(2) == 0).copied().collect();
                Reason::Compassionate { nodes, enabled, helpful }
            }
            _ => {
                let of = some(random, edges);
                let cut = of.iter().filter(|_| random.below(2) == 0).copied().collect();
                Reason::WellFounded(of, cut)
            }
        }
    }

    /// Whether edges lead from each of their ends to each.
    fn is_connected(ends: &[(usize, usize)], part: &Set) -> bool {
        let nodes: Set = part.iter().flat_map(|e| [ends[*e].0, ends[*e].1]).collect();
        let reaches = |from: usize| {
            let mut seen = Set::new();
            let mut open = vec![from];
            while let Some(n) = open.pop() {
                let next = part.iter().filter(|e| ends[**e].0 == n).map(|e| ends[*e].1);
                open.extend(next.filter(|m| seen.insert(*m)).collect::<Vec<_>>());
            }
            seen
        };
        nodes.iter().all(|n| reaches(*n) == nodes)
    }

    /// By the definition, once more.
    fn is_accepted(acceptance: &Acceptance, ends: &[(usize, usize)], part: &Set) -> bool {
        let nodes: Vec<usize> = (0..NODES).filter(|n| part.iter().any(|e| ends[*e].0 == *n)).collect();
        match acceptance {
            Acceptance::Muller { exactly, containing } => {
                exactly.contains(&nodes) || containing.iter().any(|s| s.iter().all(|n| nodes.contains(n)))
            }
            Acceptance::Streett(pairs) => pairs.iter().all(|(stays, again)| {
                part.iter().all(|e| stays.contains(e)) || again.iter().any(|e| part.contains(e))
            }),
        }
    }

    fn excludes(reason: &Reason, ends: &[(usize, usize)], part: &Set) -> bool {
        let nodes: Set = part.iter().map(|e| ends[*e].0).collect();
        match reason {
            Reason::Just(of, _) => nodes.iter().all(|n| of.contains(n)),
            Reason::Compassionate { nodes: of, enabled, .. } => {
                nodes.iter().all(|n| of.contains(n)) && enabled.iter().any(|n| nodes.contains(n))
            }
            Reason::WellFounded(of, cut) => {
                part.iter().all(|e| of.contains(e)) && cut.iter().any(|e| part.contains(e))
            }
        }
    }

    /// What is excluded on the graph is excluded by brute force over all sets of edges.
    #[test]
    fn nothing_is_excluded_without_a_reason() {
        let mut random = Random::new(19);
        let (mut good, mut bad) = (0, 0);
        for _ in 0..3_000 {
            let edges = edges(&mut random);
            let acceptance = acceptance(&mut random, edges.len());
            let reasons: Vec<Reason> =
                (0..random.below(5)).map(|_| reason(&mut random, edges.len())).collect();
            let paths =
                Paths { nodes: NODES, edges: edges.clone(), initial: vec![0], acceptance: &acceptance };
            let all = (1u32..1 << edges.len())
                .map(|bits| (0..edges.len()).filter(|e| bits >> e & 1 == 1).collect::<Set>());
            let open = all.into_iter().find(|part| {
                let settled = |part: &Set| {
                    is_accepted(&acceptance, &edges, part)
                        || reasons.iter().any(|r| excludes(r, &edges, part))
                };
                is_connected(&edges, part) && !settled(part)
            });
            match excluded(&paths, &reasons) {
                Ok(()) => {
                    assert_eq!(open, None, "{edges:?} {acceptance:?} {reasons:?}");
                    good += 1;
                }
                Err(_) => bad += 1,
            }
        }
        assert!(good > 300 && bad > 300, "{good} {bad}");
    }

    fn automaton(random: &mut Random) -> Automaton {
        let states = (0..3).map(|_| {
            let edge = |random: &mut Random| Edge {
                label: Label {
                    cubes: vec![if random.below(2) == 0 {
                        Cube { positive: 1, negative: 0 }
                    } else {
                        Cube { positive: 0, negative: 1 }
                    }],
                },
                to: random.below(3),
                sets: random.below(2) as u64,
            };
            (0..random.below(3)).map(|_| edge(random)).collect()
        });
        Automaton { propositions: 1, sets: 1, initial: 0, states: states.collect() }
    }

    /// Where no word is shared, no short path has a word that the automaton accepts.
    #[test]
    fn no_short_path_has_a_forbidden_word() {
        let mut random = Random::new(7);
        let (mut good, mut bad) = (0, 0);
        for _ in 0..1_500 {
            let edges = edges(&mut random);
            let acceptance = acceptance(&mut random, edges.len());
            let letters: Vec<Vec<u64>> =
                (0..NODES).map(|_| [vec![0], vec![1], vec![0, 1]][random.below(3)].clone()).collect();
            let forbidden = automaton(&mut random);
            let paths =
                Paths { nodes: NODES, edges: edges.clone(), initial: vec![0], acceptance: &acceptance };
            let disjoint = disjoint(&paths, &letters, &forbidden).is_ok();
            let found = lasso(&edges, &acceptance, &letters, &forbidden);
            assert!(
                !(disjoint && found.is_some()),
                "{edges:?} {acceptance:?} {letters:?} {forbidden:?} {found:?}"
            );
            good += usize::from(disjoint);
            bad += usize::from(found.is_some());
        }
        assert!(good > 100 && bad > 100, "{good} {bad}");
    }

    /// A path of at most five edges, the last of which closes a loop, with a word of the automaton.
    fn lasso(
        edges: &[(usize, usize)],
        acceptance: &Acceptance,
        letters: &[Vec<u64>],
        forbidden: &Automaton,
    ) -> Option<Vec<usize>> {
        let mut open: Vec<Vec<usize>> = vec![Vec::new()];
        while let Some(path) = open.pop() {
            let at = path.last().map_or(0, |e| edges[*e].1);
            for back in (0..path.len()).filter(|b| edges[path[*b]].0 == at) {
                let inner: Set = path[back..].iter().copied().collect();
                if is_accepted(acceptance, edges, &inner) && has_word(edges, &path, back, letters, forbidden)
                {
                    return Some(path);
                }
            }
            if path.len() < 5 {
                let next = (0..edges.len()).filter(|e| edges[*e].0 == at);
                open.extend(next.map(|e| [&path[..], &[e]].concat()));
            }
        }
        None
    }

    fn has_word(
        edges: &[(usize, usize)],
        path: &[usize],
        back: usize,
        letters: &[Vec<u64>],
        forbidden: &Automaton,
    ) -> bool {
        (0u32..1 << path.len()).any(|bits| {
            let letter = |at: usize| u64::from(bits >> at & 1);
            let allowed = (0..path.len()).all(|at| letters[edges[path[at]].0].contains(&letter(at)));
            let word: Vec<u64> = (0..path.len()).map(letter).collect();
            let word = Lasso { stem: word[..back].to_vec(), cycle: word[back..].to_vec() };
            allowed && forbidden.accepts(&word)
        })
    }
}

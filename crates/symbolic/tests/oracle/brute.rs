//! The same questions answered state by state, with nothing of what is tested: the reference
//! stepper, the automaton of the formula, and strongly connected components taken apart by the
//! definition of fairness.

use logic::automata::translate;
use logic::fol::{Term, holds};
use logic::ltl::Formula;
use num_bigint::BigInt;
use space::Undefined;
use std::collections::{BTreeMap, BTreeSet};
use system::fts::step::{In, State, Valuation, initial, instances, successors};
use system::fts::{Fairness, Fts};

/// Everything a system can do; idling is not listed.
pub struct Graph {
    pub states: Vec<State>,
    pub initial: usize,
    pub next: Vec<BTreeSet<usize>>,
    fair: Vec<Requirement>,
}

/// A fair transition: where it is possible, and which steps take it.
struct Requirement {
    compassionate: bool,
    enabled: Vec<bool>,
    taken: BTreeSet<(usize, usize)>,
}

/// A transition with what its parameters stand for.
type Instance = (usize, Vec<BigInt>);

impl Graph {
    /// None if there are more states than `most`.
    pub fn new(
        fts: &Fts,
        given: &Valuation,
        fairness: Fairness,
        most: usize,
    ) -> Result<Option<Graph>, Undefined> {
        let mut states = initial(fts, given)?;
        if states.is_empty() {
            return Err(Undefined("no state is initial".to_string()));
        }
        let mut graph =
            Graph { states: Vec::new(), initial: states.len(), next: Vec::new(), fair: Vec::new() };
        let mut ids: BTreeMap<State, usize> =
            states.iter().cloned().enumerate().map(|(k, s)| (s, k)).collect();
        let mut taken: BTreeMap<Instance, BTreeSet<(usize, usize)>> = BTreeMap::new();
        let mut at = 0;
        while at < states.len() {
            let mut next = BTreeSet::new();
            for (how, state) in successors(fts, given, &states[at])? {
                let fresh = states.len();
                let id = *ids.entry(state.clone()).or_insert(fresh);
                if id == fresh {
                    states.push(state);
                }
                next.insert(id);
                taken.entry((how.transition, how.parameters)).or_default().insert((at, id));
            }
            graph.next.push(next);
            at += 1;
            if states.len() > most {
                return Ok(None);
            }
        }
        for (at, transition) in fts.transitions.iter().enumerate() {
            let declared = transition.fairness.min(fairness);
            if declared == Fairness::None {
                continue;
            }
            for parameters in instances(fts, given, transition)? {
                let taken = taken.get(&(at, parameters)).cloned().unwrap_or_default();
                let enabled = |s: usize| taken.iter().any(|(from, _)| *from == s);
                graph.fair.push(Requirement {
                    compassionate: declared == Fairness::Strong,
                    enabled: (0..states.len()).map(enabled).collect(),
                    taken,
                });
            }
        }
        graph.states = states;
        Ok(Some(graph))
    }

    pub fn edges(&self) -> usize {
        self.next.iter().map(BTreeSet::len).sum()
    }

    /// Whether a fair run breaks the formula; none if an atom has no value or the automaton is too
    /// large.
    pub fn is_violated(&self, fts: &Fts, given: &Valuation, formula: &Formula<Term>) -> Option<bool> {
        let mut atoms: Vec<Term> = Vec::new();
        let numbered = Formula::negation(formula.clone()).map(&mut |e: Term| {
            atoms.push(e);
            atoms.len() - 1
        });
        let automaton = translate(&numbered).ok()?;
        let mut letters = Vec::new();
        for state in &self.states {
            let within = In { fts, given, state, extra: Vec::new() };
            let mut letter = 0u64;
            for (k, atom) in atoms.iter().enumerate() {
                letter |= u64::from(holds(atom, &within)?) << k;
            }
            letters.push(letter);
        }
        // The product: nodes are numbered as they are met.
        let mut nodes: Vec<(usize, usize)> = (0..self.initial).map(|s| (s, automaton.initial)).collect();
        let mut ids: BTreeMap<(usize, usize), usize> =
            nodes.iter().copied().enumerate().map(|(k, n)| (n, k)).collect();
        let mut edges: Vec<Vec<(usize, u64)>> = Vec::new();
        while edges.len() < nodes.len() {
            let (state, at) = nodes[edges.len()];
            let mut out = Vec::new();
            for edge in automaton.states[at].iter().filter(|e| e.label.holds(letters[state])) {
                for next in self.next[state].iter().copied().chain([state]) {
                    let fresh = nodes.len();
                    let id = *ids.entry((next, edge.to)).or_insert(fresh);
                    if id == fresh {
                        nodes.push((next, edge.to));
                    }
                    out.push((id, edge.sets));
                }
            }
            edges.push(out);
        }
        let product = Product { graph: self, nodes: &nodes, edges: &edges, sets: automaton.sets };
        Some(product.has_fair_loop(&(0..nodes.len()).collect()))
    }
}

struct Product<'a> {
    graph: &'a Graph,
    nodes: &'a [(usize, usize)],
    edges: &'a [Vec<(usize, u64)>],
    sets: usize,
}

impl Product<'_> {
    fn has_fair_loop(&self, within: &BTreeSet<usize>) -> bool {
        self.components(within).iter().any(|component| self.is_fair(component))
    }

    fn is_fair(&self, component: &BTreeSet<usize>) -> bool {
        let mut steps = Vec::new();
        for from in component {
            let inside = self.edges[*from].iter().filter(|(to, _)| component.contains(to));
            steps.extend(inside.map(|(to, sets)| (*from, *to, *sets)));
        }
        if steps.is_empty() || (0..self.sets).any(|set| steps.iter().all(|(_, _, sets)| sets >> set & 1 == 0))
        {
            return false;
        }
        let state = |node: &usize| self.nodes[*node].0;
        let mut without = component.clone();
        for fair in &self.graph.fair {
            let taken = steps.iter().any(|(a, b, _)| fair.taken.contains(&(state(a), state(b))));
            let enabled = |node: &usize| fair.enabled[state(node)];
            if !taken && !fair.compassionate && component.iter().all(enabled) {
                return false;
            }
            if !taken && fair.compassionate {
                without.retain(|node| !enabled(node));
            }
        }
        without.len() == component.len() || self.has_fair_loop(&without)
    }

    /// By what reaches what: slow, and hard to get wrong.
    fn components(&self, within: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let reach = |from: usize, back: bool| {
            let mut found = BTreeSet::from([from]);
            let mut stack = vec![from];
            while let Some(at) = stack.pop() {
                let next: Vec<usize> = if back {
                    let into = |n: &&usize| self.edges[**n].iter().any(|(to, _)| *to == at);
                    within.iter().filter(into).copied().collect()
                } else {
                    self.edges[at].iter().map(|(to, _)| *to).filter(|to| within.contains(to)).collect()
                };
                stack.extend(next.into_iter().filter(|n| found.insert(*n)));
            }
            found
        };
        let mut left = within.clone();
        let mut found = Vec::new();
        while let Some(first) = left.first().copied() {
            let component: BTreeSet<usize> = &reach(first, false) & &reach(first, true);
            left = &left - &component;
            found.push(component);
        }
        found
    }
}

impl Graph {
    /// How many steps lead to the nearest state that is so.
    pub fn depth_of(&self, is: impl Fn(&State) -> bool) -> Option<usize> {
        let mut seen: BTreeSet<usize> = (0..self.initial).collect();
        let mut ring: Vec<usize> = seen.iter().copied().collect();
        for depth in 0.. {
            if ring.iter().any(|s| is(&self.states[*s])) {
                return Some(depth);
            }
            ring = ring.iter().flat_map(|s| &self.next[*s]).copied().filter(|s| seen.insert(*s)).collect();
            if ring.is_empty() {
                break;
            }
        }
        None
    }
}

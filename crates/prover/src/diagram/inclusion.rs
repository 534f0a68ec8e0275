//! The words of accepted paths are among those of the property: no accepted path of the diagram and
//! no accepting run of the automaton of the negated property share a word.
//!
//! A node stands for the letters that its label allows. The product of diagram and automaton is
//! looked through for a strongly connected part whose nodes the diagram accepts and whose edges
//! meet every set of the automaton: for each set of Müller's condition among the states with
//! these nodes alone; for Streett's pairs by leaving out, again and again, what would break a
//! pair.

use super::graph::{Edges, Graph};
use super::{Part, Question};
use crate::condition::Condition;
use crate::discharge::Obligation;
use crate::rules::NotApplicable;
use logic::automata::{Automaton, translate};
use logic::fol::Term;
use logic::ltl::Formula;
use std::collections::{BTreeMap, BTreeSet};
use system::fts::diagram::Acceptance;

/// Atoms of a property; a node has at most two to the power of this letters.
const ATOMS: usize = 10;

/// The letters of each node.
pub type Letters = Vec<Vec<u64>>;

/// A state of the product: a node, and a state of the automaton.
type Pair = (usize, usize);

struct Product<'a> {
    graph: &'a Graph,
    states: Vec<Pair>,
    /// From, to, the edge of the diagram, the sets of the automaton.
    edges: Vec<(usize, usize, usize, u64)>,
    sets: u64,
}

/// A word's worth of nodes that the diagram accepts and the automaton, too: the way there, and the
/// nodes that are visited again and again.
pub fn shares_word(
    graph: &Graph,
    letters: &Letters,
    automaton: &Automaton,
) -> Option<(Vec<usize>, Vec<usize>)> {
    let product = Product::new(graph, letters, automaton);
    let all: BTreeSet<usize> = (0..product.edges.len()).collect();
    let part = product.accepted(&all)?;
    let ends = part.iter().flat_map(|e| [product.edges[*e].0, product.edges[*e].1]);
    let inside: BTreeSet<usize> = ends.collect();
    let again: BTreeSet<usize> = inside.iter().map(|s| product.states[*s].0).collect();
    Some((product.way_to(&inside), again.into_iter().collect()))
}

impl<'a> Product<'a> {
    fn new(graph: &'a Graph, letters: &Letters, automaton: &Automaton) -> Product<'a> {
        let first = graph.initial.iter().map(|n| (*n, automaton.initial));
        let mut states: Vec<Pair> = first.collect();
        let mut numbers: BTreeMap<Pair, usize> = states.iter().enumerate().map(|(at, s)| (*s, at)).collect();
        let (mut edges, mut at) = (Vec::new(), 0);
        while let Some((node, state)) = states.get(at).copied() {
            for read in &automaton.states[state] {
                if !letters[node].iter().any(|letter| read.label.holds(*letter)) {
                    continue;
                }
                let onward = graph.edges.iter().enumerate().filter(|(_, (from, _))| *from == node);
                for (edge, (_, to)) in onward {
                    let next = *numbers.entry((*to, read.to)).or_insert_with(|| {
                        states.push((*to, read.to));
                        states.len() - 1
                    });
                    edges.push((at, next, edge, read.sets));
                }
            }
            at += 1;
        }
        let sets = if automaton.sets >= 64 { u64::MAX } else { (1 << automaton.sets) - 1 };
        Product { graph, states, edges, sets }
    }

    /// The strongly connected parts of some edges.
    fn components(&self, edges: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        edges.iter().for_each(|e| next[self.edges[*e].0].push(self.edges[*e].1));
        let found = logic::Components::new(self.states.len(), |n, at| next[n].get(at).copied());
        let mut parts: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); found.members.len()];
        for e in edges {
            let (from, to, ..) = self.edges[*e];
            if found.of[from] == found.of[to] {
                parts[found.of[from]].insert(*e);
            }
        }
        parts.into_iter().filter(|p| !p.is_empty() && self.meets_sets(p)).collect()
    }

    fn meets_sets(&self, part: &BTreeSet<usize>) -> bool {
        part.iter().fold(0, |sets, e| sets | self.edges[*e].3) & self.sets == self.sets
    }

    fn drawn(&self, part: &BTreeSet<usize>) -> Edges {
        part.iter().map(|e| self.edges[*e].2).collect()
    }

    /// A part that both accept.
    fn accepted(&self, edges: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        match &self.graph.acceptance {
            Acceptance::Muller { exactly, containing } => {
                let within = |set: &Vec<usize>| {
                    let inside = |e: &&usize| {
                        let (from, to) = self.graph.edges[self.edges[**e].2];
                        set.contains(&from) && set.contains(&to)
                    };
                    let edges: BTreeSet<usize> = edges.iter().filter(inside).copied().collect();
                    self.components(&edges).into_iter().find(|p| self.graph.touched(&self.drawn(p)) == *set)
                };
                let holds = |p: &BTreeSet<usize>, set: &Vec<usize>| {
                    let nodes = self.graph.touched(&self.drawn(p));
                    set.iter().all(|n| nodes.contains(n))
                };
                let exact = exactly.iter().find_map(within);
                exact.or_else(|| {
                    self.components(edges).into_iter().find(|p| containing.iter().any(|set| holds(p, set)))
                })
            }
            Acceptance::Streett(pairs) => self.components(edges).into_iter().find_map(|part| {
                let drawn = self.drawn(&part);
                let broken = pairs.iter().find(|(stays, again)| {
                    !drawn.iter().all(|e| stays.contains(e)) && !again.iter().any(|e| drawn.contains(e))
                });
                let Some((stays, _)) = broken else { return Some(part) };
                let kept = part.iter().filter(|e| stays.contains(&self.edges[**e].2)).copied().collect();
                self.accepted(&kept)
            }),
        }
    }

    /// The nodes on a shortest way from the beginning to some states.
    fn way_to(&self, goal: &BTreeSet<usize>) -> Vec<usize> {
        let mut before: BTreeMap<usize, Option<usize>> =
            (0..self.graph.initial.len()).map(|s| (s, None)).collect();
        let mut queue: std::collections::VecDeque<usize> = (0..self.graph.initial.len()).collect();
        while let Some(at) = queue.pop_front() {
            if goal.contains(&at) {
                let mut way = vec![self.states[at].0];
                let mut back = before[&at];
                while let Some(state) = back {
                    way.push(self.states[state].0);
                    back = before[&state];
                }
                way.reverse();
                return way;
            }
            for (_, to, ..) in self.edges.iter().filter(|(from, ..)| *from == at) {
                if !before.contains_key(to) {
                    before.insert(*to, Some(at));
                    queue.push_back(*to);
                }
            }
        }
        Vec::new()
    }
}

impl Question<'_> {
    /// Whether all words of accepted paths satisfy the property.
    pub(super) fn included(
        &self,
        graph: &Graph,
        formula: &Formula<Term>,
    ) -> Result<Obligation, NotApplicable> {
        let (numbered, atoms) = formula.clone().numbered();
        if atoms.len() > ATOMS {
            return Err(NotApplicable(format!("the property has more than {ATOMS} different assertions")));
        }
        let negated = Formula::negation(numbered);
        let automaton = translate(&negated).map_err(|e| NotApplicable(format!("the property: {e}")))?;
        let letters: Letters = (0..self.diagram.nodes.len()).map(|n| self.letters(n, &atoms)).collect();
        let found = shares_word(graph, &letters, &automaton);
        let why = found.map(|(way, again)| {
            let way: Vec<&str> = way.iter().map(|n| self.diagram.name_of(*n)).collect();
            let again = self.diagram.set(&again);
            format!(
                "the accepted path {}, then {again} again and again, violates the property",
                way.join(" -> ")
            )
        });
        Ok(self.said(self.place(Part::Inclusion), "inclusion".to_string(), why))
    }

    /// The letters that the label of a node allows; its assertion if it has no label.
    fn letters(&self, node: usize, atoms: &[Term]) -> Vec<u64> {
        let label = self.diagram.nodes[node].label.as_ref();
        let said = label.map_or_else(|| self.at(node), |l| Term::all([self.given.clone(), l.clone()]));
        let mut open = vec![(0usize, 0u64, said)];
        let mut all = Vec::new();
        while let Some((at, letter, said)) = open.pop() {
            let none = Condition::implication("", said.clone(), Term::truth(false), self.background);
            if self.judge.is_valid(&none) {
                continue;
            }
            match atoms.get(at) {
                None => all.push(letter),
                Some(atom) => {
                    let with = |truth: Term| Term::all([said.clone(), truth]);
                    open.push((at + 1, letter, with(Term::negation(atom.clone()))));
                    open.push((at + 1, letter | 1 << at, with(atom.clone())));
                }
            }
        }
        all
    }
}

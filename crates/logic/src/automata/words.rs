//! Words of automata: is this lasso accepted, is there one at all, is there one that two automata
//! share?
//!
//! Each question is a product with a search for an accepting component; the word found goes to it
//! on a shortest path, and then around through each set.

use super::bdd::{Bdd, FALSE, Manager, TRUE};
use super::components::Components;
use super::graph::{self, Arc, Graph};
use super::hash::Map;
use super::{Automaton, TooLarge};
use crate::ltl::Lasso;
use std::collections::VecDeque;

impl Automaton {
    /// Does it accept this word?
    pub fn accepts(&self, word: &Lasso<u64>) -> bool {
        let length = word.stem.len() + word.cycle.len();
        let next = |at: usize| if at + 1 == length { word.stem.len() } else { at + 1 };
        let node = |state: usize, at: usize| state * length + at;
        let mut states = Vec::with_capacity(self.states.len() * length);
        for edges in &self.states {
            for at in 0..length {
                let takes = edges.iter().filter(|edge| edge.label.holds(*word.at(at)));
                let arcs = takes.map(|e| Arc { label: TRUE, to: node(e.to, next(at)), sets: e.sets });
                states.push(arcs.collect());
            }
        }
        let product = Graph { sets: self.sets, initial: node(self.initial, 0), states }.reachable();
        Components::of(&product).accepting.contains(&true)
    }

    /// A word it accepts, if there is one.
    pub fn witness(&self) -> Option<Lasso<u64>> {
        let mut bdd = Manager::new(usize::MAX);
        let graph = graph::open(self, &mut bdd);
        lasso(&graph, &bdd)
    }
}

/// A word that both accept, if there is one.
pub fn intersects(a: &Automaton, b: &Automaton) -> Result<Option<Lasso<u64>>, TooLarge> {
    let mut bdd = Manager::new(super::translate::NODES);
    let (a, b) = (graph::open(a, &mut bdd), graph::open(b, &mut bdd));
    let product = product(&a, &b, &mut bdd)?;
    Ok(lasso(&product, &bdd))
}

/// The automaton of the words that both accept.
pub(super) fn product(a: &Graph, b: &Graph, bdd: &mut Manager) -> Result<Graph, TooLarge> {
    if a.sets + b.sets > 64 {
        return Err(TooLarge::Sets);
    }
    let start = (a.initial, b.initial);
    let (mut numbers, mut pairs) = (Map::from_iter([(start, 0)]), vec![start]);
    let mut states: Vec<Vec<Arc>> = Vec::new();
    while let Some(&(p, q)) = pairs.get(states.len()) {
        let mut arcs = Vec::new();
        for left in &a.states[p] {
            for right in &b.states[q] {
                let label = bdd.and(left.label, right.label);
                if label != FALSE {
                    let pair = (left.to, right.to);
                    let to = *numbers.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    arcs.push(Arc { label, to, sets: left.sets | right.sets << a.sets });
                }
            }
        }
        states.push(arcs);
        if bdd.full {
            return Err(TooLarge::Labels);
        }
    }
    Ok(Graph { sets: a.sets + b.sets, initial: 0, states })
}

/// Is the word that repeats these letters accepted from one of these states?
pub(super) fn accepts_from(graph: &Graph, from: &[usize], letters: &[u64], bdd: &Manager) -> bool {
    let length = letters.len();
    let mut states = Vec::with_capacity(graph.states.len() * length + 1);
    for arcs in &graph.states {
        for (at, &letter) in letters.iter().enumerate() {
            let takes = arcs.iter().filter(|arc| bdd.holds(arc.label, letter));
            states.push(takes.map(|arc| Arc { to: arc.to * length + (at + 1) % length, ..*arc }).collect());
        }
    }
    let initial = states.len();
    states.push(from.iter().map(|state| Arc { label: TRUE, to: state * length, sets: 0 }).collect());
    let product = Graph { sets: graph.sets, initial, states }.reachable();
    Components::of(&product).accepting.contains(&true)
}

/// A word that the graph accepts.
pub(super) fn lasso(graph: &Graph, bdd: &Manager) -> Option<Lasso<u64>> {
    let components = Components::of(graph);
    let goal = |state: usize| components.accepting[components.of[state]];
    let (stem, entry) = if goal(graph.initial) {
        (Vec::new(), graph.initial)
    } else {
        path(graph, graph.initial, |_, arc| goal(arc.to))?
    };
    let inside = components.of[entry];
    let within = |from: usize, arc: &Arc| components.of[from] == inside && components.of[arc.to] == inside;
    let (mut cycle, mut at, mut missing) = (Vec::new(), entry, graph.all_sets());
    while missing != 0 {
        let (way, end) = path(graph, at, |from, arc| within(from, arc) && arc.sets & missing != 0)?;
        missing = way.iter().fold(missing, |missing, arc| missing & !arc.sets);
        cycle.extend(way);
        at = end;
    }
    if cycle.is_empty() || at != entry {
        cycle.extend(path(graph, at, |from, arc| within(from, arc) && arc.to == entry)?.0);
    }
    let read = |arcs: Vec<Arc>| arcs.iter().map(|arc| letter(arc.label, bdd)).collect();
    Some(Lasso { stem: read(stem), cycle: read(cycle) })
}

/// A shortest path of at least one edge, whose last edge is a goal, and where it ends.
pub(super) fn path(
    graph: &Graph,
    from: usize,
    goal: impl Fn(usize, &Arc) -> bool,
) -> Option<(Vec<Arc>, usize)> {
    let mut reached: Map<usize, (usize, Arc)> = Map::default();
    let mut queue = VecDeque::from([from]);
    while let Some(state) = queue.pop_front() {
        for arc in &graph.states[state] {
            if goal(state, arc) {
                let (mut way, mut at) = (vec![*arc], state);
                while at != from {
                    let (before, arc) = reached[&at];
                    way.push(arc);
                    at = before;
                }
                way.reverse();
                return Some((way, arc.to));
            }
            if arc.to != from && !reached.contains_key(&arc.to) {
                reached.insert(arc.to, (state, *arc));
                queue.push_back(arc.to);
            }
        }
    }
    None
}

/// A letter that satisfies a label, with few propositions true.
pub(super) fn letter(mut label: Bdd, bdd: &Manager) -> u64 {
    let mut letter = 0;
    while label != TRUE && label != FALSE {
        let variable = bdd.top(label);
        let (low, high) = bdd.cofactors(label, variable);
        if low == FALSE {
            letter |= 1 << variable;
        }
        label = if low == FALSE { high } else { low };
    }
    letter
}

//! The working form of an automaton: labels are decision diagrams, so that they can be joined, cut
//! and compared.

use super::bdd::{Bdd, FALSE, Manager, TRUE};
use super::hash::Map;
use super::{Automaton, Cube, Edge, Label};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arc {
    pub label: Bdd,
    pub to: usize,
    pub sets: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    pub sets: usize,
    pub initial: usize,
    pub states: Vec<Vec<Arc>>,
}

impl Graph {
    /// The automaton that accepts nothing.
    pub fn empty() -> Graph {
        Graph { sets: 0, initial: 0, states: vec![Vec::new()] }
    }

    /// All acceptance sets, as bits.
    pub(crate) fn all_sets(&self) -> u64 {
        all(self.sets)
    }

    pub fn edges(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// States, and edges.
    pub fn size(&self) -> (usize, usize) {
        (self.states.len(), self.edges())
    }

    /// The same edges in the other direction.
    pub fn reversed(&self) -> Graph {
        let mut states = vec![Vec::new(); self.states.len()];
        for (from, arcs) in self.states.iter().enumerate() {
            arcs.iter().for_each(|arc| states[arc.to].push(Arc { to: from, ..*arc }));
        }
        Graph { states, ..*self }
    }

    /// The part reachable from the initial state, numbered in the order a depth-first search meets
    /// the states.
    pub fn reachable(&self) -> Graph {
        let mut number: Map<usize, usize> = Map::default();
        let (mut order, mut stack) = (Vec::new(), vec![self.initial]);
        while let Some(state) = stack.pop() {
            if number.contains_key(&state) {
                continue;
            }
            number.insert(state, order.len());
            order.push(state);
            stack.extend(self.states[state].iter().rev().map(|arc| arc.to));
        }
        let renumber = |arc: &Arc| Arc { to: number[&arc.to], ..*arc };
        let states = order.iter().map(|&state| self.states[state].iter().map(renumber).collect()).collect();
        Graph { sets: self.sets, initial: 0, states }
    }
}

/// The first `count` acceptance sets, as bits.
pub fn all(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Joins the edges that differ in their label alone, and drops those without letters.
pub fn join(arcs: &mut Vec<Arc>, bdd: &mut Manager) {
    arcs.retain(|arc| arc.label != FALSE);
    arcs.sort_unstable_by_key(|arc| (arc.to, arc.sets, arc.label));
    arcs.dedup_by(|arc, kept| {
        let same = (arc.to, arc.sets) == (kept.to, kept.sets);
        if same {
            kept.label = bdd.or(kept.label, arc.label);
        }
        same
    });
}

/// Reads an automaton.
pub fn open(automaton: &Automaton, bdd: &mut Manager) -> Graph {
    let mut arc = |edge: &Edge| Arc { label: function(&edge.label, bdd), to: edge.to, sets: edge.sets };
    Graph {
        sets: automaton.sets,
        initial: automaton.initial,
        states: automaton.states.iter().map(|edges| edges.iter().map(&mut arc).collect()).collect(),
    }
}

/// Writes an automaton whose letters have `propositions` propositions.
pub fn close(graph: &Graph, propositions: usize, bdd: &mut Manager) -> Automaton {
    let mut labels: Map<Bdd, Label> = Map::default();
    let mut edge = |arc: &Arc| {
        let label = labels.entry(arc.label).or_insert_with(|| label(arc.label, bdd));
        Edge { label: label.clone(), to: arc.to, sets: arc.sets }
    };
    Automaton {
        propositions,
        sets: graph.sets,
        initial: graph.initial,
        states: graph.states.iter().map(|arcs| arcs.iter().map(&mut edge).collect()).collect(),
    }
}

/// The function of a label.
pub fn function(label: &Label, bdd: &mut Manager) -> Bdd {
    label.cubes.iter().fold(FALSE, |f, cube| {
        let cube = conjunction(cube, bdd);
        bdd.or(f, cube)
    })
}

fn conjunction(cube: &Cube, bdd: &mut Manager) -> Bdd {
    let mut f = TRUE;
    for variable in (0..64).rev() {
        for (bits, sign) in [(cube.positive, true), (cube.negative, false)] {
            if bits >> variable & 1 == 1 {
                let literal = bdd.literal(variable, sign);
                f = bdd.and(f, literal);
            }
        }
    }
    f
}

/// A label for a function of propositions alone.
pub fn label(f: Bdd, bdd: &mut Manager) -> Label {
    let cube = |literals: Vec<(u32, bool)>| {
        literals.into_iter().fold(Cube::default(), |cube, (variable, sign)| match sign {
            true => Cube { positive: cube.positive | 1 << variable, ..cube },
            false => Cube { negative: cube.negative | 1 << variable, ..cube },
        })
    };
    Label { cubes: bdd.cubes(f).into_iter().map(cube).collect() }
}

//! From several acceptance sets to one, on edges or on states.
//!
//! The sets are counted one after the other: a copy of each state for each level, the number of
//! sets seen since the last round (Gastin and Oddoux 2001; Giannakopoulou and Lerda 2002, who skip
//! levels). A run that never returns to a component need not count in it, so levels are counted
//! inside accepting components only (Babiak, Badie, Duret-Lutz, Křetínský, Strejček, SPIN 2013).
//! Sets that are on every edge out of a state may be counted on the way in.
//!
//! Ours: all copies of a state accept the same words, since a round begun anywhere ends. So a
//! component is entered on whatever copy is cheapest, and of its copies only a closed component of
//! them is kept; and several ways of counting are tried for each component.

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

/// A state with a level.
type Copy = (usize, usize);

/// The copies of the states of one component, with the edges between them.
struct Counted {
    copies: Vec<Copy>,
    graph: Graph,
}

/// Up to this many sets all orders are tried.
const ALL_ORDERS: usize = 4;

pub fn degeneralize(graph: &Graph, on: On) -> Graph {
    if graph.sets == 0 || (graph.sets == 1 && on == On::Edges) {
        return graph.clone();
    }
    let components = Components::of(graph);
    let parts: Vec<Counted> =
        (0..components.members.len()).map(|c| best(graph, &components, c, on)).collect();
    // Where the copies of each component begin in the result, and the copy on which each state is
    // entered.
    let (mut begin, mut entry) = (Vec::new(), vec![0; graph.states.len()]);
    let mut count = 0;
    for part in &parts {
        begin.push(count);
        for (i, &(state, _)) in part.copies.iter().enumerate().rev() {
            entry[state] = count + i;
        }
        count += part.copies.len();
    }
    let mut states = Vec::with_capacity(count);
    for (component, part) in parts.iter().enumerate() {
        for (&(state, _), inner) in part.copies.iter().zip(&part.graph.states) {
            let inner = inner.iter().map(|arc| Arc { to: begin[component] + arc.to, ..*arc });
            let marked = on == On::States
                && part.graph.states[states.len() - begin[component]].iter().any(|a| a.sets == 1);
            let leaves = graph.states[state].iter().filter(|arc| components.of[arc.to] != component);
            let leaving = leaves.map(|arc| Arc { to: entry[arc.to], sets: marked as u64, ..*arc });
            states.push(inner.chain(leaving).collect());
        }
    }
    Graph { sets: 1, initial: entry[graph.initial], states }
}

/// The smallest way to count in a component.
fn best(graph: &Graph, components: &Components, component: usize, on: On) -> Counted {
    if !components.accepting[component] {
        let copies: Vec<Copy> = components.members[component].iter().map(|&state| (state, 0)).collect();
        let number: Map<usize, usize> =
            copies.iter().enumerate().map(|(i, &(state, _))| (state, i)).collect();
        let inner = |state: usize| {
            let stays = graph.states[state].iter().filter_map(|arc| number.get(&arc.to).map(|&to| (arc, to)));
            stays.map(|(arc, to)| Arc { to, sets: 0, ..*arc }).collect()
        };
        let states = copies.iter().map(|&(state, _)| inner(state)).collect();
        return Counted { copies, graph: Graph { sets: 1, initial: 0, states } };
    }
    let orders = orders(graph.sets, on);
    let ahead: &[bool] = if on == On::States { &[true, false] } else { &[false] };
    let ways = orders.iter().flat_map(|order| {
        ahead.iter().map(move |&ahead| Levels { graph, components, component, on, order, ahead }.count())
    });
    ways.min_by_key(|way| way.graph.size()).unwrap_or(Counted { copies: Vec::new(), graph: Graph::empty() })
}

/// Orders to count sets in. On edges it does not matter where a round begins.
fn orders(sets: usize, on: On) -> Vec<Vec<usize>> {
    let mut orders = vec![vec![0]];
    for set in 1..sets {
        let first = if on == On::States { 0 } else { 1 };
        let places = if sets <= ALL_ORDERS { first..=set } else { set..=set };
        let insert = |order: &Vec<usize>, at: usize| [&order[..at], &[set], &order[at..]].concat();
        orders = orders.iter().flat_map(|order| places.clone().map(move |at| insert(order, at))).collect();
    }
    orders
}

struct Levels<'a> {
    graph: &'a Graph,
    components: &'a Components,
    component: usize,
    on: On,
    order: &'a [usize],
    /// Sets that are on every edge out of a state are counted on the way in.
    ahead: bool,
}

impl Levels<'_> {
    /// The copies of the component, less those that a run does not come back to.
    fn count(&self) -> Counted {
        let start = (self.components.members[self.component][0], 0);
        let (mut numbers, mut copies) = (Map::from_iter([(start, 0)]), vec![start]);
        let mut states: Vec<Vec<Arc>> = Vec::new();
        while let Some(&(state, level)) = copies.get(states.len()) {
            let stays = self.graph.states[state].iter().filter(|arc| self.stays(arc));
            let arcs = stays.map(|arc| {
                let (level, round) = self.follow(level, arc);
                let to = *numbers.entry((arc.to, level)).or_insert_with(|| {
                    copies.push((arc.to, level));
                    copies.len() - 1
                });
                Arc { to, sets: round as u64, ..*arc }
            });
            states.push(arcs.collect());
        }
        let graph = Graph { sets: 1, initial: 0, states };
        closed(&copies, &graph)
    }

    fn stays(&self, arc: &Arc) -> bool {
        self.components.of[arc.to] == self.component
    }

    /// The level after an edge, and whether the edge is in the set.
    fn follow(&self, level: usize, arc: &Arc) -> (usize, bool) {
        let all = self.order.len();
        match self.on {
            On::States => {
                let begin = if level == all { 0 } else { level };
                (self.advance(self.advance(begin, arc.sets), self.common(arc.to)), level == all)
            }
            On::Edges => match self.advance(level, arc.sets) {
                end if end == all => (self.advance(0, arc.sets) % all, true),
                partial => (partial, false),
            },
        }
    }

    /// Sets on all edges by which a state stays in the component.
    fn common(&self, state: usize) -> u64 {
        if !self.ahead {
            return 0;
        }
        let stays = self.graph.states[state].iter().filter(|arc| self.stays(arc));
        stays.fold(u64::MAX, |sets, arc| sets & arc.sets)
    }

    /// The level after these sets.
    fn advance(&self, level: usize, sets: u64) -> usize {
        level + self.order[level..].iter().take_while(|&&set| sets >> set & 1 == 1).count()
    }
}

/// A component of copies that no edge leaves. It has a copy of each state, since the states are one
/// component.
fn closed(copies: &[Copy], graph: &Graph) -> Counted {
    let components = Components::of(graph);
    let members = &components.members[0];
    let number: Map<usize, usize> = members.iter().enumerate().map(|(i, &copy)| (copy, i)).collect();
    let arcs =
        |copy: usize| graph.states[copy].iter().map(|arc| Arc { to: number[&arc.to], ..*arc }).collect();
    Counted {
        copies: members.iter().map(|&copy| copies[copy]).collect(),
        graph: Graph { sets: 1, initial: 0, states: members.iter().map(|&copy| arcs(copy)).collect() },
    }
}

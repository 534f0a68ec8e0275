//! The explicit graph of what an observer of a system sees, made by the reference stepper alone.

use std::collections::{BTreeSet, HashMap};
use system::property::{is_observed, letter};
use system::{Move, Pid, Reference, State, System};

/// An edge to a node, with who moves on the way.
pub struct Edge {
    pub to: usize,
    pub movers: BTreeSet<Pid>,
}

/// Node 0 is initial. A state in which no process can move has an edge to itself with no movers.
#[derive(Default)]
pub struct Graph {
    pub letters: Vec<u64>,
    pub edges: Vec<Vec<Edge>>,
    /// By node: who can begin a move.
    pub enabled: Vec<BTreeSet<Pid>>,
}

/// The graph, if it is small, and nothing in it ends in a fatal fault.
pub fn graph(system: &System, most: usize) -> Option<Graph> {
    let reference = Reference::new(system);
    let mut states = vec![reference.initial().ok()?];
    let mut numbers: HashMap<State, usize> = HashMap::from([(key(&states[0]), 0)]);
    let mut graph = Graph::default();
    while let Some(state) = states.get(graph.edges.len()).cloned() {
        if states.len() > most {
            return None;
        }
        graph.letters.push(letter(system, &state).ok()?);
        let moves = reference.moves(&state);
        graph.enabled.push(moves.iter().flat_map(parts).collect());
        let mut edges = Vec::new();
        for (next, movers) in observed(&reference, moves)? {
            let to = *numbers.entry(key(&next)).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            });
            edges.push(Edge { to, movers });
        }
        if edges.is_empty() {
            edges.push(Edge { to: graph.edges.len(), movers: BTreeSet::new() });
        }
        graph.edges.push(edges);
    }
    Some(graph)
}

/// Who moved last does not matter here.
fn key(state: &State) -> State {
    State { last: 0, ..state.clone() }
}

fn parts(m: &Move) -> Vec<Pid> {
    std::iter::once(m.step.actor).chain(m.step.partner.as_ref().map(|(pid, _)| *pid)).collect()
}

/// The next states that are observed, by every way through those that are not; `None` if a way ends
/// in a fault or is long.
fn observed(reference: &Reference<'_>, moves: Vec<Move>) -> Option<Vec<(State, BTreeSet<Pid>)>> {
    let mut found = Vec::new();
    let mut open: Vec<(Move, BTreeSet<Pid>)> = moves.into_iter().map(|m| (m, BTreeSet::new())).collect();
    let mut work = 0;
    while let Some((taken, mut movers)) = open.pop() {
        work += 1;
        if work > 2_000 {
            return None;
        }
        movers.extend(parts(&taken));
        let next = taken.next?;
        if is_observed(&next) {
            found.push((next, movers));
        } else {
            open.extend(reference.moves(&next).into_iter().map(|m| (m, movers.clone())));
        }
    }
    Some(found)
}

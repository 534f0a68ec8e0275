//! Is this a lasso of the graph, and does it count? By the definitions alone, on the graph as it is
//! written down. And: is there any? By trying every set of edges, or by reachability in a matrix.

use crate::explicit::Explicit;
use explore::emptiness::{Acceptance, Lasso};
use std::collections::HashSet;

/// Why the lasso is none, or does not count.
pub fn judge(graph: &Explicit, lasso: &Lasso) -> Result<(), String> {
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let (Some(head), steps) = (lasso.cycle.first(), lasso.stem.iter().chain(&lasso.cycle)) else {
        return Err("the cycle is empty".into());
    };
    let steps: Vec<(u32, usize)> = steps.map(|(state, edge)| (number(state), *edge)).collect();
    if !graph.initial.contains(&steps[0].0) {
        return Err(format!("state {} is not initial", steps[0].0));
    }
    let ends = steps.iter().skip(1).map(|(state, _)| *state).chain([number(&head.0)]);
    for ((state, edge), end) in steps.iter().zip(ends) {
        match graph.edges[*state as usize].get(*edge) {
            Some(edge) if edge.target == end => {}
            Some(other) => {
                return Err(format!("edge {edge} of {state} leads to {}, not {end}", other.target));
            }
            None => return Err(format!("state {state} has no edge {edge}")),
        }
    }
    let recurring: HashSet<usize> = steps[lasso.stem.len()..]
        .iter()
        .flat_map(|(state, edge)| graph.edges[*state as usize][*edge].marks.iter().copied())
        .collect();
    if counts(&graph.acceptance, &recurring) { Ok(()) } else { Err(format!("only {recurring:?} recur")) }
}

fn counts(acceptance: &Acceptance, recurring: &HashSet<usize>) -> bool {
    acceptance.recurrent.iter().all(|mark| recurring.contains(mark))
        && acceptance.pairs.iter().all(|p| !recurring.contains(&p.request) || recurring.contains(&p.response))
}

/// All edges as (source, target, marks), of reachable states only.
fn edges(graph: &Explicit) -> Vec<(usize, usize, HashSet<usize>)> {
    let mut reached: Vec<bool> = vec![false; graph.edges.len()];
    let mut open: Vec<u32> = graph.initial.clone();
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state as usize], true) {
            open.extend(graph.edges[state as usize].iter().map(|edge| edge.target));
        }
    }
    let from = |(source, edges): (usize, &Vec<crate::explicit::Edge>)| {
        let edge = |a: &crate::explicit::Edge| (source, a.target as usize, a.marks.iter().copied().collect());
        edges.iter().map(edge).collect::<Vec<_>>()
    };
    graph.edges.iter().enumerate().filter(|(state, _)| reached[*state]).flat_map(from).collect()
}

/// Is there a path that counts? The edges it takes infinitely often are a set in which one gets
/// from each to each, and every such set is that of some path: try them all.
pub fn any_by_sets(graph: &Explicit) -> bool {
    let edges = edges(graph);
    assert!(edges.len() <= 16, "too many sets to try");
    (1u32..1 << edges.len()).any(|set| {
        let chosen: Vec<_> = (0..edges.len()).filter(|k| set >> k & 1 == 1).map(|k| &edges[k]).collect();
        let marks = chosen.iter().flat_map(|edge| edge.2.iter().copied()).collect();
        counts(&graph.acceptance, &marks) && {
            let pairs: Vec<(usize, usize)> = chosen.iter().map(|edge| (edge.0, edge.1)).collect();
            hang_together(&pairs, graph.edges.len())
        }
    })
}

/// From the target of each edge, can the source of each be reached?
fn hang_together(edges: &[(usize, usize)], states: usize) -> bool {
    let reach = closure(edges, states);
    edges.iter().all(|a| edges.iter().all(|b| a.1 == b.0 || reach[a.1][b.0]))
}

/// Which state reaches which by at least one edge.
fn closure(edges: &[(usize, usize)], states: usize) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; states]; states];
    edges.iter().for_each(|(source, target)| reach[*source][*target] = true);
    for via in 0..states {
        for from in 0..states {
            if reach[from][via] {
                let row = reach[via].clone();
                reach[from].iter_mut().zip(row).for_each(|(a, b)| *a |= b);
            }
        }
    }
    reach
}

/// The same for larger graphs: edges that cannot recur are taken away until nothing changes; what
/// is left decides.
pub fn any_by_matrix(graph: &Explicit) -> bool {
    any_among(&graph.acceptance, edges(graph), graph.edges.len())
}

fn any_among(acceptance: &Acceptance, edges: Vec<(usize, usize, HashSet<usize>)>, states: usize) -> bool {
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.0, edge.1)).collect();
    let reach = closure(&pairs, states);
    let mut rest: Vec<_> =
        edges.into_iter().filter(|edge| reach[edge.1][edge.0] || edge.0 == edge.1).collect();
    while let Some(state) = rest.last().map(|edge| edge.0) {
        let inside = |at: usize| at == state || reach[at][state] && reach[state][at];
        let (mine, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|edge| inside(edge.0) && inside(edge.1));
        let marks: HashSet<usize> = mine.iter().flat_map(|edge| edge.2.iter().copied()).collect();
        if counts(acceptance, &marks) {
            return true;
        }
        let open: Vec<usize> = acceptance
            .pairs
            .iter()
            .filter(|p| marks.contains(&p.request) && !marks.contains(&p.response))
            .map(|p| p.request)
            .collect();
        let answered = |edge: &(usize, usize, HashSet<usize>)| open.iter().all(|mark| !edge.2.contains(mark));
        if !open.is_empty() && any_among(acceptance, mine.into_iter().filter(answered).collect(), states) {
            return true;
        }
        rest = others;
    }
    false
}

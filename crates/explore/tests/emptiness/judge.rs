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
    let steps: Vec<(u32, usize)> = steps.map(|(state, arrow)| (number(state), *arrow)).collect();
    if !graph.initial.contains(&steps[0].0) {
        return Err(format!("state {} is not initial", steps[0].0));
    }
    let ends = steps.iter().skip(1).map(|(state, _)| *state).chain([number(&head.0)]);
    for ((state, arrow), end) in steps.iter().zip(ends) {
        match graph.arrows[*state as usize].get(*arrow) {
            Some(arrow) if arrow.target == end => {}
            Some(other) => {
                return Err(format!("arrow {arrow} of {state} leads to {}, not {end}", other.target));
            }
            None => return Err(format!("state {state} has no arrow {arrow}")),
        }
    }
    let recurring: HashSet<usize> = steps[lasso.stem.len()..]
        .iter()
        .flat_map(|(state, arrow)| graph.arrows[*state as usize][*arrow].marks.iter().copied())
        .collect();
    if counts(&graph.acceptance, &recurring) { Ok(()) } else { Err(format!("only {recurring:?} recur")) }
}

fn counts(acceptance: &Acceptance, recurring: &HashSet<usize>) -> bool {
    acceptance.recurrent.iter().all(|mark| recurring.contains(mark))
        && acceptance.pairs.iter().all(|p| !recurring.contains(&p.request) || recurring.contains(&p.response))
}

/// All edges as (source, target, marks), of reachable states only.
fn arrows(graph: &Explicit) -> Vec<(usize, usize, HashSet<usize>)> {
    let mut reached: Vec<bool> = vec![false; graph.arrows.len()];
    let mut open: Vec<u32> = graph.initial.clone();
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state as usize], true) {
            open.extend(graph.arrows[state as usize].iter().map(|arrow| arrow.target));
        }
    }
    let from = |(source, arrows): (usize, &Vec<crate::explicit::Arrow>)| {
        let arrow =
            |a: &crate::explicit::Arrow| (source, a.target as usize, a.marks.iter().copied().collect());
        arrows.iter().map(arrow).collect::<Vec<_>>()
    };
    graph.arrows.iter().enumerate().filter(|(state, _)| reached[*state]).flat_map(from).collect()
}

/// Is there a path that counts? The edges it takes infinitely often are a set in which one gets
/// from each to each, and every such set is that of some path: try them all.
pub fn any_by_sets(graph: &Explicit) -> bool {
    let arrows = arrows(graph);
    assert!(arrows.len() <= 16, "too many sets to try");
    (1u32..1 << arrows.len()).any(|set| {
        let chosen: Vec<_> = (0..arrows.len()).filter(|k| set >> k & 1 == 1).map(|k| &arrows[k]).collect();
        let marks = chosen.iter().flat_map(|arrow| arrow.2.iter().copied()).collect();
        counts(&graph.acceptance, &marks) && {
            let pairs: Vec<(usize, usize)> = chosen.iter().map(|arrow| (arrow.0, arrow.1)).collect();
            hang_together(&pairs, graph.arrows.len())
        }
    })
}

/// From the target of each edge, can the source of each be reached?
fn hang_together(arrows: &[(usize, usize)], states: usize) -> bool {
    let reach = closure(arrows, states);
    arrows.iter().all(|a| arrows.iter().all(|b| a.1 == b.0 || reach[a.1][b.0]))
}

/// Which state reaches which by at least one edge.
fn closure(arrows: &[(usize, usize)], states: usize) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; states]; states];
    arrows.iter().for_each(|(source, target)| reach[*source][*target] = true);
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
    any_among(&graph.acceptance, arrows(graph), graph.arrows.len())
}

fn any_among(acceptance: &Acceptance, arrows: Vec<(usize, usize, HashSet<usize>)>, states: usize) -> bool {
    let pairs: Vec<(usize, usize)> = arrows.iter().map(|arrow| (arrow.0, arrow.1)).collect();
    let reach = closure(&pairs, states);
    let mut rest: Vec<_> =
        arrows.into_iter().filter(|arrow| reach[arrow.1][arrow.0] || arrow.0 == arrow.1).collect();
    while let Some(state) = rest.last().map(|arrow| arrow.0) {
        let inside = |at: usize| at == state || reach[at][state] && reach[state][at];
        let (mine, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|arrow| inside(arrow.0) && inside(arrow.1));
        let marks: HashSet<usize> = mine.iter().flat_map(|arrow| arrow.2.iter().copied()).collect();
        if counts(acceptance, &marks) {
            return true;
        }
        let open: Vec<usize> = acceptance
            .pairs
            .iter()
            .filter(|p| marks.contains(&p.request) && !marks.contains(&p.response))
            .map(|p| p.request)
            .collect();
        let answered =
            |arrow: &(usize, usize, HashSet<usize>)| open.iter().all(|mark| !arrow.2.contains(mark));
        if !open.is_empty() && any_among(acceptance, mine.into_iter().filter(answered).collect(), states) {
            return true;
        }
        rest = others;
    }
    false
}

//! Threads that can never go on while others run, in everything that can be reached.
//!
//! A thread is *blocked* in a state if it can do nothing there nor in any state that follows. A
//! branch on forgotten values goes one of its ways, and which is not known: with `sure`, a thread
//! may count on it only if it can go on after each of them. Loops that count end.

use crate::concrete::{Edge, Runs};
use std::collections::BTreeMap;
use structures::model::Model;

/// An individual in a state.
type Who = (usize, usize);

/// Those who are not where they may rest and are blocked, the nearest states first.
pub(super) fn never(runs: &Runs<'_>, sure: bool) -> Vec<Who> {
    let (model, c) = (runs.model(), runs.concrete());
    let edges: Vec<Vec<Edge>> = (0..runs.len()).map(|at| runs.edges(at).collect()).collect();
    let waits = |at: usize, u: usize| model.restless().any(|p| c.get(&runs.state(at), p, [u, 0]));
    let mut moving: Vec<Vec<bool>> = runs.states().map(|s| vec![false; s.individuals]).collect();
    for (at, edges) in edges.iter().enumerate() {
        edges.iter().filter_map(|a| a.actor).for_each(|u| moving[at][u] = true);
    }
    let groups = groups(model, &edges, sure);
    // From later states to earlier ones, again until nothing changes.
    loop {
        let mut changed = false;
        for at in (0..edges.len()).rev() {
            for u in 0..moving[at].len() {
                let after = |edge: &usize| {
                    let edge = &edges[at][*edge];
                    let place = edge.order.iter().position(|v| *v == u);
                    place.is_some_and(|v| moving[edge.to][v])
                };
                let goes_on = !moving[at][u] && groups[at].iter().any(|group| group.iter().all(after));
                if goes_on {
                    (moving[at][u], changed) = (true, true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    let moving = &moving;
    let all = (0..moving.len()).flat_map(|at| (0..moving[at].len()).map(move |u| (at, u)));
    all.filter(|(at, u)| !moving[*at][*u] && waits(*at, *u)).collect()
}

/// The edges of each state: one alone can be counted on; of those of one branch on forgotten
/// values, all together.
fn groups(model: &Model, edges: &[Vec<Edge>], sure: bool) -> Vec<Vec<Vec<usize>>> {
    let of = |edges: &Vec<Edge>| {
        let mut branches: BTreeMap<(Option<usize>, bool), Vec<usize>> = BTreeMap::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (n, edge) in edges.iter().enumerate() {
            let action = &model.actions[edge.action];
            match sure && !action.eventually && (action.guess || action.beyond.is_some()) {
                true => branches.entry((edge.actor, action.beyond.is_some())).or_default().push(n),
                false => groups.push(vec![n]),
            }
        }
        groups.extend(branches.into_values());
        groups
    };
    edges.iter().map(of).collect()
}

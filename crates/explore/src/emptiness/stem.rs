//! The shortest way from an initial state to a part of the explored graph: breadth-first over what
//! is stored.

use super::graph::Graph;
use super::space::{NOWHERE, Space, States};
use crate::store::StateId;

/// The states of a shortest path, through stored states, to one that is `wanted`; it is the last of
/// them.
pub(super) fn stem<G: Graph, S: States>(
    space: &mut Space<G, S>,
    wanted: impl Fn(StateId) -> bool,
) -> Vec<StateId> {
    let mut parents = vec![NOWHERE; space.states.bound()];
    let mut queue: Vec<StateId> = Vec::new();
    space.revisit_initial();
    for start in &space.targets {
        if parents[*start as usize] == NOWHERE {
            parents[*start as usize] = *start;
            queue.push(*start);
        }
    }
    let mut next = 0;
    while let Some(state) = queue.get(next).copied() {
        if wanted(state) {
            return path_to(state, &parents);
        }
        space.revisit(state);
        for target in &space.targets {
            if *target != NOWHERE && parents[*target as usize] == NOWHERE {
                parents[*target as usize] = state;
                queue.push(*target);
            }
        }
        next += 1;
    }
    Vec::new()
}

fn path_to(state: StateId, parents: &[StateId]) -> Vec<StateId> {
    let mut path = vec![state];
    let mut at = state;
    while parents[at as usize] != at {
        at = parents[at as usize];
        path.push(at);
    }
    path.reverse();
    path
}

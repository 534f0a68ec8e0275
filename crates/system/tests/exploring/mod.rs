//! Searches of everything reachable with the reference stepper.

use std::collections::HashSet;
use system::{Reference, State, System};

pub struct Explored {
    pub states: HashSet<State>,
    pub transitions: usize,
    /// States without a move.
    pub ends: Vec<State>,
}

/// Everything reachable from a state; who moved last does not tell states apart.
pub fn explore(system: &System, from: &State) -> Explored {
    let reference = Reference::new(system);
    let forget = |s: State| State { last: 0, ..s };
    let first = forget(from.clone());
    let mut found = Explored { states: HashSet::from([first.clone()]), transitions: 0, ends: Vec::new() };
    let mut waiting = vec![first];
    while let Some(state) = waiting.pop() {
        let moves = reference.moves(&state);
        found.transitions += moves.len();
        if moves.is_empty() {
            found.ends.push(state);
        }
        for next in moves.into_iter().filter_map(|m| m.next).map(forget) {
            if found.states.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    found
}

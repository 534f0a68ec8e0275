//! Why a persistent set is what it is: for one state, how each choice came into the set.

use super::persistent::{AtHand, Sets};
use super::reduced::parts;
use independence::selective::Selective;
use independence::{Method, Node, Set, members};
use space::{Edges, Label};

/// A choice of a state and its part in the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The choice.
    pub node: Node,
    /// Whether it is enabled.
    pub enabled: bool,
    /// How it comes to be in the set.
    pub part: Part,
}

/// Why a choice is in a persistent set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The set was begun with it.
    Start,
    /// The choice of this number needs it.
    NeededBy(usize),
    /// Taken because everything that is enabled is.
    Everything,
    /// It is not in the set.
    Outside,
}

/// The choices of a state; empty if the state cannot be reduced.
pub fn explain(stepper: &mut impl Selective, state: &[u8], method: Method) -> Vec<Choice> {
    if !load(stepper, state) {
        return Vec::new();
    }
    let mut sets = Sets::default();
    let starts = members(stepper.enabled()).collect::<Vec<_>>();
    let set = sets.each(&mut AtHand(stepper, method), starts.into_iter(), Set::count_ones, |_| true);
    explained(stepper, method, set, sets)
}

/// The same for the set of a search that explores these steps.
pub fn explain_explored(
    stepper: &mut impl Selective,
    state: &[u8],
    method: Method,
    explored: &[Label],
) -> Vec<Choice> {
    if !load(stepper, state) {
        return Vec::new();
    }
    let set = explored.iter().fold(0, |set, label| set | parts(stepper, *label));
    let set = set & stepper.enabled();
    explained(stepper, method, set, Sets::default())
}

/// Takes a state to hand; false if it cannot be reduced.
fn load(stepper: &mut impl Selective, state: &[u8]) -> bool {
    let mut edges = Edges::default();
    stepper.expand(state, &mut edges);
    stepper.load(state, &edges)
}

/// How each choice of the state at hand comes into a set.
fn explained(stepper: &mut impl Selective, method: Method, set: Set, mut sets: Sets) -> Vec<Choice> {
    let enabled = stepper.enabled();
    let mut parts = vec![Part::Outside; stepper.nodes().len()];
    if set == enabled {
        members(set).for_each(|at| parts[at] = Part::Everything);
    } else {
        derive(stepper, method, set, &mut sets, &mut parts);
    }
    let nodes = stepper.nodes().iter().zip(parts).enumerate();
    nodes.map(|(k, (node, part))| Choice { node: *node, enabled: enabled >> k & 1 == 1, part }).collect()
}

/// Goes through a set again, from its start along what each choice needs.
fn derive(stepper: &mut impl Selective, method: Method, set: Set, sets: &mut Sets, parts: &mut Vec<Part>) {
    let all = members(Set::MAX).take(parts.len()).fold(0, |all: Set, at| all | 1 << at);
    let disabled = all & !stepper.enabled();
    // All that is in it, what is disabled included, and lacks nothing.
    let closed = sets.within(&mut AtHand(stepper, method), set | disabled).unwrap_or(set);
    parts.resize(stepper.nodes().len(), Part::Outside);
    for start in members(set) {
        if parts[start] != Part::Outside {
            continue;
        }
        parts[start] = Part::Start;
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let mut alternatives = Vec::new();
            stepper.needs(at, method, &mut alternatives);
            let inside = alternatives.into_iter().filter(|a| a & !closed == 0).min_by_key(|a| a.count_ones());
            for next in members(inside.unwrap_or(0)) {
                if parts[next] == Part::Outside {
                    parts[next] = Part::NeededBy(at);
                    open.push(next);
                }
            }
        }
    }
}

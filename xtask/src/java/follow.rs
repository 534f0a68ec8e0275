//! The run of a counterexample, found again in the interpreter's graph: a run that goes wrong in
//! the same way, whose steps come in the order of the counterexample's.
//!
//! Counterexamples name a thread and a line for each step; the interpreter's steps are finer
//! (several of one line) and coarser (what is not visible to others is no step), so each of its
//! steps is matched with the current or a later one of the counterexample.

use super::answer::TraceStep;
use super::explore::{Move, Truth, Wrong};
use super::print::Text;
use std::collections::{BTreeMap, BTreeSet};

/// A state, and how far the counterexample was followed.
type At = (usize, usize);

/// States of the product that are looked at.
const PATIENCE: usize = 200_000;

/// A run to one of `kinds` along the counterexample; none if there is none.
pub fn follow(truth: &Truth, text: &Text, trace: &[TraceStep], kinds: &[Wrong]) -> Option<Vec<Move>> {
    let targets: BTreeSet<usize> =
        kinds.iter().filter_map(|kind| truth.wrong.get(kind)).flatten().copied().collect();
    let actors = actors(trace);
    orders(actors.len()).into_iter().find_map(|order| {
        let number = |actor: &str| {
            let at = actors.iter().position(|a| a == actor)?;
            order.get(at).copied()
        };
        let steps: Vec<(u8, usize)> =
            trace.iter().filter_map(|step| Some((number(&step.actor)?, step.line))).collect();
        search(truth, text, &steps, &targets)
    })
}

/// Those who take steps, `main` first.
fn actors(trace: &[TraceStep]) -> Vec<String> {
    let mut actors: Vec<String> = Vec::new();
    for step in trace {
        if !actors.contains(&step.actor) {
            actors.push(step.actor.clone());
        }
    }
    actors.sort_by_key(|actor| !actor.contains(".main#"));
    actors
}

/// All numbers that the threads after `main` may have.
fn orders(count: usize) -> Vec<Vec<u8>> {
    match count {
        0 | 1 => vec![vec![0]],
        2 => vec![vec![0, 1], vec![0, 2]],
        3 => vec![vec![0, 1, 2], vec![0, 2, 1]],
        _ => Vec::new(),
    }
}

fn search(truth: &Truth, text: &Text, steps: &[(u8, usize)], targets: &BTreeSet<usize>) -> Option<Vec<Move>> {
    let mut before: BTreeMap<At, (At, Move)> = BTreeMap::new();
    let mut seen = BTreeSet::from([(0, 0)]);
    let mut stack = vec![(0, 0)];
    while let Some((state, at)) = stack.pop() {
        if targets.contains(&state) {
            return Some(back(&before, (state, at)));
        }
        if seen.len() > PATIENCE {
            return None;
        }
        for &(step, to) in &truth.edges[state] {
            let line = text.lines.get(&step.statement).copied().unwrap_or(0);
            let matches = |s: &(u8, usize)| *s == (step.thread, line);
            let Some(next) = steps[at.min(steps.len())..].iter().position(matches) else {
                continue;
            };
            let next = (to, at + next);
            if seen.insert(next) {
                before.insert(next, ((state, at), step));
                stack.push(next);
            }
        }
    }
    None
}

fn back(before: &BTreeMap<At, (At, Move)>, mut at: At) -> Vec<Move> {
    let mut path = Vec::new();
    while let Some(&(from, step)) = before.get(&at) {
        path.push(step);
        at = from;
    }
    path.reverse();
    path
}

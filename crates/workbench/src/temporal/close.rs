//! Loops of a simplified system in the whole one: variables that were left out may go on changing,
//! so the loop is gone round until they repeat as well.

use space::{Ending, Reference as _, Run, Step};
use system::{Reference, State, System};

/// No longer run than this is shown for a loop that closes late.
const LONG: usize = 20_000;

/// The run that goes round a loop until it closes in the whole system; without a cycle, that rests
/// after the stem. `observed` is the same system with the propositions that are read.
pub(crate) fn close(whole: &System, observed: &System, stem: Vec<Step>, cycle: Vec<Step>) -> Option<Run> {
    if cycle.is_empty() {
        return Some(Run::new(stem.clone(), Ending::Lasso { loop_start: stem.len() }));
    }
    let reference = Reference::new(whole);
    let mut state = walk(&reference, reference.initial().ok()?, &stem)?;
    let judge = Reference::new(observed);
    let mut heads: Vec<State> = Vec::new();
    loop {
        let same = |head: &State| judge.canonical(head) == judge.canonical(&state);
        if let Some(first) = heads.iter().position(same) {
            let rounds = std::iter::repeat_n(&cycle, heads.len()).flatten().cloned();
            let loop_start = stem.len() + first * cycle.len();
            let steps = stem.iter().cloned().chain(rounds).collect();
            return Some(Run::new(steps, Ending::Lasso { loop_start }));
        }
        if stem.len() + heads.len() * cycle.len() > LONG {
            return None;
        }
        let next = walk(&reference, state.clone(), &cycle)?;
        heads.push(std::mem::replace(&mut state, next));
    }
}

fn walk(reference: &Reference<'_>, mut state: State, steps: &[Step]) -> Option<State> {
    for step in steps {
        state = reference.moves(&state).into_iter().find(|m| m.step == *step)?.next?;
    }
    Some(state)
}

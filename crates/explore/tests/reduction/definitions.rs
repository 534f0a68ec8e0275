//! The definitions of the thesis, decided by trying everything.

use crate::slow::Slow;
use space::Label;
use std::collections::{BTreeMap, HashSet};
use system::State;

type Moves = BTreeMap<Label, State>;

fn moves(stepper: &Slow<'_>, state: &State) -> Moves {
    stepper.moves(state).into_iter().collect()
}

/// Definition 3.17 for one pair in one state.
pub fn independent(stepper: &Slow<'_>, state: &State, a: Label, b: Label) -> bool {
    let here = moves(stepper, state);
    let unmoved = |mover: Label, other: Label| {
        here.get(&mover)
            .is_none_or(|next| moves(stepper, next).contains_key(&other) == here.contains_key(&other))
    };
    if !unmoved(a, b) || !unmoved(b, a) {
        return false;
    }
    match (here.get(&a), here.get(&b)) {
        (Some(after_a), Some(after_b)) => moves(stepper, after_a).get(&b) == moves(stepper, after_b).get(&a),
        _ => true,
    }
}

/// Definition 4.1: what goes wrong with a set, if it is not persistent.
pub fn persistence(stepper: &Slow<'_>, state: &State, set: &[Label]) -> Result<(), String> {
    let mut seen: HashSet<State> = HashSet::from([state.clone()]);
    let mut waiting = vec![state.clone()];
    while let Some(at) = waiting.pop() {
        for (label, next) in moves(stepper, &at) {
            if set.contains(&label) {
                continue;
            }
            if let Some(t) = set.iter().find(|t| !independent(stepper, &at, label, **t)) {
                return Err(format!("{label:?} depends on {t:?} in {at:?}"));
            }
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    Ok(())
}

//! Some reachable states, to drop false candidates before a solver is asked.
//!
//! Inputs that nothing determines get small values. What cannot be executed (a function known by
//! axioms alone) ends the sample there; fewer states only mean more work for the solver, never a
//! wrong answer.

use logic::fol::{Sort, Term, Value, holds};
use num_bigint::BigInt;
use std::collections::{BTreeSet, VecDeque};
use system::fts::step::{self, In, State, Valuation};
use system::fts::{Fts, Mode};

/// States of one sample.
const STATES: usize = 150;
/// Values for inputs.
const INPUTS: [i64; 2] = [2, 3];

/// The candidates that are not false in a reachable state.
pub(crate) fn survivors(fts: &Fts, candidates: Vec<Term>) -> Vec<Term> {
    let mut kept = candidates;
    for value in INPUTS {
        let given = inputs(fts, value);
        for state in reachable(fts, &given) {
            let here = In { fts, given: &given, state: &state, extra: Vec::new() };
            kept.retain(|c| holds(c, &here) != Some(false));
        }
    }
    kept
}

/// One value for every input of integers and every rigid integer.
fn inputs(fts: &Fts, value: i64) -> Valuation {
    let variables = fts.variables.iter().filter(|v| v.mode == Mode::In && v.symbol.sort == Sort::Int);
    let rigid = fts.rigid.iter().filter(|r| r.arguments.is_empty() && r.result == Sort::Int);
    let names = variables.map(|v| v.symbol.name.clone()).chain(rigid.map(|r| r.name.clone()));
    names.map(|name| (name, Value::Int(BigInt::from(value)))).collect()
}

fn reachable(fts: &Fts, given: &Valuation) -> Vec<State> {
    let Ok(initial) = step::initial(fts, given) else { return Vec::new() };
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut work: VecDeque<State> = initial.into_iter().take(STATES).collect();
    let mut found = Vec::new();
    while let Some(state) = work.pop_front() {
        if found.len() >= STATES {
            break;
        }
        if !seen.insert(state.clone()) {
            continue;
        }
        if let Ok(next) = step::successors(fts, given, &state) {
            work.extend(next.into_iter().map(|(_, state)| state));
        }
        found.push(state);
    }
    found
}

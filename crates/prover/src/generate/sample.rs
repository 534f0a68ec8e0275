//! Some reachable states, to drop false candidates before a solver is asked.
//!
//! They are those of small instances. What cannot be executed (a function known by axioms alone)
//! ends the sample there; fewer states only mean more work for the solver, never a wrong answer.

use crate::small;
use logic::fol::{Term, holds};
use system::fts::Fts;
use system::fts::step::In;

/// States of one sample.
const STATES: usize = 150;
/// Instances.
const INSTANCES: usize = 4;

/// The candidates that are not false in a reachable state.
pub(crate) fn survivors(fts: &Fts, candidates: Vec<Term>) -> Vec<Term> {
    let mut kept = candidates;
    for given in small::valuations(fts).iter().take(INSTANCES) {
        let Some(instance) = small::instance(fts, given) else { continue };
        for state in small::reachable(&instance, given, STATES).0 {
            let here = In { fts: &instance, given, state: &state, extra: Vec::new() };
            kept.retain(|c| holds(c, &here) != Some(false));
        }
    }
    kept
}

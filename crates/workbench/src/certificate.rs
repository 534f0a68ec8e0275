//! Certificates of *holds*: what the judge checks besides runs.
//!
//! A search that found nothing rests on a compiled stepper, simplifications, a reduction and a
//! store. Where few states can be reached, the reference reaches them once more, and the judge
//! (`certify`) checks the result: a closed set of states in which nothing fails, or levels of the
//! product with the automaton of what is forbidden. A refusal is our bug.
//!
//! * `model`, `relation`: what is asked of a model and of a transition system. `states`: what can
//!   be reached. `levels`: the ranking of a product.

mod levels;
mod model;
mod relation;
mod states;
#[cfg(test)]
mod tests;

pub(crate) use model::of_model;
pub(crate) use relation::of_relation;

use crate::answer::Certificate;
use crate::failure::Failure;
use crate::listener::ProgressListener;
use certify::{Forbidden, NotClosed, NotEmpty, Reading, closed, empty};
use logic::automata::{Automaton, translate};
use logic::ltl::Formula;
use space::Reference;
use states::{Bounds, None as Without};
use system::Meaning;

/// States that are looked at unless more are asked for: no clock decides what is printed.
const FEW: usize = 1_000;

/// States that are looked at if certificates are asked for.
const MANY: usize = 200_000;

/// How certificates are made.
pub(crate) struct Certifier<'a, 'w> {
    /// Whether they are asked for.
    pub(crate) asked: bool,
    pub(crate) watcher: &'a ProgressListener<'w>,
}

impl<'a, 'w> Certifier<'a, 'w> {
    fn bounds(&self) -> Bounds<'a, 'w> {
        Bounds { states: if self.asked { MANY } else { FEW }, watcher: self.watcher }
    }

    /// Whether a search saw more states already than are looked at.
    pub(crate) fn is_beyond(&self, searched: u64) -> bool {
        searched > self.bounds().states as u64
    }

    /// A certificate as it is shown: why there is none only if one was asked for.
    fn shown(&self, certificate: Certificate) -> Option<Certificate> {
        let silent = !self.asked && matches!(certificate, Certificate::Without(_));
        (!silent).then_some(certificate)
    }

    /// That nothing forbidden happens.
    pub(crate) fn closed<R: Reference>(&self, r: &R, forbidden: Forbidden) -> Result<Certificate, Failure> {
        let states = match self.bounds().reachable(r) {
            Ok(states) => states,
            Err(why) => return without(why),
        };
        match closed(r, &states, forbidden) {
            Ok(()) => {}
            Err(NotClosed::Undefined(why)) => return without(why.into()),
            Err(why) => return Err(refused(&why.to_string())),
        }
        Ok(Certificate::Closed { states: states.len() as u64 })
    }

    /// That no run breaks a property.
    pub(crate) fn empty<R: Reference>(
        &self,
        r: &R,
        meaning: &Meaning,
        ends: bool,
    ) -> Result<Certificate, Failure> {
        let Some(forbidden) = forbidden(meaning) else {
            return Ok(Certificate::Without("the automaton of the formula is too large".to_string()));
        };
        let product = match Reading::new(r, &forbidden, ends) {
            Ok(product) => product,
            Err(why) => return without(why.into()),
        };
        let ranked = match self.bounds().ranked(&product) {
            Ok(ranked) => ranked,
            Err(why) => return without(why),
        };
        match empty(&product, &ranked) {
            Ok(()) => {}
            Err(NotEmpty::Undefined(why)) => return without(why.into()),
            Err(why) => return Err(refused(&why.to_string())),
        }
        let (levels, states) = (ranked.ranking.reasons.len() as u64, ranked.nodes.len() as u64);
        Ok(Certificate::Levels { levels, states })
    }
}

/// The automaton of the runs that a property forbids.
fn forbidden(meaning: &Meaning) -> Option<Automaton> {
    match meaning {
        Meaning::Always(formula) => translate(&Formula::negation(formula.clone())).ok(),
        Meaning::Never(automaton) => Some(automaton.clone()),
    }
}

fn without(why: Without) -> Result<Certificate, Failure> {
    Ok(Certificate::Without(match why {
        Without::TooMany(1) => "more than 1 state can be reached".to_string(),
        Without::TooMany(states) => format!("more than {states} states can be reached"),
        Without::Over => "a limit was reached".to_string(),
        Without::Undefined(why) => why.to_string(),
        Without::Open => return Err(refused("a fair run that violates the property may exist")),
    }))
}

fn refused(why: &str) -> Failure {
    Failure::Internal(format!("a search found nothing, but its certificate was refused: {why}"))
}

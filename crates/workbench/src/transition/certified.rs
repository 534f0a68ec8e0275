//! Runs of fair transition systems before the judge: nothing is shown that it has not confirmed.

use super::axioms;
use certify::{Asked, NoViolation};
use logic::fol::{Term, holds};
use logic::ltl::Formula;
use space::{Path, Reference as _, Run, Undefined};
use system::Meaning;
use system::fts::step::{In, State, Valuation};
use system::fts::{Fairness, Fts, Reference, TypeCheck};

/// What is known when a run is judged.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) fts: &'a Fts,
    /// Rigid symbols, and the rigid values that the formula speaks of.
    pub(crate) given: &'a Valuation,
    /// Runs need be no fairer than this to any transition.
    pub(crate) fairness: Fairness,
}

impl<'a> Context<'a> {
    /// What the system means, perhaps with this initial state alone.
    pub(crate) fn reference(self, atoms: &'a [Term], first: Option<&'a State>) -> Reference<'a> {
        let Context { fts, given, fairness } = self;
        Reference { fts, given, fairness, atoms, first }
    }

    /// The run through these states, if it breaks the formula.
    pub(crate) fn broken(self, formula: &Formula<Term>, path: &Path<State>) -> Result<Run, NoViolation> {
        let (formula, atoms) = formula.clone().numbered();
        let asked = Asked { meaning: &Meaning::Always(formula), ends: true };
        certify::confirms(&self.reference(&atoms, path.states.first()), asked, path)
    }

    /// Checks that a run may be shown: its steps have a meaning, and the axioms allow it.
    pub(crate) fn counts(self, path: &Path<State>) -> Result<(), Undefined> {
        self.has_meaning(path)?;
        axioms::allow(self, path)
    }

    /// Checks that no step of a run begins where a type check fails: such a step has no meaning,
    /// and neither has what comes behind it.
    fn has_meaning(self, path: &Path<State>) -> Result<(), Undefined> {
        let last = usize::from(path.loop_start.is_none());
        let begins = path.states.iter().take(path.states.len() - last.min(path.states.len()));
        for state in begins {
            let within = In { fts: self.fts, given: self.given, state, extra: Vec::new() };
            let fails = |check: &&TypeCheck| holds(&check.everywhere(), &within) != Some(true);
            if let Some(check) = self.fts.type_checks.iter().find(fails) {
                return Err(Undefined(format!("it goes on where it is not true that {}", check.what)));
            }
        }
        Ok(())
    }

    /// The run through these states, if an assertion is false in the last. It may have no value in
    /// others.
    pub(crate) fn reaches(self, assertion: &Term, path: &Path<State>) -> Result<Run, NoViolation> {
        let atoms = [assertion.clone()];
        let reference = self.reference(&atoms, path.states.first());
        let run = certify::through(&reference, path).map_err(NoViolation::Refused)?;
        let replayed = certify::replay(&reference, &run).map_err(NoViolation::Refused)?;
        match replayed.states.last().map(|last| reference.letter(last)).transpose()? {
            Some(0) => Ok(run),
            _ => Err(NoViolation::Satisfied),
        }
    }
}

//! Runs of fair transition systems before the judge: nothing is shown that it has not confirmed.

use certify::Asked;
use logic::fol::{Term, holds};
use logic::ltl::Formula;
use space::{Path, Reference as _, Run};
use system::Meaning;
use system::fts::step::{Given, In, State};
use system::fts::{Fairness, Fts, Reference, TypeCheck};

/// What is known when a run is judged.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) fts: &'a Fts,
    /// Rigid symbols, and the rigid values that the formula speaks of.
    pub(crate) given: &'a Given,
    /// Runs need be no fairer than this to any transition.
    pub(crate) fairness: Fairness,
}

impl<'a> Context<'a> {
    fn reference(self, atoms: &'a [Term], path: &'a Path<State>) -> Reference<'a> {
        let Context { fts, given, fairness } = self;
        Reference { fts, given, fairness, atoms, first: path.states.first() }
    }

    /// The run through these states, if it breaks the formula.
    pub(crate) fn broken(self, formula: &Formula<Term>, path: &Path<State>) -> Result<Run, String> {
        let (formula, atoms) = formula.clone().numbered();
        let asked = Asked { meaning: &Meaning::Always(formula), ends: true };
        certify::confirms(&self.reference(&atoms, path), asked, path).map_err(|why| why.to_string())
    }

    /// Checks that no step of a run begins where a type check fails: such a step has no meaning,
    /// and neither has what comes behind it.
    pub(crate) fn has_meaning(self, path: &Path<State>) -> Result<(), String> {
        let last = usize::from(path.loop_start.is_none());
        let begins = path.states.iter().take(path.states.len() - last.min(path.states.len()));
        for state in begins {
            let within = In { fts: self.fts, given: self.given, state, extra: Vec::new() };
            let fails = |check: &&TypeCheck| holds(&check.everywhere(), &within) != Some(true);
            if let Some(check) = self.fts.type_checks.iter().find(fails) {
                return Err(format!("it goes on where it is not true that {}", check.what));
            }
        }
        Ok(())
    }

    /// The run through these states, if an assertion is false in the last. It may have no value in
    /// others.
    pub(crate) fn reaches(self, assertion: &Term, path: &Path<State>) -> Result<Run, String> {
        let atoms = [assertion.clone()];
        let reference = self.reference(&atoms, path);
        let run = certify::through(&reference, path).map_err(|why| why.to_string())?;
        let replayed = certify::replay(&reference, &run).map_err(|why| why.to_string())?;
        let letter = replayed.states.last().map(|last| reference.letter(last));
        match letter.transpose().map_err(|why| why.to_string())? {
            Some(0) => Ok(run),
            _ => Err("the assertion holds where the run ends".to_string()),
        }
    }
}

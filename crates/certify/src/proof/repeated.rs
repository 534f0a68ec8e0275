//! Runs that violate a property and need not come back to a state: a loop that can be taken again
//! and again (recurrent sets; Gupta, Henzinger, Majumdar, Rybalchenko, Xu: *Proving
//! non-termination*, POPL 2008).
//!
//! The run up to the loop is executed; of the loop it is proved, with the values of everything that
//! it leaves alone, that wherever its invariant is true each step can be taken, each atom of the
//! formula has the value that it had the first time, every fair transition is taken or disabled as
//! fairness demands, and the invariant is true again. Then the loop can be repeated without end,
//! and the word of that run is known.

use super::Valid;
use super::replace::{Replacement, replace};
use crate::{NoViolation, replay, through};
use logic::fol::{Term, Value, holds};
use logic::ltl::{Formula, Lasso, semantics};
use space::{Path, Run};
use system::fts::step::{In, State, Valuation, instances};
use system::fts::{Fairness, Fts, Parameter, Reference, Repeated, Repetition, Transition};

/// Why a run is not confirmed.
#[derive(Debug, thiserror::Error)]
pub enum NotRepeated {
    /// It is no run, or its loop is no loop.
    #[error("{0}")]
    Form(&'static str),
    /// The part before the loop is refused.
    #[error("{0}")]
    Run(#[from] NoViolation),
    /// A condition of the loop is not valid, or no solver can tell.
    #[error("condition `{0}` of the loop is not confirmed")]
    Open(String),
    /// The word satisfies the formula.
    #[error("the run satisfies the property")]
    Satisfied,
}

/// A system with the values of what is rigid, and a run of it.
#[derive(Clone, Copy)]
pub struct Repeats<'a> {
    /// The description.
    pub fts: &'a Fts,
    /// The values of rigid symbols and of what the formula speaks of.
    pub given: &'a Valuation,
    /// Decides the conditions.
    pub valid: &'a Valid<'a>,
    /// The states up to the loop and once through it.
    pub states: &'a [State],
    /// The loop.
    pub loops: &'a Repeated,
}

impl Repeats<'_> {
    /// The run up to the end of the first round, if repeating its loop violates the formula.
    pub fn violates(&self, formula: &Formula<Term>) -> Result<Run, NotRepeated> {
        let Repeated { start, steps, invariant } = self.loops;
        if steps.is_empty() || self.states.len() != start + steps.len() + 1 {
            return Err(NotRepeated::Form("the loop does not fit the run"));
        }
        let (formula, atoms) = formula.clone().numbered();
        let (fts, given) = (self.fts, self.given);
        let reference =
            Reference { fts, given, fairness: Fairness::Strong, atoms: &atoms, first: self.states.first() };
        let path = Path::to(self.states.to_vec());
        let run = through(&reference, &path).map_err(NoViolation::Refused)?;
        replay(&reference, &run).map_err(NoViolation::Refused)?;
        if fts.assumptions.iter().any(|e| self.truth(e, 0) != Some(true)) {
            return Err(NotRepeated::Form("what is assumed of the inputs is not true"));
        }
        if self.truth(invariant, *start) != Some(true) {
            return Err(NotRepeated::Form("the invariant of the loop is false where it begins"));
        }
        let known: Vec<String> = invariant.symbols().into_keys().map(|name| name.to_string()).collect();
        if known.iter().any(|name| fts.variable(name).is_none()) {
            return Err(NotRepeated::Form("the invariant of the loop uses a name that is not a variable"));
        }
        let stages = self.stages()?;
        self.meaning(&stages)?;
        self.letters(&atoms, &stages)?;
        self.fair(&stages)?;
        let word = self.word(&atoms)?;
        if semantics::satisfies(&word, &formula) { Err(NotRepeated::Satisfied) } else { Ok(run) }
    }

    fn truth(&self, e: &Term, at: usize) -> Option<bool> {
        let state = self.states.get(at)?;
        holds(e, &In { fts: self.fts, given: self.given, state, extra: Vec::new() })
    }

    /// The values at each position of the loop, over those at its beginning; the steps are
    /// possible, and the invariant is true at the end.
    fn stages(&self) -> Result<Vec<Replacement>, NotRepeated> {
        let mut now = self.fixed();
        let mut all = Vec::new();
        for (at, step) in self.loops.steps.iter().enumerate() {
            all.push(now.clone());
            now = self.after(step, at, &now)?;
        }
        self.ask("again", &replace(&self.loops.invariant, &now))?;
        Ok(all)
    }

    /// What no step of the loop changes has the value that it has where the loop begins.
    fn fixed(&self) -> Replacement {
        let branches = self.loops.steps.iter().filter_map(|s| {
            let (transition, branch) = s.taken?;
            self.fts.transitions.get(transition)?.branches.get(branch)
        });
        let changed: Vec<_> = branches.flat_map(|b| &b.updates).map(|(s, _)| s.name.clone()).collect();
        let mut known: Replacement =
            self.given.iter().map(|(name, value)| (name.clone(), value.term())).collect();
        let first = &self.states[self.loops.start];
        for (variable, value) in self.fts.variables.iter().zip(first) {
            let name = variable.symbol.name.clone();
            if changed.contains(&name) {
                known.remove(&name);
            } else {
                known.insert(name, value.term());
            }
        }
        known
    }

    /// The values after a step, which must be possible.
    fn after(&self, step: &Repetition, at: usize, now: &Replacement) -> Result<Replacement, NotRepeated> {
        let Some((transition, branch)) = step.taken else { return Ok(now.clone()) };
        let no_such = NotRepeated::Form("the loop takes a transition that does not exist");
        let transition = self.fts.transitions.get(transition).ok_or(no_such)?;
        let no_such = NotRepeated::Form("the loop takes a branch that does not exist");
        let branch = transition.branches.get(branch).ok_or(no_such)?;
        let mut within = self.parameters(transition, &step.parameters, now)?;
        let bounds = Term::all(transition.parameters.iter().map(Parameter::bounds));
        if branch.chosen.iter().any(|s| !step.chosen.iter().any(|(c, _)| c == s)) {
            return Err(NotRepeated::Form("a choice of the loop is not given"));
        }
        for (symbol, value) in &step.chosen {
            if symbol.sort != *value.sort() {
                return Err(NotRepeated::Form("a choice of the loop has another sort"));
            }
            within.insert(symbol.name.clone(), replace(value, now));
        }
        let possible = Term::all([bounds, branch.guard.clone(), branch.choice.clone()]);
        self.ask(&format!("step {at}"), &replace(&possible, &within))?;
        let mut after = now.clone();
        for (symbol, value) in &branch.updates {
            after.insert(symbol.name.clone(), replace(value, &within));
        }
        Ok(after)
    }

    fn parameters(
        &self,
        transition: &Transition,
        values: &[num_bigint::BigInt],
        now: &Replacement,
    ) -> Result<Replacement, NotRepeated> {
        if transition.parameters.len() != values.len() {
            return Err(NotRepeated::Form("a transition of the loop needs its parameters"));
        }
        let mut within = now.clone();
        for (parameter, value) in transition.parameters.iter().zip(values) {
            within.insert(parameter.symbol.name.clone(), Term::int(value.clone()));
        }
        Ok(within)
    }

    /// Nothing is undefined on the way: type checks hold before the loop and in it.
    fn meaning(&self, stages: &[Replacement]) -> Result<(), NotRepeated> {
        for check in &self.fts.type_checks {
            let check = check.everywhere();
            if (0..self.loops.start).any(|at| self.truth(&check, at) != Some(true)) {
                return Err(NotRepeated::Form("a type check fails before the loop"));
            }
            for now in stages {
                self.ask("type check", &replace(&check, now))?;
            }
        }
        Ok(())
    }

    /// At each position every atom has the value that it has in the first round.
    fn letters(&self, atoms: &[Term], stages: &[Replacement]) -> Result<(), NotRepeated> {
        for (at, now) in stages.iter().enumerate() {
            for atom in atoms {
                let truth = self.truth(atom, self.loops.start + at);
                let truth = truth.ok_or(NotRepeated::Form("an atom of the formula has no value"))?;
                let here = replace(atom, now);
                self.ask("atom", &if truth { here } else { Term::negation(here) })?;
            }
        }
        Ok(())
    }

    /// Each fair transition is taken, or is disabled: a just one somewhere, a compassionate one
    /// everywhere.
    fn fair(&self, stages: &[Replacement]) -> Result<(), NotRepeated> {
        let fair = self.fts.transitions.iter().enumerate().filter(|(_, t)| t.fairness != Fairness::None);
        for (number, transition) in fair {
            let all = instances(self.fts, self.given, transition).map_err(NoViolation::from)?;
            for parameters in all {
                let is =
                    |s: &&Repetition| s.taken.is_some_and(|(t, _)| t == number) && s.parameters == parameters;
                if self.loops.steps.iter().any(|s| is(&s)) {
                    continue;
                }
                let disabled = |now: &Replacement| {
                    let within = self.parameters(transition, &parameters, now)?;
                    self.ask("fairness", &Term::negation(replace(&transition.enabled(), &within)))
                };
                match transition.fairness {
                    Fairness::Strong => stages.iter().try_for_each(disabled)?,
                    _ if stages.iter().any(|now| disabled(now).is_ok()) => {}
                    _ => return Err(NotRepeated::Open(format!("fair to {}", transition.name))),
                }
            }
        }
        Ok(())
    }

    fn word(&self, atoms: &[Term]) -> Result<Lasso<u64>, NotRepeated> {
        let letter = |at: usize| {
            let mut bits = 0_u64;
            for (n, atom) in atoms.iter().enumerate() {
                let truth = self.truth(atom, at);
                if truth.ok_or(NotRepeated::Form("an atom of the formula has no value"))? {
                    bits |= 1 << n;
                }
            }
            Ok::<u64, NotRepeated>(bits)
        };
        let Repeated { start, steps, .. } = self.loops;
        let stem = (0..*start).map(letter).collect::<Result<_, _>>()?;
        let cycle = (*start..start + steps.len()).map(letter).collect::<Result<_, _>>()?;
        if atoms.len() > 64 {
            return Err(NotRepeated::Form("the formula has too many atoms"));
        }
        Ok(Lasso { stem, cycle })
    }

    fn ask(&self, name: &str, goal: &Term) -> Result<(), NotRepeated> {
        let known = holds(goal, &Nothing);
        if known == Some(true) || (self.valid)(&[], std::slice::from_ref(&self.invariant()), goal) {
            return Ok(());
        }
        Err(NotRepeated::Open(name.to_string()))
    }

    fn invariant(&self) -> Term {
        replace(&self.loops.invariant, &self.fixed())
    }
}

/// Nothing has a value but what is written out.
struct Nothing;

impl logic::fol::Interpretation for Nothing {
    fn symbol(&self, _: &logic::fol::Symbol) -> Option<Value> {
        None
    }
}

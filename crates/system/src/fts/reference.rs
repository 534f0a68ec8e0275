//! A fair transition system as a [`space::Reference`].
//!
//! A step is a pair of states: it takes every transition whose relation allows it, so it is
//! numbered by where it leads, among the states that may follow in order. Idling is always
//! possible. A fair run owes each fair transition, with each value of its parameters, that it is
//! taken.

use super::step::{self, In, State, Taken, Valuation};
use super::{Fairness, Fts};
use logic::fol::{Term, holds};
use num_bigint::BigInt;
use space::{Move, Requirement, Rest, Step, Undefined};

/// A system with values of its rigid symbols, and what is asked of its runs.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// The description.
    pub fts: &'a Fts,
    /// Rigid symbols, and the rigid values that a formula speaks of.
    pub given: &'a Valuation,
    /// Runs need be no fairer than this to any transition.
    pub fairness: Fairness,
    /// The propositions.
    pub atoms: &'a [Term],
    /// Where runs begin, if that is one state; it must be initial. Initial states need not be
    /// listed then.
    pub first: Option<&'a State>,
}

impl Reference<'_> {
    fn holds(&self, e: &Term, state: &State) -> Result<bool, Undefined> {
        let value = holds(e, &In { fts: self.fts, given: self.given, state, extra: Vec::new() });
        value.ok_or_else(|| Undefined(format!("`{e}` is undefined")))
    }

    fn steps(&self, state: &State) -> Result<Vec<(State, Vec<Taken>)>, Undefined> {
        step::steps(self.fts, self.given, state)
    }

    /// The transitions that runs are fair to, by number, with the values of their parameters.
    fn fair(&self) -> Result<Vec<(usize, Vec<BigInt>)>, Undefined> {
        let mut all = Vec::new();
        for (at, transition) in self.fts.transitions.iter().enumerate() {
            if transition.fairness.min(self.fairness) != Fairness::None {
                let instances = step::instances(self.fts, self.given, transition)?;
                all.extend(instances.into_iter().map(|parameters| (at, parameters)));
            }
        }
        Ok(all)
    }

    /// The numbers of the requirements that are met when transitions are taken in these ways.
    fn met<'t>(&self, ways: impl Iterator<Item = &'t Taken>) -> Result<Vec<usize>, Undefined> {
        let fair = self.fair()?;
        let number = |t: &Taken| fair.iter().position(|(at, p)| (*at, p) == (t.transition, &t.parameters));
        Ok(ways.filter_map(number).collect())
    }
}

impl space::Reference for Reference<'_> {
    type State = State;

    fn initial(&self) -> Result<Vec<State>, Undefined> {
        let Some(first) = self.first else { return step::initial(self.fts, self.given) };
        let begins = self.holds(&self.fts.initial, first)?;
        Ok(Vec::from_iter(begins.then(|| first.clone())))
    }

    fn moves(&self, state: &State) -> Result<Vec<Move<State>>, Undefined> {
        let to = |(number, (next, _))| Move::to(Step { path: vec![number], ..Step::IDLE }, next);
        Ok(self.steps(state)?.into_iter().enumerate().map(to).collect())
    }

    fn rest(&self, _: &State) -> Result<Rest, Undefined> {
        Ok(Rest::MayRest)
    }

    fn letter(&self, state: &State) -> Result<u64, Undefined> {
        if self.atoms.len() > u64::BITS as usize {
            return Err(Undefined("the formula has more than 64 propositions".to_string()));
        }
        let bit = |(at, atom)| Ok(u64::from(self.holds(atom, state)?) << at);
        self.atoms.iter().enumerate().map(bit).try_fold(0, |all, bit| Ok(all | bit?))
    }

    fn requirements(&self) -> Result<Vec<Requirement>, Undefined> {
        let one = |(at, parameters): (usize, Vec<BigInt>)| {
            let transition = &self.fts.transitions[at];
            let values: String = parameters.iter().map(|value| format!("[{value}]")).collect();
            let strength = transition.fairness.min(self.fairness);
            Requirement { name: format!("`{}{values}`", transition.name), strength }
        };
        Ok(self.fair()?.into_iter().map(one).collect())
    }

    fn asks(&self, state: &State) -> Result<Vec<usize>, Undefined> {
        self.met(self.steps(state)?.iter().flat_map(|(_, ways)| ways))
    }

    /// Whichever step leads there: a step is a pair of states.
    fn meets(&self, from: &State, m: &Move<State>) -> Result<Vec<usize>, Undefined> {
        let steps = self.steps(from)?;
        self.met(steps.iter().filter(|(next, _)| Some(next) == m.next.as_ref()).flat_map(|(_, ways)| ways))
    }
}

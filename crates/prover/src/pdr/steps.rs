//! The steps of a system without parameters: one for each branch of a transition and each value of
//! its parameters.

use logic::fol::{Op, Symbol, Term};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::Arc;
use system::fts::{Branch, Fts, Transition};

/// No transition stands for more steps than this.
const INSTANCES: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The transition, by its place in the system.
    pub(crate) transition: usize,
    /// The values of its parameters.
    pub(crate) parameters: Vec<BigInt>,
    /// When it can be taken, with the values it chooses.
    pub(crate) guard: Term,
    pub(crate) chosen: Vec<Symbol>,
    pub(crate) updates: Vec<(Symbol, Term)>,
}

impl Step {
    /// An assertion about the state after the step, as one about the state before.
    pub(crate) fn after(&self, e: &Term) -> Term {
        e.substitute(&|s| self.updates.iter().find(|(v, _)| v.name == s.name).map(|(_, value)| value.clone()))
    }

    pub(crate) fn changes(&self, name: &Arc<str>) -> bool {
        self.updates.iter().any(|(s, _)| s.name == *name)
    }

    /// The step with other names for the values it chooses.
    pub(crate) fn apart(&self, number: usize) -> Step {
        let renamed = |s: &Symbol| Symbol::constant(format!("{}!{number}", s.name), s.sort.clone());
        let replace =
            |e: &Term| e.substitute(&|s| self.chosen.iter().find(|c| *c == s).map(|c| renamed(c).term()));
        Step {
            guard: replace(&self.guard),
            chosen: self.chosen.iter().map(renamed).collect(),
            updates: self.updates.iter().map(|(s, value)| (s.clone(), replace(value))).collect(),
            ..self.clone()
        }
    }
}

/// All steps; none if parameters range over more than a few known values.
pub(crate) fn steps(fts: &Fts) -> Option<Vec<Step>> {
    let mut all = Vec::new();
    for (at, transition) in fts.transitions.iter().enumerate() {
        for parameters in instances(transition)? {
            let value = |s: &Symbol| {
                let at = transition.parameters.iter().position(|p| p.symbol.name == s.name)?;
                Some(Term::int(parameters[at].clone()))
            };
            let made = |b: &Branch| Step { parameters: parameters.clone(), ..step(at, b, &value) };
            all.extend(transition.branches.iter().map(made));
        }
    }
    all.retain(|step| step.guard != Term::truth(false));
    Some(all)
}

/// All steps; where it is not known how far parameters range, they are values that a step binds.
pub(crate) fn ways(fts: &Fts) -> Vec<Step> {
    steps(fts).unwrap_or_else(|| fts.transitions.iter().enumerate().flat_map(family).collect())
}

fn family((at, transition): (usize, &Transition)) -> Vec<Step> {
    let parameters = || transition.parameters.iter().map(|p| p.symbol.clone());
    let made = |branch: &Branch| {
        let step = step(at, branch, &|_| None);
        let guard = Term::all([transition.bounds(), step.guard.clone()]);
        Step { guard, chosen: parameters().chain(step.chosen.clone()).collect(), ..step }
    };
    transition.branches.iter().map(made).collect()
}

fn step(transition: usize, branch: &Branch, value: &dyn Fn(&Symbol) -> Option<Term>) -> Step {
    let guard = Term::all([branch.guard.clone(), branch.choice.clone()]);
    Step {
        transition,
        parameters: Vec::new(),
        guard: guard.substitute(value),
        chosen: branch.chosen.clone(),
        updates: branch.updates.iter().map(|(s, e)| (s.clone(), e.substitute(value))).collect(),
    }
}

fn instances(transition: &Transition) -> Option<Vec<Vec<BigInt>>> {
    let mut found: Vec<Vec<BigInt>> = vec![Vec::new()];
    for parameter in &transition.parameters {
        let (Op::Int(low), Op::Int(high)) = (parameter.low.op(), parameter.high.op()) else { return None };
        let values: Vec<BigInt> =
            (low.to_i64()?..=high.to_i64()?).take(INSTANCES).map(BigInt::from).collect();
        found = found
            .iter()
            .flat_map(|known| values.iter().map(|v| [&known[..], std::slice::from_ref(v)].concat()))
            .collect();
        if found.len() >= INSTANCES {
            return None;
        }
    }
    Some(found)
}

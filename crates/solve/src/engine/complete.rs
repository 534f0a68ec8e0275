//! What a complete assignment still lacks: integer values, agreement of the theories, axioms about
//! pairs of terms, instances of quantified formulas. Each is found by looking at values, and asked
//! for as a lemma or a case split; when nothing is lacking, the values are a model.
//!
//! Theories are combined through values (de Moura and Bjørner, "Model-based theory combination",
//! 2007): two applications of a function whose arguments have equal values and whose results have
//! not make the arguments' equality a case of its own. Terms that the congruence closure has merged
//! and arithmetic has not become an equality that follows from the closure's reasons.

use super::arrays;
use super::branch;
use super::data::{self, Missing};
use super::ground::{Ground, Wanted};
use super::linear::{ArithVar, Linear};
use super::omega::{Constraint, Omega, Relation};
use super::quantifiers::{self, Instances};
use super::queues;
use super::rational::Rational;
use super::sat::{Completion, Lit};
use super::simplex::Side;
use super::values;
use logic::fol::{Sort, Term};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much a search may do.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// Instances of quantified formulas that may still be made.
    pub(crate) instances: usize,
    /// How deep checks of quantified formulas may nest.
    pub nesting: usize,
    /// Terms there may be; set at the first complete assignment.
    pub terms: usize,
    /// Times that queues may still bring lemmas.
    pub(crate) queues: usize,
    pub cancel: Arc<AtomicBool>,
}

/// Case splits on integers before the Omega test is asked.
const BRANCHES: usize = 24;

/// Work of the first call of the Omega test. What is too hard for it is left to more case splits,
/// and the next call may do twice as much: one of the two ends, and neither waits long for the
/// other.
pub(crate) const OMEGA: usize = 3_000;

/// Work after which integers are given up.
const TOO_HARD: usize = OMEGA << 12;

/// This many terms more than at first (and some for each of these) are a theory that diverges:
/// queues that grow, lists that unfold.
const TERMS: usize = 1_000;

/// Each time queues bring lemmas, what was appended moves one place; longer than this only
/// equations go on that make a queue longer endlessly.
pub(crate) const QUEUES: usize = 60;

pub fn complete(ground: &mut Ground) -> Completion {
    if ground.limits.cancel.load(Ordering::Relaxed) {
        return Completion::Unknown("cancelled".to_owned());
    }
    if ground.limits.terms == 0 {
        ground.limits.terms = TERMS + 4 * ground.terms.len();
    }
    if ground.terms.len() > ground.limits.terms {
        return Completion::Unknown("too many terms".to_owned());
    }
    if let Err(conflict) = ground.forms.simplex.check() {
        return Completion::Conflict(conflict);
    }
    if let Some(completion) = integers(ground) {
        return completion;
    }
    if disagreements(ground) || arrays::saturate(ground) {
        return Completion::More;
    }
    if queues::saturate(ground) {
        let Some(left) = ground.limits.queues.checked_sub(1) else {
            return Completion::Unknown("a queue grows without end".to_owned());
        };
        ground.limits.queues = left;
        return Completion::More;
    }
    match data::saturate(ground) {
        Missing::Nothing => {}
        Missing::Stated => return Completion::More,
        Missing::Cycle(literals) => return Completion::Conflict(literals),
    }
    match values::model(ground) {
        Ok(model) => ground.model = model,
        Err(splits) => {
            ground.wanted.extend(splits.into_iter().map(|(a, b)| Wanted::Interface(a, b)));
            return Completion::More;
        }
    }
    match quantifiers::instantiate(ground) {
        Instances::None => Completion::Model,
        Instances::Made => Completion::More,
        Instances::Unknown(reason) => Completion::Unknown(reason),
    }
}

/// Gives all forms values, integers where they must be.
fn integers(ground: &mut Ground) -> Option<Completion> {
    ground.numbers = ground.forms.simplex.numbers();
    let mut variables: Vec<ArithVar> = ground.forms.variables.values().copied().collect();
    variables.retain(|var| ground.forms.is_int[*var]);
    variables.sort_unstable();
    let var = *variables.iter().find(|var| !ground.numbers[**var].is_integer())?;
    if let Some(numbers) = branch::dive(&ground.forms.simplex, &variables) {
        ground.numbers = numbers;
        return None;
    }
    if ground.branches < BRANCHES {
        ground.branches += 1;
        ground.wanted.push(Wanted::Branch(var, ground.numbers[var].floor()));
        return Some(Completion::More);
    }
    omega(ground)
}

/// The bounds at hand as constraints, with their literals.
fn constraints(ground: &Ground) -> Vec<(Constraint, Lit)> {
    let mut found = Vec::new();
    for var in 0..ground.forms.simplex.len() {
        let form = match ground.forms.definition.get(&var) {
            Some(terms) => Linear { constant: Rational::ZERO, terms: terms.clone() },
            None => Linear::variable(var),
        };
        for (side, sign) in [(Side::Lower, 1), (Side::Upper, -1)] {
            let Some(bound) = ground.forms.simplex.bound(var, side) else { continue };
            let mut left = form.clone();
            left.constant = -&bound.value.real;
            left.scale(&Rational::from(sign));
            let strict = !bound.value.delta.is_zero();
            let relation = if strict { Relation::Positive } else { Relation::AtLeast };
            found.push((Constraint { left, relation }, bound.why));
        }
    }
    found
}

/// Decides the bounds at hand for good.
fn omega(ground: &mut Ground) -> Option<Completion> {
    let budget = ground.omega;
    let is_int = |var: ArithVar| ground.forms.is_int[var];
    let next = ground.forms.simplex.len();
    let run = |all: &[(Constraint, Lit)], budget: usize| {
        Omega::new(&is_int, next, budget).solve(all.iter().map(|(c, _)| c.clone()).collect())
    };
    let mut all = constraints(ground);
    match run(&all, budget) {
        Err(_) if budget >= TOO_HARD => {
            Some(Completion::Unknown("integer arithmetic is too hard".to_owned()))
        }
        Err(_) => {
            ground.omega = 2 * budget;
            ground.branches = 0;
            integers(ground)
        }
        Ok(Some(values)) => {
            ground.branches = BRANCHES / 2;
            let value = |var: ArithVar| values.get(&var).cloned().unwrap_or(Rational::ZERO);
            let numbers = (0..next).map(|var| match ground.forms.definition.get(&var) {
                Some(terms) => Linear { constant: Rational::ZERO, terms: terms.clone() }.value(value),
                None => value(var),
            });
            ground.numbers = numbers.collect();
            None
        }
        Ok(None) => {
            ground.branches = BRANCHES / 2;
            // A smaller contradiction teaches more.
            let mut at = 0;
            while at < all.len() && all.len() > 1 {
                let mut fewer = all.clone();
                fewer.remove(at);
                if run(&fewer, OMEGA / 10) == Ok(None) { all = fewer } else { at += 1 }
            }
            let mut literals: Vec<Lit> = all.iter().map(|(_, why)| *why).collect();
            literals.sort_unstable();
            literals.dedup();
            Some(Completion::Conflict(literals))
        }
    }
}

/// Terms that the closure merged and that have different values; whether there were any.
fn disagreements(ground: &mut Ground) -> bool {
    let mut first: HashMap<usize, usize> = HashMap::new();
    let mut wanted = Vec::new();
    for (node, term) in ground.terms.iter().enumerate() {
        if !matches!(term.sort(), Sort::Int | Sort::Real | Sort::Bits(_)) {
            continue;
        }
        let other = *first.entry(ground.closure.class(node)).or_insert(node);
        let differ = match term.sort() {
            Sort::Bits(_) => ground.bits_value(term) != ground.bits_value(&ground.terms[other]),
            _ => ground.number(term) != ground.number(&ground.terms[other]),
        };
        if differ {
            let why = ground.closure.explain(node, other);
            wanted.push(Wanted::Implied(why, term.clone(), ground.terms[other].clone()));
        }
    }
    let found = !wanted.is_empty();
    ground.wanted.extend(wanted);
    found
}

impl Ground {
    /// The value of a numeric term in the last complete assignment, if it is known.
    pub fn number(&self, term: &Term) -> Option<Rational> {
        let polynomial = self.forms.polynomials.get(term)?;
        Some(polynomial.value(|var| self.numbers[var].clone()))
    }
}

//! Terms made with all that constants decide worked out: what symbolic execution builds stays
//! small.
//!
//! As the constructors of `build` that drop what is trivially so, and besides arithmetic on numbers
//! that are written out, conditionals with equal sides, and comparisons of a conditional between
//! numbers with a number.

use super::term::{Op, Term};
use num_bigint::BigInt;

impl Term {
    /// The number that a term is, if it is written out.
    pub fn as_number(&self) -> Option<&BigInt> {
        match self.op() {
            Op::Int(n) => Some(n),
            _ => None,
        }
    }

    /// If the first then the second, else the third.
    pub fn choice(condition: &Term, then: &Term, otherwise: &Term) -> Term {
        match condition.op() {
            Op::True => then.clone(),
            Op::False => otherwise.clone(),
            _ if then == otherwise => then.clone(),
            Op::Not => Term::ite(&condition.arguments()[0], otherwise, then),
            _ => Term::ite(condition, then, otherwise),
        }
    }

    /// 1 where a formula is true, 0 where it is not.
    pub fn bit(truth: &Term) -> Term {
        Term::choice(truth, &Term::int(1), &Term::int(0))
    }

    /// `a + b`.
    pub fn sum(a: &Term, b: &Term) -> Term {
        match (a.as_number(), b.as_number()) {
            (Some(x), Some(y)) => Term::int(x + y),
            (Some(x), None) if *x == BigInt::from(0) => b.clone(),
            (None, Some(y)) if *y == BigInt::from(0) => a.clone(),
            _ => a.plus(b),
        }
    }

    /// `a - b`.
    pub fn difference(a: &Term, b: &Term) -> Term {
        match (a.as_number(), b.as_number()) {
            (Some(x), Some(y)) => Term::int(x - y),
            (None, Some(y)) if *y == BigInt::from(0) => a.clone(),
            _ => a.minus(b),
        }
    }

    /// `a * b`.
    pub fn product(a: &Term, b: &Term) -> Term {
        match (a.as_number(), b.as_number()) {
            (Some(x), Some(y)) => Term::int(x * y),
            (Some(x), None) if *x == BigInt::from(1) => b.clone(),
            (None, Some(y)) if *y == BigInt::from(1) => a.clone(),
            _ => a.times(b),
        }
    }

    /// Whether two numbers are the same.
    pub fn same(a: &Term, b: &Term) -> Term {
        let decided = |side: &Term, number: &Term| {
            let ([c, then, otherwise], Op::Ite) = (side.arguments(), side.op()) else { return None };
            let is = |t: &Term| Some(t.as_number()? == number.as_number()?);
            Some(match (is(then), is(otherwise)) {
                (Some(true), Some(true)) => Term::truth(true),
                (Some(false), Some(false)) => Term::truth(false),
                (Some(true), Some(false)) => c.clone(),
                (Some(false), Some(true)) => Term::negation(c.clone()),
                (Some(false), None) => Term::all([Term::negation(c.clone()), Term::same(otherwise, number)]),
                (Some(true), None) => Term::any([c.clone(), Term::same(otherwise, number)]),
                _ => return None,
            })
        };
        decided(a, b).or_else(|| decided(b, a)).unwrap_or_else(|| Term::eq(a.clone(), b.clone()))
    }
}

//! Linear polynomials over numbered variables.

use super::rational::{Rational, content};
use std::collections::BTreeMap;

pub(crate) type ArithVar = usize;

/// `constant + Σ coefficient · variable`; no coefficient is zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Linear {
    pub constant: Rational,
    pub terms: BTreeMap<ArithVar, Rational>,
}

impl Linear {
    pub fn constant(constant: Rational) -> Linear {
        Linear { constant, terms: BTreeMap::new() }
    }

    pub fn variable(var: ArithVar) -> Linear {
        Linear { constant: Rational::ZERO, terms: BTreeMap::from([(var, Rational::ONE)]) }
    }

    /// Adds `factor · other`.
    pub fn add(&mut self, factor: &Rational, other: &Linear) {
        self.constant = &self.constant + &(factor * &other.constant);
        for (var, coefficient) in &other.terms {
            self.add_term(*var, &(factor * coefficient));
        }
    }

    pub(crate) fn add_term(&mut self, var: ArithVar, coefficient: &Rational) {
        let entry = self.terms.entry(var).or_insert(Rational::ZERO);
        *entry = &*entry + coefficient;
        if entry.is_zero() {
            self.terms.remove(&var);
        }
    }

    pub(crate) fn scale(&mut self, factor: &Rational) {
        self.constant = &self.constant * factor;
        if factor.is_zero() {
            self.terms.clear();
        }
        self.terms.values_mut().for_each(|c| *c = &*c * factor);
    }

    pub fn value(&self, of: impl Fn(ArithVar) -> Rational) -> Rational {
        self.terms.iter().fold(self.constant.clone(), |sum, (var, c)| &sum + &(c * &of(*var)))
    }

    /// Divides by the factor that makes the coefficients coprime integers, the first positive, and
    /// takes the constant out: what is left, the constant after division, and whether the factor
    /// was negative.
    pub(crate) fn normalize(mut self) -> (BTreeMap<ArithVar, Rational>, Rational, bool) {
        let mut factor = content(self.terms.values()).inverse();
        let negative = self.terms.values().next().is_some_and(Rational::is_negative);
        if negative {
            factor = -&factor;
        }
        self.scale(&factor);
        (self.terms, self.constant, negative)
    }
}

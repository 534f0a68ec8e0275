//! Linear arithmetic over the rationals: the general simplex of Dutertre and de Moura ("A fast
//! linear-arithmetic solver for DPLL(T)", 2006).
//!
//! Every variable has bounds, each with the literal it comes from. Basic variables are sums of the
//! others; those others stay within their bounds always. Checking repairs one basic variable after
//! the other by pivots, the smallest first (Bland's rule, so it ends). A row in which nothing can
//! move explains the contradiction. Strict bounds are bounds with an infinitely small part.
//! Retraction restores bounds only; values may stay.

use super::linear::{ArithVar, Linear};
use super::rational::{Delta, Rational};
use super::sat::Lit;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Bound {
    pub value: Delta,
    pub why: Lit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Lower,
    Upper,
}

#[derive(Clone, Default)]
struct Variable {
    value: Delta,
    lower: Option<Bound>,
    upper: Option<Bound>,
    /// Its row, if it is basic.
    row: Option<usize>,
}

impl Default for Delta {
    fn default() -> Delta {
        Delta::ZERO
    }
}

/// `basic = Σ coefficient · variable`, over variables that are not basic.
#[derive(Clone)]
struct Row {
    basic: ArithVar,
    terms: BTreeMap<ArithVar, Rational>,
}

#[derive(Clone, Default)]
pub(crate) struct Simplex {
    variables: Vec<Variable>,
    rows: Vec<Row>,
    undo: Vec<(ArithVar, Side, Option<Bound>)>,
}

impl Simplex {
    pub(crate) fn fresh(&mut self) -> ArithVar {
        self.variables.push(Variable::default());
        self.variables.len() - 1
    }

    /// A new variable that is this sum.
    pub fn define(&mut self, terms: &BTreeMap<ArithVar, Rational>) -> ArithVar {
        let basic = self.fresh();
        let mut sum = Linear::constant(Rational::ZERO);
        for (var, coefficient) in terms {
            match self.variables[*var].row {
                Some(row) => {
                    self.rows[row].terms.iter().for_each(|(v, c)| sum.add_term(*v, &(c * coefficient)))
                }
                None => sum.add_term(*var, coefficient),
            }
        }
        let value = sum
            .terms
            .iter()
            .fold(Delta::ZERO, |total, (var, c)| total.plus(&self.variables[*var].value.times(c)));
        self.variables[basic].value = value;
        self.variables[basic].row = Some(self.rows.len());
        self.rows.push(Row { basic, terms: sum.terms });
        basic
    }

    pub fn value(&self, var: ArithVar) -> &Delta {
        &self.variables[var].value
    }

    pub(crate) fn bound(&self, var: ArithVar, side: Side) -> Option<&Bound> {
        match side {
            Side::Lower => self.variables[var].lower.as_ref(),
            Side::Upper => self.variables[var].upper.as_ref(),
        }
    }

    pub fn len(&self) -> usize {
        self.variables.len()
    }

    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    pub(crate) fn undo_to(&mut self, mark: usize) {
        for (var, side, bound) in self.undo.drain(mark..).rev() {
            match side {
                Side::Lower => self.variables[var].lower = bound,
                Side::Upper => self.variables[var].upper = bound,
            }
        }
    }

    /// Asserts a bound; the literals of a contradiction with the opposite one, if there is one.
    pub fn assert(&mut self, var: ArithVar, side: Side, value: Delta, why: Lit) -> Result<(), Vec<Lit>> {
        let variable = &self.variables[var];
        let (old, opposite) = match side {
            Side::Lower => (&variable.lower, &variable.upper),
            Side::Upper => (&variable.upper, &variable.lower),
        };
        let beyond = |a: &Delta, b: &Delta| if side == Side::Lower { a > b } else { a < b };
        if old.as_ref().is_some_and(|old| !beyond(&value, &old.value)) {
            return Ok(());
        }
        if let Some(opposite) = opposite
            && beyond(&value, &opposite.value)
        {
            return Err(vec![opposite.why, why]);
        }
        self.undo.push((var, side, old.clone()));
        let outside = beyond(&value, &variable.value);
        let bound = Some(Bound { value: value.clone(), why });
        match side {
            Side::Lower => self.variables[var].lower = bound,
            Side::Upper => self.variables[var].upper = bound,
        }
        if outside && self.variables[var].row.is_none() {
            let change = value.minus(&self.variables[var].value);
            self.shift(var, &change);
        }
        Ok(())
    }

    /// Moves a variable that is not basic, and the basic ones with it.
    fn shift(&mut self, var: ArithVar, change: &Delta) {
        let moved = self.variables[var].value.plus(change);
        self.variables[var].value = moved;
        for row in &self.rows {
            if let Some(coefficient) = row.terms.get(&var) {
                let basic = &mut self.variables[row.basic];
                basic.value = basic.value.plus(&change.times(coefficient));
            }
        }
    }

    /// Finds values within all bounds, or the literals of bounds that leave none.
    pub fn check(&mut self) -> Result<(), Vec<Lit>> {
        loop {
            let Some((row, side)) = self.broken() else { return Ok(()) };
            let Some(entering) = self.entering(row, side) else { return Err(self.explanation(row, side)) };
            let basic = self.rows[row].basic;
            let target = match side {
                Side::Lower => &self.variables[basic].lower,
                Side::Upper => &self.variables[basic].upper,
            };
            let Some(target) = target.as_ref().map(|bound| bound.value.clone()) else { return Ok(()) };
            let change = target.minus(&self.variables[basic].value);
            let factor = self.rows[row].terms[&entering].inverse();
            self.shift(entering, &change.times(&factor));
            self.pivot(row, entering);
        }
    }

    /// The smallest basic variable outside a bound, by its row, and which bound.
    fn broken(&self) -> Option<(usize, Side)> {
        let mut found: Option<(ArithVar, usize, Side)> = None;
        for (at, row) in self.rows.iter().enumerate() {
            let variable = &self.variables[row.basic];
            let side = if variable.lower.as_ref().is_some_and(|bound| variable.value < bound.value) {
                Side::Lower
            } else if variable.upper.as_ref().is_some_and(|bound| variable.value > bound.value) {
                Side::Upper
            } else {
                continue;
            };
            if found.is_none_or(|(var, ..)| row.basic < var) {
                found = Some((row.basic, at, side));
            }
        }
        found.map(|(_, at, side)| (at, side))
    }

    /// The smallest variable of the row that can move the basic one towards the bound.
    fn entering(&self, row: usize, side: Side) -> Option<ArithVar> {
        let mut terms = self.rows[row].terms.iter();
        terms
            .find(|(var, c)| self.can_move(**var, c.is_positive() == (side == Side::Lower)))
            .map(|(var, _)| *var)
    }

    fn can_move(&self, var: ArithVar, up: bool) -> bool {
        let variable = &self.variables[var];
        let limit = if up { &variable.upper } else { &variable.lower };
        limit.as_ref().is_none_or(|bound| bound.value != variable.value)
    }

    fn explanation(&self, row: usize, side: Side) -> Vec<Lit> {
        let own = match side {
            Side::Lower => &self.variables[self.rows[row].basic].lower,
            Side::Upper => &self.variables[self.rows[row].basic].upper,
        };
        let others = self.rows[row].terms.iter().filter_map(|(var, c)| {
            let up = c.is_positive() == (side == Side::Lower);
            if up { self.variables[*var].upper.as_ref() } else { self.variables[*var].lower.as_ref() }
        });
        let mut literals: Vec<Lit> = own.iter().chain(others).map(|bound| bound.why).collect();
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    /// The basic variable of the row and `entering` change places.
    fn pivot(&mut self, row: usize, entering: ArithVar) {
        let leaving = self.rows[row].basic;
        let mut terms = std::mem::take(&mut self.rows[row].terms);
        let Some(coefficient) = terms.remove(&entering) else { return };
        let inverse = coefficient.inverse();
        let negated = -&inverse;
        terms.values_mut().for_each(|c| *c = &*c * &negated);
        terms.insert(leaving, inverse);
        self.variables[leaving].row = None;
        self.variables[entering].row = Some(row);
        for (at, other) in self.rows.iter_mut().enumerate() {
            if at == row {
                continue;
            }
            if let Some(factor) = other.terms.remove(&entering) {
                for (var, c) in &terms {
                    let entry = other.terms.entry(*var).or_insert(Rational::ZERO);
                    *entry = &*entry + &(&factor * c);
                    if entry.is_zero() {
                        other.terms.remove(var);
                    }
                }
            }
        }
        self.rows[row] = Row { basic: entering, terms };
    }

    /// The values, with a number for the infinitely small one.
    pub fn numbers(&self) -> Vec<Rational> {
        let epsilon = self.epsilon();
        let number = |value: &Delta| &value.real + &(&value.delta * &epsilon);
        self.variables.iter().map(|variable| number(&variable.value)).collect()
    }

    /// A positive number small enough to stand for the infinitely small one.
    fn epsilon(&self) -> Rational {
        let mut epsilon = Rational::ONE;
        let mut limit = |low: &Delta, high: &Delta| {
            // low <= high with the small parts; real parts must not cross when a number stands for
            // delta.
            let (gap, rise) = (&high.real - &low.real, &low.delta - &high.delta);
            if rise.is_positive() && gap.is_positive() {
                epsilon = epsilon.clone().min(&gap * &rise.inverse());
            }
        };
        for variable in &self.variables {
            if let Some(bound) = &variable.lower {
                limit(&bound.value, &variable.value);
            }
            if let Some(bound) = &variable.upper {
                limit(&variable.value, &bound.value);
            }
        }
        epsilon
    }
}

//! Equations between numbers, their products and the lengths of sequences: what holds in all states
//! that small instances reach.
//!
//! For every location, and everywhere, the states are rows of values of monomials of degree two at
//! most; each vector that is orthogonal to all rows is an equation (Sharma, Gupta, Hariharan,
//! Aiken, Liang, Nori: *A data driven approach for algebraic loop invariants*). Few rows give false
//! equations, which Houdini drops.

use crate::small;
use logic::fol::{Op, Sort, Symbol, Term, Value, evaluate};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, BTreeSet};
use system::fts::step::In;
use system::fts::{Fts, Mode};

type Rational = Ratio<BigInt>;

/// Numbers whose products are looked at, and numbers at all.
const FACTORS: usize = 6;
const NUMBERS: usize = 9;
/// Instances, and states of each.
const INSTANCES: usize = 12;
const STATES: usize = 40;
/// Equations of one location.
const EQUATIONS: usize = 8;

/// Equations that hold in all states seen.
pub(crate) fn candidates(fts: &Fts, is_over: &dyn Fn() -> bool) -> Vec<Term> {
    let numbers = numbers(fts);
    let monomials = monomials(fts, &numbers);
    let places = places(fts);
    let mut rows: BTreeMap<usize, BTreeSet<Vec<BigInt>>> = BTreeMap::new();
    for given in small::valuations(fts).iter().take(INSTANCES) {
        if is_over() {
            break;
        }
        let Some(instance) = small::instance(fts, given) else { continue };
        for state in small::reachable(&instance, given, STATES).0 {
            let here = In { fts: &instance, given, state: &state, extra: Vec::new() };
            let value = |e: &Term| evaluate(e, &here)?.as_int().cloned();
            let Some(row) = monomials.iter().map(value).collect::<Option<Vec<BigInt>>>() else { continue };
            for (at, place) in places.iter().enumerate() {
                if evaluate(place, &here) == Some(Value::Bool(true)) {
                    rows.entry(at).or_default().insert(row.clone());
                }
            }
        }
    }
    let mut found: Vec<Term> = Vec::new();
    for (at, rows) in rows {
        // As many rows as there are coefficients would fit anything.
        if rows.len() <= monomials.len() / 2 {
            continue;
        }
        for equation in orthogonal(&rows.into_iter().collect::<Vec<_>>()).iter().take(EQUATIONS) {
            let equation = equation_of(&monomials, equation);
            let known = found.contains(&equation);
            if !known && equation.symbols().keys().any(|name| fts.is_flexible(name)) {
                found.push(Term::implication(places[at].clone(), equation));
            }
        }
    }
    found
}

/// Everywhere, then each location of each thread that is not replicated.
fn places(fts: &Fts) -> Vec<Term> {
    let threads = fts.threads.iter().filter(|t| t.control.sort == Sort::Int);
    let at =
        threads.flat_map(|t| (0..t.locations.len()).map(|l| Term::eq(t.control.term(), Term::int(l as i64))));
    std::iter::once(Term::truth(true)).chain(at).collect()
}

/// Variables and constants that are numbers, and lengths.
fn numbers(fts: &Fts) -> Vec<Term> {
    let data = fts.variables.iter().filter(|v| v.mode != Mode::Control);
    let mut found: Vec<Term> = data
        .filter_map(|v| match v.symbol.sort {
            Sort::Int => Some(v.symbol.term()),
            Sort::Sequence(_) => Some(v.symbol.term().length()),
            _ => None,
        })
        .collect();
    let rigid = fts.rigid.iter().filter(|r| r.arguments.is_empty() && r.result == Sort::Int);
    found.extend(rigid.map(|r| Symbol::constant(r.name.clone(), Sort::Int).term()));
    found.truncate(NUMBERS);
    found
}

/// 1, the numbers, and products where the program multiplies.
fn monomials(fts: &Fts, numbers: &[Term]) -> Vec<Term> {
    let mut found = vec![Term::int(1)];
    found.extend(numbers.iter().cloned());
    let properties = fts.properties.iter();
    let mut multiplied = false;
    properties.for_each(|p| p.formula.atoms(&mut |e: &Term| multiplied |= multiplies(e)));
    let updates = fts.transitions.iter().flat_map(|t| &t.branches).flat_map(|b| &b.updates);
    multiplied |= updates.into_iter().any(|(_, e)| multiplies(e));
    if multiplied {
        let factors = &numbers[..numbers.len().min(FACTORS)];
        for (at, a) in factors.iter().enumerate() {
            found.extend(factors[at..].iter().map(|b| a.times(b)));
        }
    }
    found
}

/// Whether two things are multiplied that are no constants.
fn multiplies(e: &Term) -> bool {
    let own = *e.op() == Op::Multiply && e.arguments().iter().filter(|a| !a.symbols().is_empty()).count() > 1;
    own || e.arguments().iter().any(multiplies)
}

/// A basis of the vectors that are orthogonal to all rows.
fn orthogonal(rows: &[Vec<BigInt>]) -> Vec<Vec<BigInt>> {
    let Some(width) = rows.first().map(Vec::len) else { return Vec::new() };
    let mut pivots: Vec<(usize, Vec<Rational>)> = Vec::new();
    for row in rows {
        let mut row: Vec<Rational> = row.iter().map(|n| Rational::from_integer(n.clone())).collect();
        for (at, pivot) in &pivots {
            reduce(&mut row, *at, pivot);
        }
        // Later columns first, so that products are given by what is simpler.
        let Some(at) = (0..width).rev().find(|at| !row[*at].is_zero()) else { continue };
        let lead = row[at].clone();
        row.iter_mut().for_each(|c| *c /= &lead);
        for (_, pivot) in &mut pivots {
            reduce(pivot, at, &row);
        }
        pivots.push((at, row));
        if pivots.len() == width {
            return Vec::new();
        }
    }
    let free = (0..width).filter(|c| pivots.iter().all(|(at, _)| at != c));
    free.map(|column| {
        let mut vector = vec![Rational::zero(); width];
        vector[column] = Rational::one();
        for (at, pivot) in &pivots {
            vector[*at] = -pivot[column].clone();
        }
        whole(&vector)
    })
    .collect()
}

fn reduce(row: &mut [Rational], at: usize, pivot: &[Rational]) {
    let factor = row[at].clone();
    if !factor.is_zero() {
        row.iter_mut().zip(pivot).for_each(|(c, p)| *c -= &factor * p);
    }
}

/// The vector without fractions.
fn whole(vector: &[Rational]) -> Vec<BigInt> {
    let multiple = vector.iter().fold(BigInt::one(), |m, c| num_integer::lcm(m, c.denom().clone()));
    vector.iter().map(|c| (c * Rational::from_integer(multiple.clone())).to_integer()).collect()
}

fn equation_of(monomials: &[Term], coefficients: &[BigInt]) -> Term {
    let side = |positive: bool| {
        let parts =
            monomials.iter().zip(coefficients).filter(|(_, c)| !c.is_zero() && c.is_positive() == positive);
        let part = |(m, c): (&Term, &BigInt)| match (c.abs().is_one(), m.op()) {
            (_, Op::Int(_)) => Term::int(c.abs()),
            (true, _) => m.clone(),
            _ => Term::int(c.abs()).times(m),
        };
        parts.map(part).reduce(|a, b| a.plus(&b)).unwrap_or_else(|| Term::int(0))
    };
    Term::eq(side(true), side(false))
}

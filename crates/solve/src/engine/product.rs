//! Products that are not linear, multiplied out: sums of monomials over what is no sum or product
//! itself. Two terms that are equal as polynomials become equal sums of the same monomials.

use super::rational::Rational;
use logic::fol::{Op, Term};
use std::collections::BTreeMap;

/// No polynomial has more monomials than this; larger ones are not multiplied out.
const MONOMIALS: usize = 48;
/// Nor a monomial more factors.
const DEGREE: usize = 6;

/// Coefficients of monomials, each by its sorted factors; the constant has none.
pub(crate) type Polynomial = BTreeMap<Vec<Term>, Rational>;

/// A numeric term multiplied out; none if it is too large.
pub(crate) fn expanded(term: &Term) -> Option<Polynomial> {
    let arguments = term.arguments();
    let one = |factors: Vec<Term>, c: Rational| Some(Polynomial::from([(factors, c)]));
    let sum = |parts: Vec<(Rational, &Term)>| {
        let mut all = Polynomial::new();
        for (factor, part) in parts {
            add(&mut all, &factor, &expanded(part)?);
        }
        (all.len() <= MONOMIALS).then_some(all)
    };
    match term.op() {
        Op::Int(n) => one(Vec::new(), Rational::from(n)),
        Op::Real(r) => one(Vec::new(), r.clone().into()),
        Op::Add => sum(arguments.iter().map(|a| (Rational::ONE, a)).collect()),
        Op::Subtract => sum(vec![(Rational::ONE, &arguments[0]), (Rational::from(-1), &arguments[1])]),
        Op::Negate => sum(vec![(Rational::from(-1), &arguments[0])]),
        Op::Multiply => {
            let unit = Polynomial::from([(Vec::new(), Rational::ONE)]);
            arguments.iter().try_fold(unit, |made, factor| times(&made, &expanded(factor)?))
        }
        _ => one(vec![term.clone()], Rational::ONE),
    }
}

fn add(sum: &mut Polynomial, factor: &Rational, other: &Polynomial) {
    for (monomial, coefficient) in other {
        let entry = sum.entry(monomial.clone()).or_insert(Rational::ZERO);
        *entry = &*entry + &(factor * coefficient);
    }
    sum.retain(|_, c| !c.is_zero());
}

fn times(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut made = Polynomial::new();
    for (monomial, coefficient) in a {
        for (other, factor) in b {
            let mut factors = [&monomial[..], &other[..]].concat();
            factors.sort();
            if factors.len() > DEGREE {
                return None;
            }
            add(&mut made, &(coefficient * factor), &Polynomial::from([(factors, Rational::ONE)]));
        }
    }
    (made.len() <= MONOMIALS).then_some(made)
}

/// The product of the factors of a monomial, two at a time; none without factors.
pub(crate) fn monomial(factors: &[Term]) -> Option<Term> {
    let (first, rest) = factors.split_first()?;
    let others = rest.iter().cloned().reduce(|made, factor| made.times(&factor));
    Some(others.map_or_else(|| first.clone(), |others| first.times(&others)))
}

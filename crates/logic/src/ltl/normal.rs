//! Negation normal form: negations stand before atoms only, and Implies, Iff and Entails are gone.
//!
//! Each operator has a dual that the negation is pushed through: X with itself, F and G, U and R, W
//! and M, Y and Z, O and H, S and T. `p B q` has none among our operators: `!(p B q)` is
//! `!q S (!p & !q)`, and its operand q is written twice. So are both operands of Iff: the form can
//! be exponentially larger, and [`size`] tells beforehand how large.

use super::{Binary, Formula, Unary};

use {Binary::*, Unary::*};

/// The negation normal form of a formula.
pub fn normal_form<A: Clone>(formula: &Formula<A>) -> Formula<A> {
    signed(formula, true)
}

/// The negation normal form of the negation of a formula.
pub fn negated<A: Clone>(formula: &Formula<A>) -> Formula<A> {
    signed(formula, false)
}

/// How many operators and atoms the negation normal form has, at most.
pub fn size<A>(formula: &Formula<A>) -> u64 {
    sizes(formula)[0]
}

fn signed<A: Clone>(formula: &Formula<A>, sign: bool) -> Formula<A> {
    match formula {
        Formula::Constant(c) => Formula::Constant(*c == sign),
        Formula::Atom(_) if sign => formula.clone(),
        Formula::Atom(_) => Formula::negation(formula.clone()),
        Formula::Unary(Not, a) => signed(a, !sign),
        Formula::Unary(op, a) => Formula::unary(if sign { *op } else { dual_unary(*op) }, signed(a, sign)),
        Formula::Binary(op, a, b) => binary(*op, a, b, sign),
    }
}

fn binary<A: Clone>(op: Binary, a: &Formula<A>, b: &Formula<A>, sign: bool) -> Formula<A> {
    match op {
        Implies => Formula::binary(if sign { Or } else { And }, signed(a, !sign), signed(b, sign)),
        Iff => {
            let both = Formula::binary(And, signed(a, true), signed(b, sign));
            Formula::binary(Or, both, Formula::binary(And, signed(a, false), signed(b, !sign)))
        }
        Entails => Formula::unary(if sign { Always } else { Eventually }, binary(Implies, a, b, sign)),
        BackTo if !sign => {
            let here = Formula::binary(And, signed(a, false), signed(b, false));
            Formula::binary(Since, signed(b, false), here)
        }
        _ => Formula::binary(if sign { op } else { dual_binary(op) }, signed(a, sign), signed(b, sign)),
    }
}

fn dual_unary(op: Unary) -> Unary {
    match op {
        Not | Next => op,
        Eventually => Always,
        Always => Eventually,
        Previous => WeakPrevious,
        WeakPrevious => Previous,
        Once => Historically,
        Historically => Once,
    }
}

/// The dual of an operator that has one.
fn dual_binary(op: Binary) -> Binary {
    match op {
        And => Or,
        Or => And,
        Until => Release,
        Release => Until,
        WeakUntil => StrongRelease,
        StrongRelease => WeakUntil,
        Since => Trigger,
        Trigger => Since,
        Implies | Iff | Entails | BackTo => op,
    }
}

/// The sizes of the normal forms of a formula and of its negation.
fn sizes<A>(formula: &Formula<A>) -> [u64; 2] {
    let sum = |parts: &[u64]| parts.iter().fold(1_u64, |sum, part| sum.saturating_add(*part));
    match formula {
        Formula::Constant(_) => [1, 1],
        Formula::Atom(_) => [1, 2],
        Formula::Unary(Not, a) => {
            let [plain, negated] = sizes(a);
            [negated, plain]
        }
        Formula::Unary(_, a) => sizes(a).map(|size| sum(&[size])),
        Formula::Binary(op, a, b) => {
            let ([a, not_a], [b, not_b]) = (sizes(a), sizes(b));
            match op {
                Implies => [sum(&[not_a, b]), sum(&[a, not_b])],
                Iff => [sum(&[1, 1, a, b, not_a, not_b]); 2],
                Entails => [sum(&[1, not_a, b]), sum(&[1, a, not_b])],
                BackTo => [sum(&[a, b]), sum(&[1, not_a, not_b, not_b])],
                _ => [sum(&[a, b]), sum(&[not_a, not_b])],
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ltl::random::{self, Random, Shape};
    use crate::ltl::semantics::satisfies;

    fn is_normal(formula: &Formula<usize>) -> bool {
        match formula {
            Formula::Constant(_) | Formula::Atom(_) => true,
            Formula::Unary(Not, a) => matches!(**a, Formula::Atom(_)),
            Formula::Unary(_, a) => is_normal(a),
            Formula::Binary(op, a, b) => {
                !matches!(op, Implies | Iff | Entails) && is_normal(a) && is_normal(b)
            }
        }
    }

    #[test]
    fn random_formulas_keep_their_meaning_and_their_negations_lose_it() {
        let mut random = Random::new(1);
        for _ in 0..5000 {
            let formula = random::formula(&mut random, &Shape::default());
            let word = random::lasso(&mut random, 3, 4, 4);
            let (plain, negated) = (normal_form(&formula), negated(&formula));
            assert!(is_normal(&plain) && is_normal(&negated), "{formula:?}");
            assert_eq!(satisfies(&word, &plain), satisfies(&word, &formula), "{formula:?} {word:?}");
            assert_eq!(satisfies(&word, &negated), !satisfies(&word, &formula), "{formula:?} {word:?}");
            assert_eq!(sizes(&formula), [plain.size() as u64, negated.size() as u64], "{formula:?}");
        }
    }

    #[test]
    fn exponential_forms_are_seen_beforehand() {
        let iff = |f: Formula<usize>| Formula::binary(Iff, f.clone(), f);
        let nested = (0..12).fold(Formula::Atom(0), |f, _| iff(f));
        assert!(size(&nested) > 1 << 24, "{}", size(&nested));
    }
}

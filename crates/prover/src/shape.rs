//! Which rule fits a formula: invariances, nested wait-for formulas, responses.

use logic::fol::Term;
use logic::ltl::{Binary, Formula, Unary};

/// A property as the rules see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `[] p`.
    Invariance(Term),
    /// `p ==> q_m W … W q_0`, q_m first.
    WaitFor(Term, Vec<Term>),
    /// `p ==> <> q`.
    Response(Term, Term),
    /// `<> q`: from the initial states.
    Guarantee(Term),
    /// An assertion about the initial states.
    Initial(Term),
    /// All of these.
    Conjunction(Vec<Shape>),
}

/// A formula without temporal operators.
pub fn assertion(f: &Formula<Term>) -> Option<Term> {
    Some(match f {
        Formula::Constant(b) => Term::truth(*b),
        Formula::Atom(e) => e.clone(),
        Formula::Unary(Unary::Not, a) => Term::negation(assertion(a)?),
        Formula::Unary(..) => return None,
        Formula::Binary(op, a, b) => {
            let (a, b) = (assertion(a)?, assertion(b)?);
            match op {
                Binary::And => Term::all([a, b]),
                Binary::Or => Term::any([a, b]),
                Binary::Implies => Term::implication(a, b),
                Binary::Iff => Term::eq(a, b),
                _ => return None,
            }
        }
    })
}

/// The shape of a formula, if a rule fits it.
pub fn shape(f: &Formula<Term>) -> Option<Shape> {
    match f {
        Formula::Binary(Binary::And, a, b) if assertion(f).is_none() => {
            let mut parts = Vec::new();
            for part in [a, b] {
                match shape(part)? {
                    Shape::Conjunction(more) => parts.extend(more),
                    other => parts.push(other),
                }
            }
            Some(Shape::Conjunction(parts))
        }
        Formula::Unary(Unary::Always, inner) => always(inner),
        Formula::Binary(Binary::Entails, p, q) => entails(assertion(p)?, q),
        Formula::Unary(Unary::Eventually, q) => Some(Shape::Guarantee(assertion(q)?)),
        f => assertion(f).map(Shape::Initial),
    }
}

fn always(f: &Formula<Term>) -> Option<Shape> {
    if let Some(p) = assertion(f) {
        return Some(Shape::Invariance(p));
    }
    match f {
        Formula::Unary(Unary::Always, inner) => always(inner),
        Formula::Binary(Binary::Implies | Binary::Entails, p, q) => entails(assertion(p)?, q),
        Formula::Binary(Binary::And, a, b) => {
            let mut parts = Vec::new();
            for part in [a, b] {
                match always(part)? {
                    Shape::Conjunction(more) => parts.extend(more),
                    other => parts.push(other),
                }
            }
            Some(Shape::Conjunction(parts))
        }
        f => entails(Term::truth(true), f),
    }
}

fn entails(p: Term, q: &Formula<Term>) -> Option<Shape> {
    if let Some(q) = assertion(q) {
        return Some(Shape::Invariance(Term::implication(p, q)));
    }
    match q {
        Formula::Unary(Unary::Eventually, goal) => Some(Shape::Response(p, assertion(goal)?)),
        Formula::Unary(Unary::Always, inner) => {
            // p ==> [] q is [](<-> p --> q); as a wait-for formula: p ==> q W false.
            Some(Shape::WaitFor(p, vec![assertion(inner)?, Term::truth(false)]))
        }
        Formula::Binary(Binary::WeakUntil, ..) => Some(Shape::WaitFor(p, waits(q)?)),
        Formula::Binary(Binary::Implies, p2, q) => entails(Term::all([p, assertion(p2)?]), q),
        _ => None,
    }
}

/// The intervals of a nested wait-for formula, the first first.
fn waits(f: &Formula<Term>) -> Option<Vec<Term>> {
    match f {
        Formula::Binary(Binary::WeakUntil, q, rest) => {
            let mut all = vec![assertion(q)?];
            all.extend(waits(rest)?);
            Some(all)
        }
        f => Some(vec![assertion(f)?]),
    }
}

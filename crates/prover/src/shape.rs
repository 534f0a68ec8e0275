//! Which rule fits a formula: invariances, nested wait-for formulas, responses.

use logic::ltl::{Binary, Formula, Unary};
use system::fts::Expr;

/// A property as the rules see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `[] p`.
    Invariance(Expr),
    /// `p ==> q_m W … W q_0`, q_m first.
    WaitFor(Expr, Vec<Expr>),
    /// `p ==> <> q`.
    Response(Expr, Expr),
    /// `<> q`: from the initial states.
    Guarantee(Expr),
    /// An assertion about the initial states.
    Initial(Expr),
    Conjunction(Vec<Shape>),
}

/// A formula without temporal operators.
pub fn assertion(f: &Formula<Expr>) -> Option<Expr> {
    Some(match f {
        Formula::Constant(b) => Expr::Bool(*b),
        Formula::Atom(e) => e.clone(),
        Formula::Unary(Unary::Not, a) => Expr::negation(assertion(a)?),
        Formula::Unary(..) => return None,
        Formula::Binary(op, a, b) => {
            let (a, b) = (assertion(a)?, assertion(b)?);
            match op {
                Binary::And => Expr::and([a, b]),
                Binary::Or => Expr::or([a, b]),
                Binary::Implies => Expr::implies(a, b),
                Binary::Iff => Expr::iff(a, b),
                _ => return None,
            }
        }
    })
}

/// The shape of a formula, if a rule fits it.
pub fn shape(f: &Formula<Expr>) -> Option<Shape> {
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

fn always(f: &Formula<Expr>) -> Option<Shape> {
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
        f => entails(Expr::TRUE, f),
    }
}

fn entails(p: Expr, q: &Formula<Expr>) -> Option<Shape> {
    if let Some(q) = assertion(q) {
        return Some(Shape::Invariance(Expr::implies(p, q)));
    }
    match q {
        Formula::Unary(Unary::Eventually, goal) => Some(Shape::Response(p, assertion(goal)?)),
        Formula::Unary(Unary::Always, inner) => {
            // p ==> [] q is [](<-> p --> q); as a wait-for formula: p ==> q W false.
            Some(Shape::WaitFor(p, vec![assertion(inner)?, Expr::FALSE]))
        }
        Formula::Binary(Binary::WeakUntil, ..) => Some(Shape::WaitFor(p, waits(q)?)),
        Formula::Binary(Binary::Implies, p2, q) => entails(Expr::and([p, assertion(p2)?]), q),
        _ => None,
    }
}

/// The intervals of a nested wait-for formula, the first first.
fn waits(f: &Formula<Expr>) -> Option<Vec<Expr>> {
    match f {
        Formula::Binary(Binary::WeakUntil, q, rest) => {
            let mut all = vec![assertion(q)?];
            all.extend(waits(rest)?);
            Some(all)
        }
        f => Some(vec![assertion(f)?]),
    }
}

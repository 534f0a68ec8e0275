//! What a property claims, as the rules of proof divide formulas; past operators are the variables that remember them.

use super::Refused;
use logic::ltl::{Binary, Formula, Unary};
use system::fts::{Expr, Past, Remembered};

#[derive(Clone, Debug)]
pub(super) enum Claim {
    /// `[] p`.
    Always(Expr),
    /// `p ==> q_m W … W q_0`.
    Waiting(Expr, Vec<Expr>),
    /// `p ==> <> q`.
    Leads(Expr, Expr),
    /// `<> q`.
    Comes(Expr),
    /// In the first state.
    First(Expr),
    All(Vec<Claim>),
}

/// A formula without past operators: a variable in the place of each.
pub(super) fn present(f: &Formula<Expr>, known: &[Remembered]) -> Result<Formula<Expr>, Refused> {
    let found = |past: Past| {
        let same = known.iter().find(|r| r.past == past);
        same.map(|r| Formula::Atom(r.symbol.expr())).ok_or(Refused::Form("the past is not remembered"))
    };
    let now = |f: &Formula<Expr>| assertion(f).ok_or(Refused::Form("a past operator over a future one"));
    Ok(match f {
        Formula::Constant(_) | Formula::Atom(_) => f.clone(),
        Formula::Unary(op, a) => {
            let a = present(a, known)?;
            match op {
                Unary::Previous | Unary::WeakPrevious | Unary::Once | Unary::Historically => {
                    found(Past::Unary(*op, now(&a)?))?
                }
                _ => Formula::unary(*op, a),
            }
        }
        Formula::Binary(op, a, b) => {
            let (a, b) = (present(a, known)?, present(b, known)?);
            match op {
                Binary::Since | Binary::BackTo | Binary::Trigger => {
                    found(Past::Binary(*op, now(&a)?, now(&b)?))?
                }
                _ => Formula::binary(*op, a, b),
            }
        }
    })
}

/// A formula without temporal operators.
fn assertion(f: &Formula<Expr>) -> Option<Expr> {
    Some(match f {
        Formula::Constant(b) => Expr::Bool(*b),
        Formula::Atom(e) => e.clone(),
        Formula::Unary(Unary::Not, a) => Expr::negation(assertion(a)?),
        Formula::Unary(..) => return None,
        Formula::Binary(Binary::And, a, b) => Expr::and([assertion(a)?, assertion(b)?]),
        Formula::Binary(Binary::Or, a, b) => Expr::or([assertion(a)?, assertion(b)?]),
        Formula::Binary(Binary::Implies, a, b) => Expr::implies(assertion(a)?, assertion(b)?),
        Formula::Binary(Binary::Iff, a, b) => Expr::iff(assertion(a)?, assertion(b)?),
        Formula::Binary(..) => return None,
    })
}

pub(super) fn claim(f: &Formula<Expr>) -> Option<Claim> {
    if let Some(p) = assertion(f) {
        return Some(Claim::First(p));
    }
    match f {
        Formula::Binary(Binary::And, a, b) => both(claim(a)?, claim(b)?),
        Formula::Unary(Unary::Eventually, q) => Some(Claim::Comes(assertion(q)?)),
        Formula::Unary(Unary::Always, f) => after(Expr::TRUE, f),
        // p ==> q is [](p --> q).
        Formula::Binary(Binary::Entails, p, q) => after(assertion(p)?, q),
        _ => None,
    }
}

fn both(a: Claim, b: Claim) -> Option<Claim> {
    let parts = |claim: Claim| match claim {
        Claim::All(parts) => parts,
        one => vec![one],
    };
    Some(Claim::All(parts(a).into_iter().chain(parts(b)).collect()))
}

/// `[](p --> f)`.
fn after(p: Expr, f: &Formula<Expr>) -> Option<Claim> {
    if let Some(q) = assertion(f) {
        return Some(Claim::Always(Expr::implies(p, q)));
    }
    match f {
        // [](p --> []q), where q may be temporal only if p is true: [][]q is []q.
        Formula::Unary(Unary::Always, q) => match assertion(q) {
            Some(q) if p != Expr::TRUE => Some(Claim::Waiting(p, vec![q, Expr::FALSE])),
            _ if p == Expr::TRUE => after(p, q),
            _ => None,
        },
        Formula::Unary(Unary::Eventually, q) => Some(Claim::Leads(p, assertion(q)?)),
        Formula::Binary(Binary::WeakUntil, ..) => Some(Claim::Waiting(p, intervals(f)?)),
        Formula::Binary(Binary::Implies, also, q) => after(Expr::and([p, assertion(also)?]), q),
        Formula::Binary(Binary::Entails, also, q) if p == Expr::TRUE => after(assertion(also)?, q),
        Formula::Binary(Binary::And, a, b) if p == Expr::TRUE => both(after(Expr::TRUE, a)?, after(p, b)?),
        _ => None,
    }
}

/// The intervals of a nested wait-for formula, the first first.
fn intervals(f: &Formula<Expr>) -> Option<Vec<Expr>> {
    match f {
        Formula::Binary(Binary::WeakUntil, q, rest) => {
            Some(std::iter::once(assertion(q)?).chain(intervals(rest)?).collect())
        }
        f => Some(vec![assertion(f)?]),
    }
}

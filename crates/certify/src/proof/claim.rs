//! What a property claims, as the rules of proof divide formulas; past operators are the variables
//! that remember them.

use super::Refused;
use logic::fol::Term;
use logic::ltl::{Binary, Formula, Unary};
use system::fts::{Past, Remembered};

#[derive(Clone, Debug)]
pub(super) enum Claim {
    /// `[] p`.
    Always(Term),
    /// `p ==> q_m W … W q_0`.
    Waiting(Term, Vec<Term>),
    /// `p ==> <> q`.
    Leads(Term, Term),
    /// `<> q`.
    Comes(Term),
    /// In the first state.
    First(Term),
    All(Vec<Claim>),
}

/// A formula without past operators: a variable in the place of each.
pub(super) fn present(f: &Formula<Term>, known: &[Remembered]) -> Result<Formula<Term>, Refused> {
    let found = |past: Past| {
        let same = known.iter().find(|r| r.past == past);
        same.map(|r| Formula::Atom(r.symbol.term())).ok_or(Refused::Form("the past is not remembered"))
    };
    let now = |f: &Formula<Term>| assertion(f).ok_or(Refused::Form("a past operator over a future one"));
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
fn assertion(f: &Formula<Term>) -> Option<Term> {
    Some(match f {
        Formula::Constant(b) => Term::truth(*b),
        Formula::Atom(e) => e.clone(),
        Formula::Unary(Unary::Not, a) => Term::negation(assertion(a)?),
        Formula::Unary(..) => return None,
        Formula::Binary(Binary::And, a, b) => Term::all([assertion(a)?, assertion(b)?]),
        Formula::Binary(Binary::Or, a, b) => Term::any([assertion(a)?, assertion(b)?]),
        Formula::Binary(Binary::Implies, a, b) => Term::implication(assertion(a)?, assertion(b)?),
        Formula::Binary(Binary::Iff, a, b) => Term::eq(assertion(a)?, assertion(b)?),
        Formula::Binary(..) => return None,
    })
}

pub(super) fn claim(f: &Formula<Term>) -> Option<Claim> {
    if let Some(p) = assertion(f) {
        return Some(Claim::First(p));
    }
    match f {
        Formula::Binary(Binary::And, a, b) => both(claim(a)?, claim(b)?),
        Formula::Unary(Unary::Eventually, q) => Some(Claim::Comes(assertion(q)?)),
        Formula::Unary(Unary::Always, f) => after(Term::truth(true), f),
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
fn after(p: Term, f: &Formula<Term>) -> Option<Claim> {
    if let Some(q) = assertion(f) {
        return Some(Claim::Always(Term::implication(p, q)));
    }
    match f {
        // [](p --> []q), where q may be temporal only if p is true: [][]q is []q.
        Formula::Unary(Unary::Always, q) => match assertion(q) {
            Some(q) if p != Term::truth(true) => Some(Claim::Waiting(p, vec![q, Term::truth(false)])),
            _ if p == Term::truth(true) => after(p, q),
            _ => None,
        },
        Formula::Unary(Unary::Eventually, q) => Some(Claim::Leads(p, assertion(q)?)),
        Formula::Binary(Binary::WeakUntil, ..) => Some(Claim::Waiting(p, intervals(f)?)),
        Formula::Binary(Binary::Implies, also, q) => after(Term::all([p, assertion(also)?]), q),
        Formula::Binary(Binary::Entails, also, q) if p == Term::truth(true) => after(assertion(also)?, q),
        Formula::Binary(Binary::And, a, b) if p == Term::truth(true) => {
            both(after(Term::truth(true), a)?, after(p, b)?)
        }
        _ => None,
    }
}

/// The intervals of a nested wait-for formula, the first first.
fn intervals(f: &Formula<Term>) -> Option<Vec<Term>> {
    match f {
        Formula::Binary(Binary::WeakUntil, q, rest) => {
            Some(std::iter::once(assertion(q)?).chain(intervals(rest)?).collect())
        }
        f => Some(vec![assertion(f)?]),
    }
}

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
    /// `q_m W … W q_0` of the initial states.
    Precedes(Vec<Term>),
    /// `p ==> <> q`.
    Leads(Term, Term),
    /// `<> q`.
    Comes(Term),
    /// From some states, or from the initial ones, a goal comes if others recur.
    Recurs(Recurs),
    /// In the first state.
    First(Term),
    All(Vec<Claim>),
}

/// If each of `again` is true infinitely often, `goal` comes after every state of `from`; after the
/// first one if there is none.
#[derive(Clone, Debug)]
pub(super) struct Recurs {
    pub(super) from: Option<Term>,
    pub(super) again: Vec<Term>,
    pub(super) goal: Term,
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
    divided(f).or_else(|| recurs(f).map(Claim::Recurs))
}

fn divided(f: &Formula<Term>) -> Option<Claim> {
    if let Some(p) = assertion(f) {
        return Some(Claim::First(p));
    }
    match f {
        Formula::Binary(Binary::And, a, b) => both(claim(a)?, claim(b)?),
        Formula::Unary(Unary::Eventually, q) => Some(Claim::Comes(assertion(q)?)),
        Formula::Unary(Unary::Always, f) => after(Term::truth(true), f),
        Formula::Binary(Binary::WeakUntil, ..) => Some(Claim::Precedes(intervals(f)?)),
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

/// What is enough for a disjunction of `[]<>`, `<>[]` and `<>`.
///
/// Let G be all that stands under `[]<>` and `<>`, and A the negations of what stands under `<>[]`.
/// A run on which some element of A does not recur satisfies a `<>[]`. On any other run, if every
/// state leads to G, then something under `<>` comes or something under `[]<>` recurs; if nothing
/// stands under `[]<>`, one visit to G is enough.
fn recurs(f: &Formula<Term>) -> Option<Recurs> {
    let truth = || Term::truth(true);
    let (from, f) = match f {
        Formula::Binary(Binary::Entails, p, q) => (Some(assertion(p)?), &**q),
        Formula::Unary(Unary::Always, inner) if !is_eventually(inner) => (Some(truth()), &**inner),
        f => (None, f),
    };
    let parts = disjuncts(f, false)?;
    let mut found = Recurs { from, again: Vec::new(), goal: Term::truth(false) };
    for part in &parts {
        match part {
            Disjunct::Settles(p) => found.again.push(Term::negation(p.clone())),
            Disjunct::Recurs(p) | Disjunct::Comes(p) => {
                found.goal = Term::any([found.goal, p.clone()]);
            }
            Disjunct::Now(p) => {
                let from = found.from?;
                found.from = Some(Term::all([from, Term::negation(p.clone())]));
            }
        }
    }
    if parts.iter().any(|part| matches!(part, Disjunct::Recurs(_))) {
        found.from = Some(truth());
    }
    Some(found)
}

fn is_eventually(f: &Formula<Term>) -> bool {
    matches!(f, Formula::Unary(Unary::Eventually, _))
}

enum Disjunct {
    Now(Term),
    /// `[]<> p`.
    Recurs(Term),
    /// `<>[] p`.
    Settles(Term),
    /// `<> p`.
    Comes(Term),
}

/// The disjuncts of a formula, or of its negation.
fn disjuncts(f: &Formula<Term>, negated: bool) -> Option<Vec<Disjunct>> {
    let sign = |p: Term| if negated { Term::negation(p) } else { p };
    if let Some(p) = assertion(f) {
        return Some(vec![Disjunct::Now(sign(p))]);
    }
    let two = |a: Option<Vec<Disjunct>>, b: Option<Vec<Disjunct>>| {
        Some(a?.into_iter().chain(b?).collect::<Vec<Disjunct>>())
    };
    match f {
        Formula::Unary(Unary::Not, a) => disjuncts(a, !negated),
        Formula::Binary(Binary::Or, a, b) if !negated => two(disjuncts(a, false), disjuncts(b, false)),
        Formula::Binary(Binary::And, a, b) if negated => two(disjuncts(a, true), disjuncts(b, true)),
        Formula::Binary(Binary::Implies, a, b) if !negated => two(disjuncts(a, true), disjuncts(b, false)),
        // The negation of [] is <>, and that of <> is [].
        Formula::Unary(op @ (Unary::Always | Unary::Eventually), a) => {
            let always = (*op == Unary::Always) != negated;
            let one = match &**a {
                Formula::Unary(inner @ (Unary::Always | Unary::Eventually), p) => {
                    let p = sign(assertion(p)?);
                    match (always, (*inner == Unary::Always) != negated) {
                        (true, false) => Disjunct::Recurs(p),
                        (false, true) => Disjunct::Settles(p),
                        _ => return None,
                    }
                }
                p if !always => Disjunct::Comes(sign(assertion(p)?)),
                _ => return None,
            };
            Some(vec![one])
        }
        _ => None,
    }
}

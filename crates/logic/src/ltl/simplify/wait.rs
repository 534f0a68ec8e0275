//! Rules for U, W, R, M and for S, B, T, their mirrors in the past.

use super::*;
use crate::ltl::implication::{covers, excludes, implies, is_eventual, is_universal};

/// A direction of time and its operators.
struct Tense {
    step: Unary,
    some: Unary,
    all: Unary,
    weak: Binary,
    release: Binary,
    /// There is none in the past.
    strong_release: Option<Binary>,
}

const FUTURE: Tense = Tense {
    step: Next,
    some: Eventually,
    all: Always,
    weak: WeakUntil,
    release: Release,
    strong_release: Some(StrongRelease),
};

const PAST: Tense = Tense {
    step: Previous,
    some: Once,
    all: Historically,
    weak: BackTo,
    release: Trigger,
    strong_release: None,
};

impl Tense {
    /// True here, so at all positions nearer to the present: `F p` in the future, `O p` in the
    /// past.
    fn is_some<A>(&self, a: &F<A>) -> bool {
        if self.some == Eventually { is_eventual(a) } else { is_universal(a) }
    }

    fn is_all<A>(&self, a: &F<A>) -> bool {
        if self.some == Eventually { is_universal(a) } else { is_eventual(a) }
    }
}

/// `a op b` for a binary temporal operator.
pub(super) fn wait<A: Clone + PartialEq>(op: Binary, a: F<A>, b: F<A>) -> F<A> {
    let tense = if matches!(op, Since | BackTo | Trigger) { &PAST } else { &FUTURE };
    let ruled = match op {
        Until | Since => until(tense, &a, &b),
        WeakUntil | BackTo => weak(tense, &a, &b),
        Release | Trigger => release(tense, &a, &b),
        _ => strong_release(&a, &b),
    };
    ruled.or_else(|| nested(op, &a, &b)).or_else(|| stepped(tense, op, &a, &b)).unwrap_or_else(|| {
        let a = without_needless(op, a, &b);
        F::binary(op, a, b)
    })
}

/// `a U b`, and so on for the others: what the operands alone decide.
fn until<A: Clone + PartialEq>(tense: &Tense, a: &F<A>, b: &F<A>) -> Option<F<A>> {
    if implies(a, b) || tense.is_some(b) {
        return Some(b.clone());
    }
    if covers(a, b) {
        return Some(unary(tense.some, b.clone()));
    }
    Some(F::binary(tense.strong_release?, without(And, b, a)?, a.clone()))
}

fn weak<A: Clone + PartialEq>(tense: &Tense, a: &F<A>, b: &F<A>) -> Option<F<A>> {
    if implies(a, b) {
        return Some(b.clone());
    }
    if covers(a, b) {
        return Some(F::TRUE);
    }
    let all = unary(tense.all, a.clone());
    if implies(b, &all) {
        return Some(all);
    }
    if tense.is_all(a) {
        return Some(binary(Or, a.clone(), b.clone()));
    }
    Some(F::binary(tense.release, without(And, b, a)?, a.clone()))
}

fn release<A: Clone + PartialEq>(tense: &Tense, a: &F<A>, b: &F<A>) -> Option<F<A>> {
    if implies(b, a) || tense.is_all(b) {
        return Some(b.clone());
    }
    if excludes(a, b) {
        return Some(unary(tense.all, b.clone()));
    }
    Some(F::binary(tense.weak, without(Or, b, a)?, a.clone()))
}

fn strong_release<A: Clone + PartialEq>(a: &F<A>, b: &F<A>) -> Option<F<A>> {
    if implies(b, a) {
        return Some(b.clone());
    }
    if excludes(a, b) {
        return Some(F::FALSE);
    }
    let some = unary(Eventually, a.clone());
    if implies(&some, b) {
        return Some(some);
    }
    if FUTURE.is_some(a) {
        return Some(binary(And, a.clone(), b.clone()));
    }
    Some(F::binary(Until, without(Or, b, a)?, a.clone()))
}

/// The junction without the operand `part`, if it has it and others.
fn without<A: Clone + PartialEq>(junction: Binary, whole: &F<A>, part: &F<A>) -> Option<F<A>> {
    let mut parts = operands(junction, whole.clone());
    let before = parts.len();
    parts.retain(|found| found != part);
    (parts.len() < before && !parts.is_empty()).then(|| fold(junction, parts))
}

/// `p U (q U r)` is `q U r` if p implies q; `(p U q) U q` is `p U q`; and the same for the others.
fn nested<A: Clone + PartialEq>(op: Binary, a: &F<A>, b: &F<A>) -> Option<F<A>> {
    let holds = matches!(op, Until | WeakUntil | Since | BackTo);
    match (a, b) {
        (_, F::Binary(inner, x, _)) if *inner == op => {
            let swallowed = if holds { implies(a, x) } else { implies(x, a) };
            swallowed.then(|| b.clone())
        }
        (F::Binary(inner, _, y), _) if *inner == op && **y == *b => Some(a.clone()),
        _ => None,
    }
}

/// `X p U X q` is `X (p U q)`; in the past `Y p S Y q` is `Y (p S q)`.
fn stepped<A: Clone + PartialEq>(tense: &Tense, op: Binary, a: &F<A>, b: &F<A>) -> Option<F<A>> {
    match (a, b) {
        (F::Unary(s, x), F::Unary(t, y)) if s == t && *s == tense.step => {
            let exact = tense.step == Next || op == Since;
            exact.then(|| unary(*s, binary(op, (**x).clone(), (**y).clone())))
        }
        _ => None,
    }
}

/// `(p | q) U r` is `p U r` if q implies r; `(p & q) R r` is `p R r` if r implies q.
fn without_needless<A: Clone + PartialEq>(op: Binary, a: F<A>, b: &F<A>) -> F<A> {
    let holds = matches!(op, Until | WeakUntil | Since | BackTo);
    let junction = if holds { Or } else { And };
    let mut parts = operands(junction, a);
    if parts.len() > 1 {
        parts.retain(|part| if holds { !implies(part, b) } else { !implies(b, part) });
    }
    fold(junction, parts)
}

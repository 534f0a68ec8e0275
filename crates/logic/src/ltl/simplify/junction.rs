//! Rules for And and Or, on all operands of a conjunction (or disjunction) at once.

use super::*;
use crate::ltl::implication::{covers, excludes, implies};

/// Beyond this many operands only equal ones are looked for: the pairs become too many.
const PAIRS: usize = 40;

/// The conjunction (or disjunction) of simple formulas.
pub(super) fn join<A: Clone + PartialEq>(op: Binary, parts: Vec<F<A>>) -> F<A> {
    let mut kept: Vec<F<A>> = Vec::new();
    let neutral = F::Constant(op == And);
    for part in parts.into_iter().flat_map(|part| operands(op, part)) {
        if part == F::Constant(op == Or) {
            return part;
        }
        if part != neutral && !kept.contains(&part) {
            kept.push(part);
        }
    }
    if kept.len() > PAIRS {
        return fold(op, kept);
    }
    if (1..kept.len()).any(|at| kept[..at].iter().any(|other| decided(op, other, &kept[at]))) {
        return F::Constant(op == Or);
    }
    absorb(op, &mut kept);
    resolve(op, &mut kept);
    merge(op, &mut kept);
    fold(op, kept)
}

/// `p & q` is false, or `p | q` true.
fn decided<A: Clone + PartialEq>(op: Binary, a: &F<A>, b: &F<A>) -> bool {
    if op == And { excludes(a, b) } else { covers(a, b) }
}

/// In a conjunction with p, what p implies says nothing new; in a disjunction, what implies p.
fn absorb<A: PartialEq>(op: Binary, parts: &mut Vec<F<A>>) {
    let weaker = |a: &F<A>, b: &F<A>| if op == And { implies(a, b) } else { implies(b, a) };
    let mut at = 0;
    while at < parts.len() {
        let (before, rest) = parts.split_at(at);
        let needless = before.iter().chain(&rest[1..]).any(|other| weaker(other, &parts[at]));
        if needless {
            parts.remove(at);
        } else {
            at += 1;
        }
    }
}

/// `p & (!p | q)` is `p & q`, and `p | (!p & q)` is `p | q`.
fn resolve<A: Clone + PartialEq>(op: Binary, parts: &mut [F<A>]) {
    let inner = if op == And { Or } else { And };
    for at in 0..parts.len() {
        let choices = operands(inner, parts[at].clone());
        if choices.len() < 2 {
            continue;
        }
        let useless = |choice: &F<A>| (0..parts.len()).any(|of| of != at && decided(op, &parts[of], choice));
        let useful: Vec<F<A>> = choices.iter().filter(|choice| !useless(choice)).cloned().collect();
        if useful.len() < choices.len() {
            parts[at] = fold(inner, useful);
        }
    }
}

/// Joins pairs of operands into one as long as there are such.
fn merge<A: Clone + PartialEq>(op: Binary, parts: &mut Vec<F<A>>) {
    let mut second = 1;
    while second < parts.len() {
        let found = (0..second).find_map(|first| Some((first, pair(op, &parts[first], &parts[second])?)));
        match found {
            Some((first, joined)) => {
                parts.remove(second);
                parts[first] = joined;
                second = 1;
            }
            None => second += 1,
        }
    }
}

/// One formula for `a op b`.
fn pair<A: Clone + PartialEq>(op: Binary, a: &F<A>, b: &F<A>) -> Option<F<A>> {
    match (a, b) {
        (F::Unary(x, a), F::Unary(y, b)) => unaries(op, *x, a, *y, b),
        (F::Binary(x, p, q), F::Binary(y, r, s)) if x == y => binaries(op, *x, [p, q], [r, s]),
        (F::Unary(x, p), F::Binary(y, q, r)) | (F::Binary(y, q, r), F::Unary(x, p)) => {
            completed(op, (*x, p), (*y, q, r))
        }
        _ => None,
    }
}

fn unaries<A: Clone + PartialEq>(op: Binary, x: Unary, a: &F<A>, y: Unary, b: &F<A>) -> Option<F<A>> {
    let joined = |outer| Some(unary(outer, binary(op, a.clone(), b.clone())));
    match (op, x, y) {
        (_, Next, Next) => joined(Next),
        (_, Previous, Previous) => joined(Previous),
        (_, WeakPrevious, WeakPrevious) => joined(WeakPrevious),
        (And, Previous, WeakPrevious) | (And, WeakPrevious, Previous) => joined(Previous),
        (Or, Previous, WeakPrevious) | (Or, WeakPrevious, Previous) => joined(WeakPrevious),
        (And, Always, Always) | (Or, Eventually, Eventually) => joined(x),
        (And, Historically, Historically) | (Or, Once, Once) => joined(x),
        // F G p & F G q, G F p | G F q
        (And, Eventually, Eventually) | (Or, Always, Always) => match (a, b) {
            (F::Unary(x2, a), F::Unary(y2, b)) if x2 == y2 && [x, *x2].contains(&Always) && x != *x2 => {
                matches!(x2, Always | Eventually)
                    .then(|| unary(x, unary(*x2, binary(op, (**a).clone(), (**b).clone()))))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `p U r & q U r` is `(p & q) U r`; `p U q | p U r` is `p U (q | r)`; and the same for the others.
fn binaries<A: Clone + PartialEq>(op: Binary, x: Binary, a: [&F<A>; 2], b: [&F<A>; 2]) -> Option<F<A>> {
    let on_the_left = match x {
        Until | WeakUntil | Since | BackTo => op == And,
        Release | StrongRelease | Trigger => op == Or,
        _ => return None,
    };
    let inner = |of: usize| binary(op, a[of].clone(), b[of].clone());
    match on_the_left {
        true => (a[1] == b[1]).then(|| binary(x, inner(0), a[1].clone())),
        false => (a[0] == b[0]).then(|| binary(x, a[0].clone(), inner(1))),
    }
}

/// `F q & p W q` is `p U q`, `G p | p U q` is `p W q`, and their kin.
fn completed<A: Clone + PartialEq>(
    op: Binary,
    (x, p): (Unary, &F<A>),
    (y, q, r): (Binary, &F<A>, &F<A>),
) -> Option<F<A>> {
    let (operand, result) = match (op, x, y) {
        (And, Eventually, WeakUntil) => (r, Until),
        (And, Eventually, Release) => (q, StrongRelease),
        (Or, Always, Until) => (q, WeakUntil),
        (Or, Always, StrongRelease) => (r, Release),
        (And, Once, BackTo) => (r, Since),
        (Or, Historically, Since) => (q, BackTo),
        _ => return None,
    };
    (operand == p).then(|| F::binary(result, q.clone(), r.clone()))
}

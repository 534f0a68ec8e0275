//! Rules for X, F, G, Y, Z, O, H.

use super::*;
use crate::ltl::implication::{is_eventual, is_universal};

/// `X a`
pub(super) fn next<A: Clone + PartialEq>(a: F<A>) -> F<A> {
    match a {
        F::Unary(Previous | WeakPrevious, b) => *b,
        a if is_timeless(&a) => a,
        a => F::unary(Next, a),
    }
}

/// `Y a` or `Z a`
pub(super) fn previous<A: Clone + PartialEq>(op: Unary, a: F<A>) -> F<A> {
    match a {
        F::Constant(c) if c == (op == WeakPrevious) => a,
        a => F::unary(op, a),
    }
}

/// F, G, O or H: the operator with those around it.
struct Modal {
    op: Unary,
    /// The junction it distributes over: F over Or, G over And.
    over: Binary,
    /// `F (p U q)` is `F q`; `G (p R q)` is `G q`.
    drops: Binary,
    /// `F (p M q)` is `F (p & q)`; `G (p W q)` is `G (p | q)`.
    joins: Option<Binary>,
    /// Steps that change places with it: `F X p` is `X F p`.
    step: Unary,
    /// Steps that decide it: `O Z p` is true, for it is true at the start.
    decides: Option<Unary>,
}

fn modal_of(op: Unary) -> Modal {
    let modal = |over, drops, joins, step, decides| Modal { op, over, drops, joins, step, decides };
    match op {
        Eventually => modal(Or, Until, Some(StrongRelease), Next, None),
        Always => modal(And, Release, Some(WeakUntil), Next, None),
        Once => modal(Or, Since, None, Previous, Some(WeakPrevious)),
        _ => modal(And, Trigger, Some(BackTo), WeakPrevious, Some(Previous)),
    }
}

/// `F a`, `G a`, `O a` or `H a`
pub(super) fn modal<A: Clone + PartialEq>(op: Unary, a: F<A>) -> F<A> {
    let modal = modal_of(op);
    let stable = match op {
        Eventually | Historically => is_eventual(&a),
        _ => is_universal(&a),
    };
    match a {
        a if stable => a,
        F::Unary(step, b) if step == modal.step => unary(step, unary(op, *b)),
        F::Unary(step, _) if Some(step) == modal.decides => F::Constant(op == Once),
        F::Unary(inner, b) if reversed(op, inner) => infinitely(op, inner, *b),
        F::Binary(drops, _, b) if drops == modal.drops => unary(op, *b),
        F::Binary(joins, b, c) if Some(joins) == modal.joins => {
            let meet = if modal.over == Or { And } else { Or };
            unary(op, binary(meet, *b, *c))
        }
        F::Binary(junction @ (And | Or), ..) => through(&modal, junction, a),
        a => F::unary(op, a),
    }
}

/// F around G, or G around F.
fn reversed(outer: Unary, inner: Unary) -> bool {
    matches!((outer, inner), (Eventually, Always) | (Always, Eventually))
}

/// The operator over a junction: what does not depend on time comes out; inside its own junction
/// `F (p | F q)` is `F (p | q)`.
fn through<A: Clone + PartialEq>(modal: &Modal, junction: Binary, a: F<A>) -> F<A> {
    let (mut outside, inside): (Vec<_>, Vec<_>) =
        operands(junction, a).into_iter().partition(|part| is_timeless(part));
    let strip = |part: F<A>| match part {
        F::Unary(op, b) if op == modal.op => *b,
        F::Binary(drops, _, b) if drops == modal.drops => *b,
        part => part,
    };
    let inside = match junction == modal.over {
        true => inside.into_iter().map(strip).collect(),
        false => inside,
    };
    if !inside.is_empty() {
        outside.push(F::unary(modal.op, fold(junction, inside)));
    }
    fold(junction, outside)
}

/// `G F a` or `F G a`: only what comes again and again matters, so steps and waits inside do not.
fn infinitely<A: Clone + PartialEq>(outer: Unary, inner: Unary, a: F<A>) -> F<A> {
    let (junction, drops) = if inner == Eventually { (Or, Until) } else { (And, Release) };
    let parts = operands(junction, a).into_iter().map(|part| tail(inner, drops, part)).collect();
    let inside = match unary(inner, fold(junction, parts)) {
        F::Unary(found, b) if found == inner => F::unary(inner, *b),
        // The inner operator has gone, or something came out of it.
        other => return if is_timeless(&other) { other } else { F::unary(outer, other) },
    };
    F::unary(outer, inside)
}

fn tail<A>(inner: Unary, drops: Binary, part: F<A>) -> F<A> {
    match part {
        F::Unary(Next | Previous | WeakPrevious, b) => tail(inner, drops, *b),
        F::Unary(op, b) if op == inner => tail(inner, drops, *b),
        F::Binary(op, _, b) if op == drops => tail(inner, drops, *b),
        part => part,
    }
}

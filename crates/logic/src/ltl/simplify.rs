//! Smaller formulas of the same meaning, by rewriting.
//!
//! [`simplify`] brings a formula into negation normal form and applies, from the leaves up and
//! until nothing changes, the rules of Etessami and Holzmann (2000) and Somenzi and Bloem (2000)
//! with the mirrors of all of them in the past: constants, idempotence, absorption and
//! contradiction by [`implies`](super::implication), joined operands (`G p & G q` is `G (p & q)`),
//! one operator through another (`F (p U q)` is `F q`, `G F X p` is `G F p`). The result is equal
//! at every position of every word, not only at the first, and never larger than the negation
//! normal form.
//!
//! The files: `unary` for those before one operand, `junction` for And and Or, `wait` for the
//! binary temporal operators. Rules come in dual pairs, F and G, And and Or; one text serves both,
//! with the pair as a parameter.

mod junction;
mod unary;
mod wait;

use super::implication::is_timeless;
use super::normal::normal_form;
use super::{Binary, Formula, Unary};

use {Binary::*, Formula as F, Unary::*};

/// More rounds than any formula has needed; the bound is for safety.
const ROUNDS: usize = 20;

/// An equivalent formula in negation normal form, usually smaller.
pub fn simplify<A: Clone + PartialEq>(formula: &Formula<A>) -> Formula<A> {
    let mut formula = normal_form(formula);
    for _ in 0..ROUNDS {
        let next = pass(&formula);
        if next == formula {
            break;
        }
        formula = next;
    }
    formula
}

/// A formula with the same truth at the first position of every word, where the past is short.
pub fn simplify_at_start<A: Clone + PartialEq>(formula: &Formula<A>) -> Formula<A> {
    let simple = simplify(formula);
    let start = at_start(&simple);
    if start == simple { simple } else { simplify_at_start(&start) }
}

fn at_start<A: Clone>(formula: &F<A>) -> F<A> {
    match formula {
        F::Unary(Previous, _) => F::FALSE,
        F::Unary(WeakPrevious, _) => F::TRUE,
        F::Unary(Once | Historically, a) => at_start(a),
        F::Binary(Since | Trigger, _, b) => at_start(b),
        F::Binary(BackTo, a, b) => F::binary(Or, at_start(a), at_start(b)),
        F::Binary(op @ (And | Or), a, b) => F::binary(*op, at_start(a), at_start(b)),
        _ => formula.clone(),
    }
}

fn pass<A: Clone + PartialEq>(formula: &F<A>) -> F<A> {
    match formula {
        F::Constant(_) | F::Atom(_) | F::Unary(Not, _) => formula.clone(),
        F::Unary(op, a) => unary(*op, pass(a)),
        F::Binary(op, a, b) => binary(*op, pass(a), pass(b)),
    }
}

/// `op a`, with `a` simple.
fn unary<A: Clone + PartialEq>(op: Unary, a: F<A>) -> F<A> {
    match op {
        Next => unary::next(a),
        Eventually | Always | Once | Historically => unary::modal(op, a),
        Previous | WeakPrevious => unary::previous(op, a),
        Not => F::negation(a),
    }
}

/// `a op b`, with both simple.
fn binary<A: Clone + PartialEq>(op: Binary, a: F<A>, b: F<A>) -> F<A> {
    match op {
        And | Or => junction::join(op, vec![a, b]),
        _ => wait::wait(op, a, b),
    }
}

/// The operands of nested conjunctions (or disjunctions), from left to right.
fn operands<A>(op: Binary, formula: F<A>) -> Vec<F<A>> {
    match formula {
        F::Binary(found, a, b) if found == op => {
            let mut all = operands(op, *a);
            all.extend(operands(op, *b));
            all
        }
        other => vec![other],
    }
}

/// The conjunction (or disjunction) of simple operands, as it is.
fn fold<A>(op: Binary, parts: Vec<F<A>>) -> F<A> {
    parts.into_iter().reduce(|a, b| F::binary(op, a, b)).unwrap_or(F::Constant(op == And))
}

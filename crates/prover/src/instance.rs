//! Conditions about N processes for a small N: bounded quantifiers become conjunctions and
//! disjunctions.
//!
//! A countermodel of an instance is one of the condition itself, with that N. This is how invalid
//! conditions with quantifiers are refuted, which solvers are slow at; validity is never concluded
//! from it.

use crate::condition::{Condition, Lemma};
use logic::fol::{Binder, Op, Quantifier, Sort, Symbol, Term};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

/// No quantifier is expanded to more instances than this.
const INSTANCES: i64 = 8;

/// The numbers that bound quantifiers, in a condition and in what is assumed with it.
pub(crate) fn bounding(condition: &Condition, assumptions: &[Term]) -> Vec<Symbol> {
    let mut found = BTreeSet::new();
    let lemmas = condition.background.iter().map(|l| &l.formula);
    for e in [&condition.given, &condition.goal].into_iter().chain(lemmas).chain(assumptions) {
        collect(e, &mut found);
    }
    found.into_iter().collect()
}

fn collect(e: &Term, found: &mut BTreeSet<Symbol>) {
    match (e.op(), e.arguments()) {
        (Op::Quantified(_, binders), [body]) => {
            for (low, high) in binders.iter().filter_map(|b| b.range.as_ref()) {
                let symbols = low.symbols().into_values().chain(high.symbols().into_values());
                found.extend(symbols.filter(|s| s.sort == Sort::Int));
            }
            found.retain(|s| !binders.iter().any(|b| b.symbol == *s));
            collect(body, found);
        }
        (_, parts) => parts.iter().for_each(|p| collect(p, found)),
    }
}

/// The condition with a value for a symbol, its quantifiers expanded.
pub(crate) fn instance(condition: &Condition, symbol: &Symbol, value: i64) -> Condition {
    let at = |e: &Term| at_value(e, symbol, value);
    let fixed = Term::eq(symbol.term(), Term::int(value));
    let lemma = |l: &Lemma| Lemma { name: l.name.clone(), formula: at(&l.formula) };
    Condition {
        name: condition.name.clone(),
        given: Term::all([fixed, at(&condition.given)]),
        goal: at(&condition.goal),
        transition: condition.transition.clone(),
        after: condition.after.clone(),
        background: condition.background.iter().map(lemma).collect(),
    }
}

/// A formula with a value for a symbol, its quantifiers expanded.
pub(crate) fn at_value(e: &Term, symbol: &Symbol, value: i64) -> Term {
    expand(&e.substitute(&|s| (s == symbol).then(|| Term::int(value))))
}

/// Expands quantifiers whose bounds are numbers.
fn expand(e: &Term) -> Term {
    match (e.op(), e.arguments()) {
        (Op::Quantified(quantifier, binders), [body]) => expand_binders(*quantifier, binders, body),
        (_, []) => e.clone(),
        (op, parts) => folded(op, parts.iter().map(expand).collect()),
    }
}

fn expand_binders(quantifier: Quantifier, binders: &[Binder], body: &Term) -> Term {
    let Some((first, rest)) = binders.split_first() else { return expand(body) };
    let number = |e: &Term| match expand(e).op() {
        Op::Int(n) => n.to_i64(),
        _ => None,
    };
    let range = first.range.as_ref().and_then(|(low, high)| Some((number(low)?, number(high)?)));
    match range {
        Some((low, high)) if high - low < INSTANCES => {
            let each = (low..=high).map(|value| {
                let at = |e: &Term| e.substitute(&|s| (*s == first.symbol).then(|| Term::int(value)));
                let rest: Vec<Binder> = rest
                    .iter()
                    .map(|b| Binder {
                        symbol: b.symbol.clone(),
                        range: b.range.as_ref().map(|(l, h)| (at(l), at(h))),
                    })
                    .collect();
                expand_binders(quantifier, &rest, &at(body))
            });
            match quantifier {
                Quantifier::Forall => Term::all(each.collect::<Vec<_>>()),
                Quantifier::Exists => Term::any(each.collect::<Vec<_>>()),
            }
        }
        _ => {
            let inner = expand_binders(quantifier, rest, body);
            let binders = vec![first.clone()];
            match quantifier {
                Quantifier::Forall => Term::every(binders, inner),
                Quantifier::Exists => Term::some(binders, inner),
            }
        }
    }
}

/// Sums and differences of numbers are numbers.
fn folded(op: &Op, parts: Vec<Term>) -> Term {
    let numbers: Option<Vec<&BigInt>> =
        parts.iter().map(|p| if let Op::Int(n) = p.op() { Some(n) } else { None }).collect();
    match (op, numbers.as_deref()) {
        (Op::Add, Some(numbers)) => Term::int(numbers.iter().copied().sum::<BigInt>()),
        (Op::Subtract, Some([a, b])) => Term::int(*a - *b),
        _ => Term::tidied(op.clone(), parts),
    }
}

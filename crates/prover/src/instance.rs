//! Conditions about N processes for a small N: bounded quantifiers become conjunctions and disjunctions.
//!
//! A countermodel of an instance is one of the condition itself, with that N. This is how invalid conditions with quantifiers are
//! refuted, which solvers are slow at; validity is never concluded from it.

use crate::condition::{Condition, Lemma};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::BTreeSet;
use system::fts::{Binder, Expr, Op, Quantifier, Sort, Symbol};

/// No quantifier is expanded to more instances than this.
const INSTANCES: i64 = 8;

/// The numbers that bound quantifiers, in a condition and in what is assumed with it.
pub fn bounding(condition: &Condition, assumptions: &[Expr]) -> Vec<Symbol> {
    let mut found = BTreeSet::new();
    let lemmas = condition.background.iter().map(|l| &l.formula);
    for e in [&condition.given, &condition.goal].into_iter().chain(lemmas).chain(assumptions) {
        collect(e, &mut found);
    }
    found.into_iter().collect()
}

fn collect(e: &Expr, found: &mut BTreeSet<Symbol>) {
    match e {
        Expr::Apply(_, parts) | Expr::Call(_, parts) => parts.iter().for_each(|p| collect(p, found)),
        Expr::Quantified(_, binders, body) => {
            for (low, high) in binders.iter().filter_map(|b| b.range.as_deref()) {
                let symbols = low.symbols().into_values().chain(high.symbols().into_values());
                found.extend(symbols.filter(|s| s.sort == Sort::Int));
            }
            found.retain(|s| !binders.iter().any(|b| b.symbol == *s));
            collect(body, found);
        }
        _ => {}
    }
}

/// The condition with a value for a symbol, its quantifiers expanded.
pub fn instance(condition: &Condition, symbol: &Symbol, value: i64) -> Condition {
    let at = |e: &Expr| at_value(e, symbol, value);
    let fixed = Expr::eq(symbol.expr(), Expr::int(value));
    let lemma = |l: &Lemma| Lemma { name: l.name.clone(), formula: at(&l.formula) };
    Condition {
        name: condition.name.clone(),
        given: Expr::and([fixed, at(&condition.given)]),
        goal: at(&condition.goal),
        transition: condition.transition.clone(),
        background: condition.background.iter().map(lemma).collect(),
    }
}

/// A formula with a value for a symbol, its quantifiers expanded.
pub fn at_value(e: &Expr, symbol: &Symbol, value: i64) -> Expr {
    expand(&e.substitute(&|s| (s == symbol).then(|| Expr::int(value))))
}

/// Expands quantifiers whose bounds are numbers.
fn expand(e: &Expr) -> Expr {
    match e {
        Expr::Apply(op, parts) => folded(*op, parts.iter().map(expand).collect()),
        Expr::Call(f, parts) => Expr::Call(f.clone(), parts.iter().map(expand).collect()),
        Expr::Quantified(quantifier, binders, body) => expand_binders(*quantifier, binders, body),
        e => e.clone(),
    }
}

fn expand_binders(quantifier: Quantifier, binders: &[Binder], body: &Expr) -> Expr {
    let Some((first, rest)) = binders.split_first() else { return expand(body) };
    let number = |e: &Expr| match expand(e) {
        Expr::Int(n) => n.to_i64(),
        _ => None,
    };
    let range = first.range.as_deref().and_then(|(low, high)| Some((number(low)?, number(high)?)));
    match range {
        Some((low, high)) if high - low < INSTANCES => {
            let each = (low..=high).map(|value| {
                let at = |e: &Expr| e.substitute(&|s| (*s == first.symbol).then(|| Expr::int(value)));
                let rest: Vec<Binder> = rest
                    .iter()
                    .map(|b| Binder {
                        symbol: b.symbol.clone(),
                        range: b.range.as_deref().map(|(l, h)| Box::new((at(l), at(h)))),
                    })
                    .collect();
                expand_binders(quantifier, &rest, &at(body))
            });
            match quantifier {
                Quantifier::Forall => Expr::and(each.collect::<Vec<_>>()),
                Quantifier::Exists => Expr::or(each.collect::<Vec<_>>()),
            }
        }
        _ => {
            let inner = expand_binders(quantifier, rest, body);
            let binders = vec![first.clone()];
            match quantifier {
                Quantifier::Forall => Expr::forall(binders, inner),
                Quantifier::Exists => Expr::exists(binders, inner),
            }
        }
    }
}

/// Sums and differences of numbers are numbers.
fn folded(op: Op, parts: Vec<Expr>) -> Expr {
    let numbers: Option<Vec<&BigInt>> =
        parts.iter().map(|p| if let Expr::Int(n) = p { Some(n) } else { None }).collect();
    match (op, numbers.as_deref()) {
        (Op::Add, Some(numbers)) => Expr::Int(numbers.iter().copied().sum()),
        (Op::Subtract, Some([a, b])) => Expr::Int(*a - *b),
        _ => Expr::rebuild(op, parts),
    }
}

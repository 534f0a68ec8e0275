//! Replaces symbols in a formula, by hand: names to terms, bound names renamed only where they
//! would catch something.

use logic::fol::{Binder, Op, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What names become.
pub(super) type Replacement = BTreeMap<Arc<str>, Term>;

pub(super) fn replace(e: &Term, by: &Replacement) -> Term {
    let brought: BTreeSet<Arc<str>> = by.values().flat_map(|e| e.symbols().into_keys()).collect();
    walk(e, by, &brought)
}

fn walk(e: &Term, by: &Replacement, brought: &BTreeSet<Arc<str>>) -> Term {
    let each = |parts: &[Term]| parts.iter().map(|p| walk(p, by, brought)).collect::<Vec<_>>();
    match (e.op(), e.arguments()) {
        (Op::Apply(s), []) => by.get(&s.name).cloned().unwrap_or_else(|| e.clone()),
        (Op::Quantified(quantifier, binders), [body]) => {
            let (mut inner, mut fresh) = (by.clone(), Vec::new());
            for binder in binders {
                let symbol = free_name(&binder.symbol, brought, body);
                inner.remove(&binder.symbol.name);
                if symbol != binder.symbol {
                    inner.insert(binder.symbol.name.clone(), symbol.term());
                }
                fresh.push(symbol);
            }
            let bounds = |b: &Binder| {
                let (low, high) = b.range.as_ref()?;
                Some((walk(low, &inner, brought), walk(high, &inner, brought)))
            };
            let named = binders.iter().zip(fresh);
            let binders = named.map(|(b, symbol)| Binder { symbol, range: bounds(b) }).collect();
            Term::quantified(*quantifier, binders, &walk(body, &inner, brought))
        }
        (op, parts) => Term::tidied(op.clone(), each(parts)),
    }
}

/// A name for a bound variable that neither what is brought in nor the body has.
fn free_name(symbol: &Symbol, brought: &BTreeSet<Arc<str>>, body: &Term) -> Symbol {
    if !brought.contains(&symbol.name) {
        return symbol.clone();
    }
    let inside = body.symbols();
    let names = (1u64..).map(|n| format!("{}#{n}", symbol.name));
    let name = names.into_iter().find(|n| !brought.contains(n.as_str()) && !inside.contains_key(n.as_str()));
    Symbol::constant(name.unwrap_or_default(), symbol.sort.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::fol::Sort;

    #[test]
    fn nothing_is_caught() {
        let (x, y) = (Symbol::constant("x", Sort::Int), Symbol::constant("y", Sort::Int));
        let all = Term::every(vec![Binder::free(x.clone())], Term::lt(x.term(), y.term()));
        let by = Replacement::from([("y".into(), x.term())]);
        assert_eq!(replace(&all, &by).to_string(), "Forall x#1. x#1 < x");
        let by = Replacement::from([("x".into(), y.term())]);
        assert_eq!(replace(&all, &by), all);
    }
}

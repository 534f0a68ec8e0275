//! Replaces symbols in a formula, by hand: names to terms, bound names renamed only where they would catch something.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use system::fts::{Binder, Expr, Symbol};

/// What names become.
pub(super) type Replacement = BTreeMap<Arc<str>, Expr>;

pub(super) fn replace(e: &Expr, by: &Replacement) -> Expr {
    let brought: BTreeSet<Arc<str>> = by.values().flat_map(|e| e.symbols().into_keys()).collect();
    walk(e, by, &brought)
}

fn walk(e: &Expr, by: &Replacement, brought: &BTreeSet<Arc<str>>) -> Expr {
    let each = |parts: &[Expr]| parts.iter().map(|p| walk(p, by, brought)).collect::<Vec<_>>();
    match e {
        Expr::Symbol(s) => by.get(&s.name).cloned().unwrap_or_else(|| e.clone()),
        Expr::Apply(op, parts) => Expr::rebuild(*op, each(parts)),
        Expr::Call(f, parts) => Expr::Call(f.clone(), each(parts)),
        Expr::Quantified(quantifier, binders, body) => {
            let (mut inner, mut fresh) = (by.clone(), Vec::new());
            for binder in binders {
                let symbol = free_name(&binder.symbol, brought, body);
                inner.remove(&binder.symbol.name);
                if symbol != binder.symbol {
                    inner.insert(binder.symbol.name.clone(), symbol.expr());
                }
                fresh.push(symbol);
            }
            let bounds = |b: &Binder| {
                let (low, high) = b.range.as_deref()?;
                Some(Box::new((walk(low, &inner, brought), walk(high, &inner, brought))))
            };
            let named = binders.iter().zip(fresh);
            let binders = named.map(|(b, symbol)| Binder { symbol, range: bounds(b) }).collect();
            Expr::Quantified(*quantifier, binders, Box::new(walk(body, &inner, brought)))
        }
        other => other.clone(),
    }
}

/// A name for a bound variable that neither what is brought in nor the body has.
fn free_name(symbol: &Symbol, brought: &BTreeSet<Arc<str>>, body: &Expr) -> Symbol {
    if !brought.contains(&symbol.name) {
        return symbol.clone();
    }
    let inside = body.symbols();
    let names = (1u64..).map(|n| format!("{}#{n}", symbol.name));
    let name = names.into_iter().find(|n| !brought.contains(n.as_str()) && !inside.contains_key(n.as_str()));
    Symbol::new(name.unwrap_or_default(), symbol.sort.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::fts::Sort;

    #[test]
    fn nothing_is_caught() {
        let (x, y) = (Symbol::new("x", Sort::Int), Symbol::new("y", Sort::Int));
        let all = Expr::forall(vec![Binder::free(x.clone())], Expr::lt(x.expr(), y.expr()));
        let by = Replacement::from([("y".into(), x.expr())]);
        assert_eq!(replace(&all, &by).to_string(), "Forall x#1. x#1 < x");
        let by = Replacement::from([("x".into(), y.expr())]);
        assert_eq!(replace(&all, &by), all);
    }
}

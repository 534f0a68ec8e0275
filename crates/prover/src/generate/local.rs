//! Local invariants: "whenever control is at these locations, the value of x is so".
//!
//! Candidates are templates: for every thread and every data variable, at each location and everywhere, the variable equals a
//! constant of the program, is not below it, is not above it; for replicated processes the same for each replica and its
//! element of an array. Most are wrong; those that are inductive together remain.

use num_bigint::BigInt;
use std::collections::BTreeSet;
use system::fts::{Binder, Domain, Expr, Fts, Mode, Op, Parameter, Sort, Symbol, Thread};

/// No more constants than this are tried.
const CONSTANTS: usize = 6;

pub fn candidates(fts: &Fts) -> Vec<Expr> {
    let constants = constants(fts);
    let mut found = Vec::new();
    found.extend(fts.variables.iter().filter_map(|v| range(fts, &v.symbol, v.range.as_ref()?)));
    for variable in fts.variables.iter().filter(|v| v.mode != Mode::Control) {
        match &variable.symbol.sort {
            Sort::Array(element) => {
                let Some(Domain::Array { low, high, .. }) = &variable.range else { continue };
                let index = index(fts);
                let of = Expr::select(variable.symbol.expr(), index.expr());
                for claim in claims(&of, element, &constants) {
                    found.push(each(&index, low, high, claim));
                }
            }
            sort => found.extend(claims(&variable.symbol.expr(), sort, &constants)),
        }
    }
    for thread in &fts.threads {
        found.extend(at_locations(fts, thread, &constants));
    }
    found
}

/// An index that is no variable of the program.
fn index(fts: &Fts) -> Symbol {
    Symbol::new(if fts.variable("i").is_some() { "i!" } else { "i" }, Sort::Int)
}

/// That every control variable and every variable of a bounded type stays within its bounds.
fn range(fts: &Fts, symbol: &Symbol, domain: &Domain) -> Option<Expr> {
    match domain {
        Domain::Range { low, high } => {
            Some(Expr::and([Expr::le(low.clone(), symbol.expr()), Expr::le(symbol.expr(), high.clone())]))
        }
        Domain::Array { low, high, element: Some(element) } if matches!(**element, Domain::Range { .. }) => {
            let Domain::Range { low: least, high: most } = &**element else { return None };
            let index = index(fts);
            let of = Expr::select(symbol.expr(), index.expr());
            let inside = Expr::and([Expr::le(least.clone(), of.clone()), Expr::le(of, most.clone())]);
            Some(each(&index, low, high, inside))
        }
        // Arrays of arrays, lists, fields of datatypes.
        other => Some(other.contains(&symbol.expr())).filter(|e| *e != Expr::TRUE),
    }
}

fn each(index: &Symbol, low: &Expr, high: &Expr, claim: Expr) -> Expr {
    let range = Some(Box::new((low.clone(), high.clone())));
    Expr::forall(vec![Binder { symbol: index.clone(), range }], claim)
}

fn claims(of: &Expr, sort: &Sort, constants: &[BigInt]) -> Vec<Expr> {
    match sort {
        Sort::Bool => vec![of.clone(), Expr::negation(of.clone())],
        Sort::Enumeration(_, values) => {
            let value = |at: usize| Expr::Constant(sort.clone(), at);
            let is = (0..values.len()).map(|at| Expr::eq(of.clone(), value(at)));
            let is_not = (0..values.len()).map(|at| Expr::negation(Expr::eq(of.clone(), value(at))));
            is.chain(is_not).collect()
        }
        Sort::Int => constants
            .iter()
            .flat_map(|c| {
                let c = Expr::Int(c.clone());
                [Expr::eq(of.clone(), c.clone()), Expr::le(c.clone(), of.clone()), Expr::le(of.clone(), c)]
            })
            .collect(),
        Sort::Sequence(_) => claims(&Expr::Apply(Op::Length, vec![of.clone()]), &Sort::Int, constants),
        Sort::Data(data) => (0..data.constructors.len()).map(|n| Expr::is(of.clone(), n)).collect(),
        _ => Vec::new(),
    }
}

fn at_locations(fts: &Fts, thread: &Thread, constants: &[BigInt]) -> Vec<Expr> {
    let mut found = Vec::new();
    // Replicas of replicas are left alone.
    if matches!(&thread.control.sort, Sort::Array(element) if **element != Sort::Int) {
        return found;
    }
    for (at, _) in thread.locations.iter().enumerate() {
        let number = Expr::int(at as i64);
        for variable in fts.variables.iter().filter(|v| v.mode != Mode::Control) {
            match (&thread.replicated, &variable.symbol.sort) {
                (Some(Parameter { low, high, .. }), Sort::Array(element)) => {
                    let index = index(fts);
                    let here = Expr::eq(Expr::select(thread.control.expr(), index.expr()), number.clone());
                    let of = Expr::select(variable.symbol.expr(), index.expr());
                    for claim in claims(&of, element, constants) {
                        found.push(each(&index, low, high, Expr::implies(here.clone(), claim)));
                    }
                }
                (None, sort) => {
                    let here = Expr::eq(thread.control.expr(), number.clone());
                    for claim in claims(&variable.symbol.expr(), sort, constants) {
                        found.push(Expr::implies(here.clone(), claim));
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// 0, 1 and the constants that the program assigns or compares data with, small ones first.
fn constants(fts: &Fts) -> Vec<BigInt> {
    let mut found = BTreeSet::from([BigInt::from(0), BigInt::from(1)]);
    let control = |name: &str| fts.threads.iter().any(|t| &*t.control.name == name);
    for branch in fts.transitions.iter().flat_map(|t| &t.branches) {
        for (symbol, value) in &branch.updates {
            if !control(&symbol.name) {
                numbers(value, &mut found);
            }
        }
    }
    for conjunct in fts.initial.conjuncts() {
        if !conjunct.symbols().keys().any(|name| control(name)) {
            numbers(&conjunct, &mut found);
        }
    }
    let mut found: Vec<BigInt> = found.into_iter().collect();
    found.sort_by_key(|n| n.magnitude().clone());
    found.truncate(CONSTANTS);
    found
}

fn numbers(e: &Expr, found: &mut BTreeSet<BigInt>) {
    match e {
        Expr::Int(n) => drop(found.insert(n.clone())),
        Expr::Apply(_, parts) | Expr::Call(_, parts) => parts.iter().for_each(|p| numbers(p, found)),
        Expr::Quantified(_, _, body) => numbers(body, found),
        _ => {}
    }
}

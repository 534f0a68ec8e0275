//! Local invariants: "whenever control is at these locations, the value of x is so".
//!
//! Candidates are templates: for every thread and every data variable, at each location and
//! everywhere, the variable equals a constant of the program, is not below it, is not above it; for
//! replicated processes the same for each replica and its element of an array. Most are wrong;
//! those that are inductive together remain.

use logic::fol::{Binder, Op, Sort, Symbol, Term};
use num_bigint::BigInt;
use std::collections::BTreeSet;
use system::fts::{Domain, Fts, Mode, Parameter, Thread};

/// No more constants than this are tried.
const CONSTANTS: usize = 6;

/// Templates that may be invariants; most are not, and Houdini drops them.
pub fn candidates(fts: &Fts) -> Vec<Term> {
    let constants = constants(fts);
    let mut found = Vec::new();
    found.extend(fts.variables.iter().filter_map(|v| range(fts, &v.symbol, v.range.as_ref()?)));
    for variable in fts.variables.iter().filter(|v| v.mode != Mode::Control) {
        match &variable.symbol.sort {
            Sort::Array(_, element) => {
                let Some(Domain::Array { low, high, .. }) = &variable.range else { continue };
                let index = index(fts);
                let of = variable.symbol.term().select(&index.term());
                for claim in claims(&of, element, &constants) {
                    found.push(each(&index, low, high, claim));
                }
            }
            sort => found.extend(claims(&variable.symbol.term(), sort, &constants)),
        }
    }
    for thread in &fts.threads {
        found.extend(at_locations(fts, thread, &constants));
    }
    found
}

/// An index that is no variable of the program.
pub(super) fn index(fts: &Fts) -> Symbol {
    Symbol::constant(if fts.variable("i").is_some() { "i!" } else { "i" }, Sort::Int)
}

/// That every control variable and every variable of a bounded type stays within its bounds.
fn range(fts: &Fts, symbol: &Symbol, domain: &Domain) -> Option<Term> {
    match domain {
        Domain::Range { low, high } => {
            Some(Term::all([Term::le(low.clone(), symbol.term()), Term::le(symbol.term(), high.clone())]))
        }
        Domain::Array { low, high, element: Some(element) } if matches!(**element, Domain::Range { .. }) => {
            let Domain::Range { low: least, high: most } = &**element else { return None };
            let index = index(fts);
            let of = symbol.term().select(&index.term());
            let inside = Term::all([Term::le(least.clone(), of.clone()), Term::le(of, most.clone())]);
            Some(each(&index, low, high, inside))
        }
        // Arrays of arrays, lists, fields of datatypes.
        other => Some(other.contains(&symbol.term())).filter(|e| *e != Term::truth(true)),
    }
}

fn each(index: &Symbol, low: &Term, high: &Term, claim: Term) -> Term {
    let range = Some((low.clone(), high.clone()));
    Term::every(vec![Binder { symbol: index.clone(), range }], claim)
}

fn claims(of: &Term, sort: &Sort, constants: &[BigInt]) -> Vec<Term> {
    match sort {
        Sort::Bool => vec![of.clone(), Term::negation(of.clone())],
        Sort::Data(data) if data.is_enumeration() => {
            let value = |at: usize| Term::construct(sort, at, []);
            let values = data.constructors.len();
            let is = (0..values).map(|at| Term::eq(of.clone(), value(at)));
            let is_not = (0..values).map(|at| Term::negation(Term::eq(of.clone(), value(at))));
            is.chain(is_not).collect()
        }
        Sort::Int => constants
            .iter()
            .flat_map(|c| {
                let c = Term::int(c.clone());
                [Term::eq(of.clone(), c.clone()), Term::le(c.clone(), of.clone()), Term::le(of.clone(), c)]
            })
            .collect(),
        Sort::Sequence(_) => claims(&of.length(), &Sort::Int, constants),
        Sort::Data(data) => (0..data.constructors.len()).map(|n| Term::made_by(of, n)).collect(),
        _ => Vec::new(),
    }
}

fn at_locations(fts: &Fts, thread: &Thread, constants: &[BigInt]) -> Vec<Term> {
    let mut found = Vec::new();
    // Replicas of replicas are left alone.
    if matches!(&thread.control.sort, Sort::Array(_, element) if **element != Sort::Int) {
        return found;
    }
    for (at, _) in thread.locations.iter().enumerate() {
        let number = Term::int(at as i64);
        for variable in fts.variables.iter().filter(|v| v.mode != Mode::Control) {
            match (&thread.replicated, &variable.symbol.sort) {
                (Some(Parameter { low, high, .. }), Sort::Array(_, element)) => {
                    let index = index(fts);
                    let here = Term::eq(thread.control.term().select(&index.term()), number.clone());
                    let of = variable.symbol.term().select(&index.term());
                    for claim in claims(&of, element, constants) {
                        found.push(each(&index, low, high, Term::implication(here.clone(), claim)));
                    }
                }
                (None, sort) => {
                    let here = Term::eq(thread.control.term(), number.clone());
                    for claim in claims(&variable.symbol.term(), sort, constants) {
                        found.push(Term::implication(here.clone(), claim));
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// 0, 1 and the constants that the program assigns or compares data with, small ones first.
pub(crate) fn constants(fts: &Fts) -> Vec<BigInt> {
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

fn numbers(e: &Term, found: &mut BTreeSet<BigInt>) {
    if let Op::Int(n) = e.op() {
        found.insert(n.clone());
    }
    e.arguments().iter().for_each(|part| numbers(part, found));
}

//! Templates over two things at once: two locations that exclude each other, two variables and how
//! they compare, everywhere and at each location; of replicas, what two of them have at the same
//! time.
//!
//! There are many of them, so they are proposed only where nothing else helps; reachable states
//! drop most, [`houdini`](crate::houdini) keeps what is inductive together, with the property
//! itself among the candidates.

use super::sample;
use logic::fol::{Binder, Sort, Symbol, Term};
use system::fts::{Domain, Fts, Mode, Parameter, Thread};

/// No more variables than this are compared with each other.
const VARIABLES: usize = 8;
/// No more candidates than this are tried.
const MOST: usize = 4_000;

/// The templates that no sampled state refutes.
pub fn candidates(fts: &Fts) -> Vec<Term> {
    let mut found = comparisons(fts);
    let threads: Vec<&Thread> = fts.threads.iter().filter(|t| depth(&t.control.sort) <= 1).collect();
    for (at, a) in threads.iter().enumerate() {
        for (more, b) in threads[at..].iter().enumerate() {
            found.extend(together(fts, a, b, more == 0));
        }
    }
    let everywhere = comparisons(fts);
    for thread in threads.iter().filter(|t| t.replicated.is_none()) {
        for location in 0..thread.locations.len() {
            let here = Term::eq(thread.control.term(), Term::int(location as i64));
            found.extend(everywhere.iter().map(|c| Term::implication(here.clone(), c.clone())));
        }
    }
    for thread in threads.iter().filter(|t| t.replicated.is_some()) {
        found.extend(of_two_replicas(fts, thread));
    }
    found.truncate(MOST);
    sample::survivors(fts, found)
}

fn depth(sort: &Sort) -> usize {
    if let Sort::Array(_, element) = sort { 1 + depth(element) } else { 0 }
}

/// How two variables of one sort compare.
fn comparisons(fts: &Fts) -> Vec<Term> {
    let data: Vec<&Symbol> =
        fts.variables.iter().filter(|v| v.mode != Mode::Control).map(|v| &v.symbol).take(VARIABLES).collect();
    let mut found = Vec::new();
    for (at, a) in data.iter().enumerate() {
        for b in data[at + 1..].iter().filter(|b| b.sort == a.sort) {
            found.extend(compared(a.term(), b.term(), &a.sort));
        }
    }
    found
}

fn compared(a: Term, b: Term, sort: &Sort) -> Vec<Term> {
    match sort {
        Sort::Int | Sort::Real => vec![
            Term::eq(a.clone(), b.clone()),
            Term::le(a.clone(), b.clone()),
            Term::le(b.clone(), a.clone()),
            Term::lt(a.clone(), b.clone()),
            Term::lt(b.clone(), a.clone()),
            Term::negation(Term::eq(a, b)),
        ],
        Sort::Bool => vec![
            Term::implication(a.clone(), b.clone()),
            Term::implication(b.clone(), a.clone()),
            Term::any([a.clone(), b.clone()]),
            Term::negation(Term::all([a, b])),
        ],
        Sort::Array(..) => Vec::new(),
        _ => vec![Term::eq(a.clone(), b.clone()), Term::negation(Term::eq(a, b))],
    }
}

/// A replica, or the one process: its control, the index that is quantified over, if there is one.
fn at(fts: &Fts, thread: &Thread, name: &str, location: usize) -> (Term, Option<Binder>) {
    let number = Term::int(location as i64);
    match &thread.replicated {
        None => (Term::eq(thread.control.term(), number), None),
        Some(Parameter { low, high, .. }) => {
            let name = if fts.variable(name).is_some() { format!("{name}!") } else { name.to_string() };
            let index = Symbol::constant(name, Sort::Int);
            let here = Term::eq(thread.control.term().select(&index.term()), number);
            (here, Some(Binder { symbol: index, range: Some((low.clone(), high.clone())) }))
        }
    }
}

/// Two locations at which two processes never are together; of one family, two different replicas.
fn together(fts: &Fts, a: &Thread, b: &Thread, same: bool) -> Vec<Term> {
    let mut found = Vec::new();
    if same && a.replicated.is_none() {
        return found;
    }
    for l in 0..a.locations.len() {
        for m in (if same { l } else { 0 })..b.locations.len() {
            let ((here, i), (there, j)) = (at(fts, a, "i", l), at(fts, b, "j", m));
            let apart = match (&i, &j) {
                (Some(i), Some(j)) if same => Term::negation(Term::eq(i.symbol.term(), j.symbol.term())),
                _ => Term::truth(true),
            };
            let never = Term::negation(Term::all([apart, here, there]));
            found.push(Term::every(i.into_iter().chain(j).collect(), never));
        }
    }
    found
}

/// How the elements of an array that belong to two replicas compare, by where these are.
fn of_two_replicas(fts: &Fts, thread: &Thread) -> Vec<Term> {
    let mut found = Vec::new();
    let arrays = fts.variables.iter().filter(|v| v.mode != Mode::Control);
    let scalar = |v: &&system::fts::Variable| match (&v.symbol.sort, &v.range) {
        (Sort::Array(_, element), Some(Domain::Array { .. })) => {
            Some((**element).clone()).filter(|e| depth(e) == 0)
        }
        _ => None,
    };
    for (array, sort) in arrays.filter_map(|v| Some((&v.symbol, scalar(&v)?))).take(VARIABLES) {
        for l in 0..thread.locations.len() {
            for m in 0..thread.locations.len() {
                let ((here, i), (there, j)) = (at(fts, thread, "i", l), at(fts, thread, "j", m));
                let (Some(i), Some(j)) = (i, j) else { continue };
                let (x, y) = (i.symbol.term(), j.symbol.term());
                let both = Term::all([Term::negation(Term::eq(x.clone(), y.clone())), here, there]);
                let (x, y) = (array.term().select(&x), array.term().select(&y));
                for claim in compared(x, y, &sort) {
                    let claim = Term::implication(both.clone(), claim);
                    found.push(Term::every(vec![i.clone(), j.clone()], claim));
                }
            }
        }
    }
    found
}

//! Carried invariants: what a process tested or assigned on its way to a location, as long as
//! nothing made it false.
//!
//! Candidates are, at each location of a process, the tests that its transitions make and the
//! equations `x = e` that its assignments leave behind; of a replicated process the same for each
//! replica. They are the post-conditions of transitions (STeP tutorial, section 4), but are
//! proposed at each location, not at the next one alone: Houdini finds how far each is carried. So
//! `mid = (low + high) div 2` and `low <= high` are known where the two are used, with every
//! operator that the program uses, which templates and polyhedra do not know.

use super::local::index;
use logic::fol::{Binder, Op, Sort, Symbol, Term};
use system::fts::{Branch, Fts, Mode, Thread, Transition};

/// Facts of a process, small ones first.
const FACTS: usize = 24;
/// Candidates of a system.
const MOST: usize = 600;
/// Operators of a fact.
const SIZE: usize = 24;

/// Facts at locations; most do not hold there, and Houdini drops them.
pub fn candidates(fts: &Fts) -> Vec<Term> {
    let mut found: Vec<Term> = fts.threads.iter().flat_map(|thread| of_thread(fts, thread)).collect();
    found.truncate(MOST);
    found
}

fn of_thread(fts: &Fts, thread: &Thread) -> Vec<Term> {
    // Replicas of replicas are left alone.
    if matches!(&thread.control.sort, Sort::Array(_, element) if **element != Sort::Int) {
        return Vec::new();
    }
    let replica = thread.replicated.as_ref().map(|p| (index(fts), p));
    let control = match &replica {
        Some((index, _)) => thread.control.term().select(&index.term()),
        None => thread.control.term(),
    };
    let facts = facts(fts, thread, replica.as_ref().map(|(index, _)| index));
    let at = |location: usize, fact: &Term| {
        let here = Term::eq(control.clone(), Term::int(location as i64));
        let claim = Term::implication(here, fact.clone());
        match &replica {
            None => claim,
            Some((index, p)) => {
                let range = Some((p.low.clone(), p.high.clone()));
                Term::every(vec![Binder { symbol: index.clone(), range }], claim)
            }
        }
    };
    let locations = 0..thread.locations.len();
    locations.flat_map(|location| facts.iter().map(|fact| at(location, fact)).collect::<Vec<_>>()).collect()
}

/// What the transitions of a process test and assign, about data alone; of a replica, the one with
/// this index.
fn facts(fts: &Fts, thread: &Thread, index: Option<&Symbol>) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for transition in fts.transitions.iter().filter(|t| moves(t, thread)) {
        let own = match (&transition.parameters[..], index) {
            ([], None) => None,
            ([one], Some(index)) => Some((one.symbol.clone(), index.term())),
            _ => continue,
        };
        let named = |s: &Symbol| own.as_ref().filter(|(p, _)| p == s).map(|(_, index)| index.clone());
        let facts = transition.branches.iter().flat_map(of_branch);
        found.extend(facts.map(|fact| fact.substitute(&named)));
    }
    let control = |s: &Symbol| fts.variable(&s.name).is_some_and(|v| v.mode == Mode::Control);
    found.retain(|fact| !fact.symbols().values().any(control) && fact.size() <= SIZE);
    found.sort_by_cached_key(|fact| (fact.size(), fact.to_string()));
    found.dedup();
    found.truncate(FACTS);
    found
}

fn moves(transition: &Transition, thread: &Thread) -> bool {
    transition.branches.iter().any(|b| b.updates.iter().any(|(s, _)| *s == thread.control))
}

/// The conjuncts of the guard, and what the updates leave behind.
fn of_branch(branch: &Branch) -> Vec<Term> {
    let free = |e: &Term| !e.symbols().values().any(|s| branch.chosen.contains(s));
    let left = branch.updates.iter().filter_map(|(s, value)| equation(branch, s, value));
    branch.guard.conjuncts().into_iter().chain(left).filter(free).collect()
}

/// `x = e`, or `a[i] = e` for the last write to an array, if nothing in it changes in the step.
fn equation(branch: &Branch, s: &Symbol, value: &Term) -> Option<Term> {
    let (place, parts) = match (value.op(), value.arguments()) {
        (Op::Store, [array, index, e]) if *array == s.term() => {
            (s.term().select(index), vec![index.clone(), e.clone()])
        }
        _ => (s.term(), vec![value.clone()]),
    };
    let changed = |e: &Term| e.symbols().values().any(|s| branch.updates.iter().any(|(v, _)| v == s));
    let e = parts.last()?.clone();
    let comparable = !matches!(place.sort(), Sort::Array(..));
    (comparable && !parts.iter().any(changed)).then(|| Term::eq(place, e))
}

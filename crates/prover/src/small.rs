//! Small instances of a system: a small value for each input and constant, few values for what is
//! free, and the states that are reached then.
//!
//! Steps of an instance are steps of the system. So its runs are runs, its states are reachable,
//! and what is false in one of them is no invariant.

use crate::instance;
use logic::fol::{Binder, Sort, Symbol, Term, Value, domain, evaluate, holds};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use system::fts::step::{self, CHOICES, State, Valuation};
use system::fts::{Domain, Fts, Mode, Property, Variable};

/// The values of inputs, in the order in which they are tried.
const VALUES: [i64; 6] = [2, 1, 3, 0, 4, -1];
/// No more instances than this.
const INSTANCES: usize = 24;
/// Initial states of one instance that are looked at.
const INITIAL: usize = 24;
/// Systems with known numbers of processes.
const SYSTEMS: usize = 3;
/// What is free ranges from here to there.
const FREE: (i64, i64) = (-1, 3);

/// Inputs and constants that have numbers, truth values or sequences of numbers.
pub fn inputs(fts: &Fts) -> Vec<(Arc<str>, Sort)> {
    let input = |v: &&Variable| v.mode == Mode::In && !fts.changes(&v.symbol.name);
    let variables =
        fts.variables.iter().filter(input).map(|v| (v.symbol.name.clone(), v.symbol.sort.clone()));
    let rigid =
        fts.rigid.iter().filter(|r| r.arguments.is_empty()).map(|r| (r.name.clone(), r.result.clone()));
    variables.chain(rigid).filter(|(_, sort)| is_small(sort)).collect()
}

fn is_small(sort: &Sort) -> bool {
    match sort {
        Sort::Int | Sort::Bool => true,
        Sort::Sequence(element) => **element == Sort::Int,
        _ => false,
    }
}

/// Short sequences of numbers.
fn sequences(sort: &Sort) -> Vec<Value> {
    let all: [&[i64]; 8] = [&[1, -1], &[2], &[], &[-1], &[0, 2], &[3, 1, 2], &[1, 1], &[2, -1, 1]];
    let one = |items: &[i64]| Value::Sequence(sort.clone(), items.iter().map(|n| Value::int(*n)).collect());
    all.into_iter().map(one).collect()
}

/// Small values of the inputs, together small first, as far as what is assumed allows them.
pub fn valuations(fts: &Fts) -> Vec<Valuation> {
    let mut found = vec![(0, Valuation::new())];
    for (name, sort) in inputs(fts) {
        let values = match sort {
            Sort::Int => VALUES.iter().map(|n| Value::Int(BigInt::from(*n))).collect(),
            sort @ Sort::Sequence(_) => sequences(&sort),
            sort => domain(&sort, None).unwrap_or_default(),
        };
        let with = |(cost, known): &(usize, Valuation)| -> Vec<(usize, Valuation)> {
            let one = |(at, value): (usize, &Value)| {
                let mut known = known.clone();
                known.insert(name.clone(), value.clone());
                (cost + at, known)
            };
            values.iter().enumerate().map(one).collect()
        };
        found = found.iter().flat_map(with).collect();
        found.sort_by_key(|(cost, _)| *cost);
        found.truncate(INSTANCES * 8);
    }
    let allowed = |known: &Valuation| {
        let assumed = fts.assumptions.iter().all(|part| holds(part, known) == Some(true));
        assumed && fts.initial.conjuncts().iter().all(|part| holds(part, known) != Some(false))
    };
    found.into_iter().map(|(_, known)| known).filter(allowed).take(INSTANCES).collect()
}

/// Whether something is chosen among infinitely many values, or nothing determines how it begins.
pub fn is_free(fts: &Fts) -> bool {
    let mut chosen = fts.transitions.iter().flat_map(|t| &t.branches).flat_map(|b| &b.chosen);
    chosen.any(|s| domain(&s.sort, None).is_none()) || step::undetermined(fts, &Valuation::new()).is_some()
}

/// The system with few values for what is free; none if its initial states cannot be listed.
pub fn instance(fts: &Fts, given: &Valuation) -> Option<Fts> {
    let mut fts = fts.clone();
    for branch in fts.transitions.iter_mut().flat_map(|t| &mut t.branches) {
        let numbers = branch.chosen.iter().filter(|s| matches!(s.sort, Sort::Int)).map(|s| few(&s.term()));
        branch.choice = Term::all(numbers.collect::<Vec<_>>().into_iter().chain([branch.choice.clone()]));
    }
    for _ in 0..fts.variables.len() {
        let Some(symbol) = step::undetermined(&fts, given) else { return Some(fts) };
        let range = fts.variable(&symbol.name).and_then(|v| v.range.clone());
        let bounded = bounded(&symbol, range.as_ref(), given)?;
        fts.initial = Term::all([fts.initial.clone(), bounded]);
    }
    None
}

/// Systems in which the number of processes is known: a system itself, or with small values for
/// what bounds its parameters, and a formula with the same values.
pub fn with_processes(fts: &Fts, property: &Property) -> Vec<(Fts, Property)> {
    let bounds = fts.transitions.iter().flat_map(|t| &t.parameters).flat_map(|p| [&p.low, &p.high]);
    let bounding: BTreeSet<Symbol> = bounds.flat_map(|e| e.symbols().into_values()).collect();
    if bounding.is_empty() {
        return vec![(fts.clone(), property.clone())];
    }
    let mut tried: Vec<Vec<(Symbol, i64)>> = Vec::new();
    for known in valuations(fts) {
        let value = |s: &Symbol| Some((s.clone(), known.get(&s.name)?.as_int()?.to_i64()?));
        let values: Option<Vec<(Symbol, i64)>> = bounding.iter().map(value).collect();
        tried.extend(values.filter(|values| !tried.contains(values)));
    }
    tried.iter().take(SYSTEMS).map(|values| (fixed(fts, values), fixed_property(property, values))).collect()
}

/// A system in which some inputs or constants have these values, quantifiers expanded.
fn fixed(fts: &Fts, values: &[(Symbol, i64)]) -> Fts {
    let at = |e: &Term| at_values(e, values);
    let is = values.iter().map(|(s, value)| Term::eq(s.term(), Term::int(*value)));
    let mut fts = fts.clone();
    fts.assumptions = fts.assumptions.iter().map(at).chain(is).collect();
    fts.initial = at(&fts.initial);
    for transition in &mut fts.transitions {
        for parameter in &mut transition.parameters {
            (parameter.low, parameter.high) = (at(&parameter.low), at(&parameter.high));
        }
        transition.branches.iter_mut().for_each(|branch| *branch = branch.map(at));
    }
    fts
}

fn fixed_property(property: &Property, values: &[(Symbol, i64)]) -> Property {
    let formula = property.formula.clone().map(&mut |e: Term| at_values(&e, values));
    Property { formula, given: at_values(&property.given, values), ..property.clone() }
}

fn at_values(e: &Term, values: &[(Symbol, i64)]) -> Term {
    values.iter().fold(e.clone(), |e, (symbol, value)| instance::at_value(&e, symbol, *value))
}

/// Values that free choices on a run are among, besides those that are known.
pub fn add_choices(given: &mut Valuation, more: impl IntoIterator<Item = Value>) {
    let mut values = match given.remove(CHOICES) {
        Some(Value::Sequence(_, values)) => values,
        _ => Vec::new(),
    };
    values.extend(more);
    values.sort();
    values.dedup();
    given.insert(CHOICES.into(), Value::Sequence(Sort::Int, values));
}

fn few(e: &Term) -> Term {
    between(e, FREE)
}

fn between(e: &Term, (low, high): (i64, i64)) -> Term {
    Term::all([Term::le(Term::int(low), e.clone()), Term::le(e.clone(), Term::int(high))])
}

/// That a variable, or each element of an array, has one of few values; fewer in longer arrays.
fn bounded(symbol: &Symbol, range: Option<&Domain>, given: &Valuation) -> Option<Term> {
    match (&symbol.sort, range) {
        (Sort::Int, _) => Some(few(&symbol.term())),
        (Sort::Array(_, element), Some(Domain::Array { low, high, .. })) if **element == Sort::Int => {
            let number = |e: &Term| evaluate(e, given)?.as_int()?.to_i64();
            let values = match number(high).zip(number(low)).map(|(high, low)| high - low + 1) {
                Some(..=2) => FREE,
                Some(3) => (0, 3),
                _ => (0, 1),
            };
            let index = Symbol::constant("i!few", Sort::Int);
            let few = between(&symbol.term().select(&index.term()), values);
            Some(Term::every(vec![Binder { symbol: index, range: Some((low.clone(), high.clone())) }], few))
        }
        _ => None,
    }
}

/// States that an instance reaches, breadth first; whether these are all.
pub fn reachable(fts: &Fts, given: &Valuation, limit: usize) -> (Vec<State>, bool) {
    let Ok(initial) = step::initial(fts, given) else { return (Vec::new(), false) };
    // Of many initial states some are taken, so that what comes after them is seen as well.
    let stride = initial.len().div_ceil(INITIAL);
    let mut complete = stride <= 1;
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut work: VecDeque<State> = initial.into_iter().step_by(stride.max(1)).collect();
    let mut found = Vec::new();
    while let Some(state) = work.pop_front() {
        if found.len() >= limit {
            return (found, false);
        }
        if !seen.insert(state.clone()) {
            continue;
        }
        match step::successors(fts, given, &state) {
            Ok(next) => work.extend(next.into_iter().map(|(_, state)| state)),
            Err(_) => complete = false,
        }
        found.push(state);
    }
    (found, complete)
}

//! The initial states of systems of `fuzz-prove`, and the values of types.

use super::model::*;
use super::number::{Fraction, Gone, Sure};
use super::step::Machine;
use super::value::{Datum, State};

/// Integers that are chosen without bounds are tried up to here.
const WINDOW: i64 = 6;

/// Elements of arrays that may be any integer are tried up to here.
const NARROW: i64 = 1;

/// More initial states are not looked at.
const MANY: usize = 600;

pub struct Initial {
    pub sure: Vec<State>,
    /// States in which the condition on the beginning has no value.
    pub maybe: Vec<State>,
    /// Whether these are all.
    pub complete: bool,
}

/// The values that may be chosen for a variable, and whether these are all.
pub fn values(kind: &Kind) -> (Vec<Datum>, bool) {
    let ints = |low: i64, high: i64| (low..=high).map(|n| Datum::Num(Fraction::int(n))).collect();
    match kind {
        Kind::Range(low, high) => (ints(*low, *high), true),
        Kind::Named(n) => (ints(0, *n as i64 - 1), true),
        Kind::Bool => (vec![Datum::Bool(false), Datum::Bool(true)], true),
        _ => (ints(-WINDOW, WINDOW), false),
    }
}

impl Machine<'_> {
    pub fn initial(&self) -> Sure<Initial> {
        let (mut all, mut complete) = (vec![Vec::new()], true);
        for variable in &self.system.variables {
            let (choices, whole) = beginnings(variable);
            complete &= whole;
            let longer = |d: &Vec<Datum>| {
                let with = |c: &Datum| [&d[..], std::slice::from_ref(c)].concat();
                choices.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
            if all.len() > MANY {
                return Err(Gone::Lost);
            }
        }
        let places: usize = self.system.threads.iter().map(|t| 1 + usize::from(t.replicated)).sum();
        let mut initial = Initial { sure: Vec::new(), maybe: Vec::new(), complete };
        for data in all {
            let state = State { data, places: vec![0; places] };
            let given = self.system.initially.as_ref();
            match given.map_or(Ok(true), |test| self.here(&state).test(test, 0)) {
                Ok(true) => initial.sure.push(state),
                Ok(false) => {}
                Err(Gone::Void) => initial.maybe.push(state),
                Err(Gone::Lost) => return Err(Gone::Lost),
            }
        }
        Ok(initial)
    }

    /// A state of which nothing is known.
    pub fn chaos(&self) -> State {
        let places: usize = self.system.threads.iter().map(|t| 1 + usize::from(t.replicated)).sum();
        let data = vec![Datum::None; self.system.variables.len()];
        State { data, places: vec![usize::MAX; places] }
    }
}

/// The first values of a variable, and whether these are all.
fn beginnings(variable: &Variable) -> (Vec<Datum>, bool) {
    let first = variable.first.map(Fraction::int);
    match (&variable.kind, first) {
        (Kind::Channel(..), _) => (vec![Datum::Many(Vec::new())], true),
        (Kind::Channels(bounds, ..), _) => (vec![Datum::Rows(vec![Vec::new(); bounds.size()])], true),
        (Kind::List, first) => (vec![Datum::Many(first.into_iter().collect())], true),
        (Kind::Array(bounds, element), _) => arrays(variable, *bounds, *element),
        (Kind::Bool, Some(n)) => (vec![Datum::Bool(n != Fraction::int(0))], true),
        (_, Some(n)) => (vec![Datum::Num(n)], true),
        (kind, None) => values(kind),
    }
}

/// Elements that nothing is said of have any value.
fn arrays(variable: &Variable, bounds: Bounds, element: Option<(i64, i64)>) -> (Vec<Datum>, bool) {
    let (mut all, mut complete) = (vec![Vec::new()], true);
    for at in bounds.0..=bounds.1 {
        let given = variable.given.filter(|g| g.0 <= at && at <= g.1).and(variable.first);
        let (low, high) = match (given, element) {
            (Some(n), _) => (n, n),
            (None, Some(range)) => range,
            (None, None) => {
                complete = false;
                (-NARROW, NARROW)
            }
        };
        let longer = |d: &Vec<Fraction>| {
            (low..=high).map(|n| [&d[..], &[Fraction::int(n)]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    (all.into_iter().map(Datum::Many).collect(), complete)
}

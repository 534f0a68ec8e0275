//! The definitions of the thesis that a table is checked against, written down for any kind of
//! object and decided by trying everything on a small domain.

use objects::object::{self, Object, check_exhaustively};
use objects::{Access, Class, Footprint, Key, Outcome, Tid};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;
use std::rc::Rc;

/// An object with a small domain: its values, and its operations with all their inputs.
pub(crate) trait Kind {
    type Value: Clone + Eq + Hash + Debug;
    type Call: Clone + Eq + Hash + Debug;
    type Output: Eq + Debug;
    fn values(&self) -> Vec<Self::Value>;
    fn calls(&self) -> Vec<Self::Call>;
    fn perform(&self, call: &Self::Call, value: &Self::Value) -> Option<(Self::Output, Self::Value)>;
}

/// A value of a kind, as an object: what all objects are checked as.
struct Cell<'k, K: Kind> {
    kind: &'k K,
    value: K::Value,
}

impl<K: Kind> Clone for Cell<'_, K> {
    fn clone(&self) -> Self {
        Cell { kind: self.kind, value: self.value.clone() }
    }
}

impl<K: Kind> PartialEq for Cell<'_, K> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<K: Kind> Object for Cell<'_, K> {
    type Op = K::Call;
    type Effect = Option<K::Output>;

    fn outcomes(&self, _: Tid, call: &K::Call) -> Vec<Outcome> {
        self.kind.perform(call, &self.value).map(|_| 0).into_iter().collect()
    }

    fn perform(&mut self, _: Tid, call: &K::Call, _: Outcome) -> Option<K::Output> {
        let (output, after) = self.kind.perform(call, &self.value)?;
        self.value = after;
        Some(output)
    }

    /// The tables tell more than that.
    fn touches(&self, _: Tid, _: &K::Call, _: Outcome) -> Footprint {
        vec![Key::new(Class::Memory, 0, 0).touch(Access::Change)]
    }
}

/// Definition 3.18: the two calls are independent for this value.
pub(crate) fn independent<K: Kind>(kind: &K, a: &K::Call, b: &K::Call, value: &K::Value) -> bool {
    let cell = Cell { kind, value: value.clone() };
    let way = |who: Tid, call: &K::Call| cell.outcomes(who, call).first().copied();
    object::independent(&cell, ((0, a), way(0, a)), ((1, b), way(1, b))).is_ok()
}

/// Two calls in each value: those that a relation does not call dependent are independent.
pub(crate) fn check<K: Kind>(kind: &K, dependent: impl Fn(&K::Call, &K::Call, &K::Value) -> bool) {
    let (calls, values) = (kind.calls(), kind.values());
    let all: Vec<&K::Call> = calls.iter().collect();
    let states = values.into_iter().map(|value| Cell { kind, value });
    let says = |cell: &Cell<'_, K>,
                (a, _): ((Tid, &K::Call), Outcome),
                (b, _): ((Tid, &K::Call), Outcome)| { dependent(a.1, b.1, &cell.value) };
    if let Err(broken) = check_exhaustively(states, &[all.clone(), all], says) {
        let (cell, [((_, a), _), ((_, b), _)], why) = *broken;
        panic!("{a:?} and {b:?} in {:?}: {why}", cell.value);
    }
}

/// Definition 4.26: the calls that may be the first to interfere with `a` from `value`, under a
/// dependency relation. Values with `too_far` are not gone through.
pub(crate) fn first_to_interfere<K: Kind>(
    kind: &K,
    a: &K::Call,
    value: &K::Value,
    dependent: impl Fn(&K::Call, &K::Call, &K::Value) -> bool,
    too_far: impl Fn(&K::Value) -> bool,
) -> HashSet<K::Call> {
    let calls = kind.calls();
    let mut found = HashSet::new();
    let mut seen = HashSet::from([value.clone()]);
    let mut waiting = vec![value.clone()];
    while let Some(at) = waiting.pop() {
        for b in &calls {
            let Some((_, after)) = kind.perform(b, &at) else { continue };
            if dependent(a, b, &at) {
                found.insert(b.clone());
            } else if !too_far(&after) && seen.insert(after.clone()) {
                waiting.push(after);
            }
        }
    }
    found
}

/// A value and the calls t1, t2, t3 of Definition 6.6.
pub(crate) type Broken<K> = (<K as Kind>::Value, [Vec<<K as Kind>::Call>; 3]);

/// Definition 6.6: a value and three calls that show that the relation is not weakly uniform. A
/// call may be a sequence, as the operations that one transition performs on an object: tests
/// first, one change at the end.
pub(crate) fn breaks_weak_uniformity<K: Kind>(
    kind: &K,
    sequences: &[Vec<K::Call>],
    dependent: impl Fn(&K::Call, &K::Call, &K::Value) -> bool,
) -> Vec<Broken<K>> {
    let calls = kind.calls();
    let index = |call: &K::Call| calls.iter().position(|c| c == call).unwrap();
    let numbered: Vec<Vec<usize>> = sequences.iter().map(|s| s.iter().map(index).collect()).collect();
    let mut known: HashMap<K::Value, Rc<Vec<bool>>> = HashMap::new();
    let mut at = |v: &K::Value| -> Rc<Vec<bool>> {
        let table = || calls.iter().flat_map(|a| calls.iter().map(|b| dependent(a, b, v))).collect();
        known.entry(v.clone()).or_insert_with(|| Rc::new(table())).clone()
    };
    let any =
        |a: &[usize], b: &[usize], v: &[bool]| a.iter().any(|x| b.iter().any(|y| v[x * calls.len() + y]));
    let run = |sequence: &[K::Call], value: &K::Value| {
        sequence.iter().try_fold(value.clone(), |v, call| kind.perform(call, &v).map(|(_, after)| after))
    };
    let mut broken = Vec::new();
    for s in kind.values() {
        let here = at(&s);
        let steps: Vec<_> = (0..sequences.len())
            .filter_map(|t| run(&sequences[t], &s).map(|after| (t, at(&after), after)))
            .collect();
        for (t1, there, s1) in &steps {
            let second = (0..sequences.len()).filter(|t2| {
                any(&numbered[*t1], &numbered[*t2], &here) && run(&sequences[*t2], s1).is_some()
            });
            for t2 in second {
                let escapes = |(t3, after, _): &&(usize, Rc<Vec<bool>>, K::Value)| {
                    !any(&numbered[*t1], &numbered[*t3], &here)
                        && !any(&numbered[t2], &numbered[*t3], there)
                        && !any(&numbered[*t1], &numbered[t2], after)
                };
                if let Some((t3, _, _)) = steps.iter().find(escapes) {
                    broken.push((s.clone(), [*t1, t2, *t3].map(|t| sequences[t].clone())));
                }
            }
        }
    }
    broken
}

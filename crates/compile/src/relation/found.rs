//! The steps out of a state: of each, the variables that it changes, and the requirement that it
//! meets.

use super::bytes;
use super::value::Value;
use std::cmp::Ordering;
use std::ops::Range;

#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Variables and their new values, those of a step one behind the other in the order of
    /// variables.
    changes: Vec<(usize, Value)>,
    steps: Vec<Step>,
    /// The requirement of steps that are added.
    pub requirement: Option<usize>,
    /// The number of the branch that they are of.
    pub branch: usize,
}

#[derive(Clone, Debug)]
struct Step {
    changes: Range<usize>,
    requirement: Option<usize>,
    branch: usize,
}

/// Where the values of a packed state end.
pub struct Packed<'a> {
    pub bytes: &'a [u8],
    pub ends: &'a [usize],
}

impl Found {
    pub fn clear(&mut self) {
        self.changes.clear();
        self.steps.clear();
        self.branch = 0;
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The step that is being added changes a variable, none before those that it has changed.
    pub fn change(&mut self, variable: usize, value: Value) {
        let begun = self.begun();
        match self.changes[begun..].last_mut() {
            Some((last, before)) if *last == variable => *before = value,
            _ => self.changes.push((variable, value)),
        }
    }

    fn begun(&self) -> usize {
        self.steps.last().map_or(0, |step| step.changes.end)
    }

    /// The step that is being added is complete.
    pub fn end(&mut self) {
        let changes = self.begun()..self.changes.len();
        self.steps.push(Step { changes, requirement: self.requirement, branch: self.branch });
    }

    /// The branch that the k-th step is of.
    pub fn branch(&self, k: usize) -> usize {
        self.steps[k].branch
    }

    /// What the k-th step changes.
    pub fn changes(&self, k: usize) -> &[(usize, Value)] {
        &self.changes[self.steps[k].changes.clone()]
    }

    /// Sorts the steps out of a state by where they lead.
    pub fn sort(&mut self, from: &[Value]) {
        let Found { changes, steps, .. } = self;
        let order =
            |a: &Step, b: &Step| compare(from, &changes[a.changes.clone()], &changes[b.changes.clone()]);
        steps.sort_by(order);
    }

    /// How many steps from the k-th on lead to where that leads, once they are sorted.
    pub fn alike(&self, k: usize, from: &[Value]) -> usize {
        let same = |at: &usize| compare(from, self.changes(k), self.changes(*at)).is_eq();
        1 + (k + 1..self.steps.len()).take_while(same).count()
    }

    /// The requirements that some steps meet.
    pub fn met(&self, steps: Range<usize>) -> impl Iterator<Item = usize> {
        self.steps[steps].iter().filter_map(|step| step.requirement)
    }

    /// Appends the packed state that the k-th step leads to.
    pub fn write(&self, k: usize, from: &Packed<'_>, out: &mut Vec<u8>) {
        let mut copied = 0;
        for (variable, value) in self.changes(k) {
            let start = if *variable == 0 { 0 } else { from.ends[variable - 1] };
            out.extend_from_slice(&from.bytes[copied..start]);
            bytes::one(value, out);
            copied = from.ends[*variable];
        }
        out.extend_from_slice(&from.bytes[copied..]);
    }
}

/// The order of two states that differ from one in these variables.
fn compare<'a>(from: &'a [Value], mut a: &'a [(usize, Value)], mut b: &'a [(usize, Value)]) -> Ordering {
    loop {
        let first = |changes: &[(usize, Value)]| changes.first().map_or(usize::MAX, |(at, _)| *at);
        let at = first(a).min(first(b));
        if at == usize::MAX {
            return Ordering::Equal;
        }
        let order = next(&mut a, at, from).cmp(next(&mut b, at, from));
        if order.is_ne() {
            return order;
        }
    }
}

/// The value of a variable, and on to the next change.
fn next<'a>(changes: &mut &'a [(usize, Value)], at: usize, from: &'a [Value]) -> &'a Value {
    match changes.split_first() {
        Some(((variable, value), rest)) if *variable == at => {
            *changes = rest;
            value
        }
        _ => &from[at],
    }
}

//! Sets of marks, as bits in words, held against an acceptance.

use super::graph::{Acceptance, Pair};

/// An acceptance made ready for sets of marks.
pub(super) struct Wanted {
    /// How many words a set takes.
    pub words: usize,
    pub recurrent: Vec<u64>,
    pub pairs: Vec<Pair>,
}

impl Wanted {
    pub fn new(acceptance: &Acceptance) -> Self {
        let words = acceptance.words();
        let mut recurrent = vec![0; words];
        acceptance.recurrent.iter().for_each(|mark| add(&mut recurrent, *mark));
        Wanted { words, recurrent, pairs: acceptance.pairs.clone() }
    }

    /// Does a path count on which exactly these marks recur?
    pub fn satisfied(&self, marks: &[u64]) -> bool {
        self.recurs(marks) && self.pairs.iter().all(|pair| answered(marks, pair))
    }

    /// Are all recurrent marks among these?
    pub fn recurs(&self, marks: &[u64]) -> bool {
        contains(marks, &self.recurrent)
    }

    /// The requests among these marks without their response among them.
    pub fn unanswered(&self, marks: &[u64]) -> Vec<u64> {
        let mut open = vec![0; self.words];
        let pairs = self.pairs.iter().filter(|pair| !answered(marks, pair));
        pairs.for_each(|pair| add(&mut open, pair.request));
        open
    }

    /// What a path with these marks lacks to count: recurrent marks, and responses to its requests.
    pub fn lacks(&self, marks: &[u64]) -> Vec<u64> {
        let mut needed: Vec<u64> = self.recurrent.iter().zip(marks).map(|(all, have)| all & !have).collect();
        let pairs = self.pairs.iter().filter(|pair| !answered(marks, pair));
        pairs.for_each(|pair| add(&mut needed, pair.response));
        needed
    }

    /// The requests whose response recurs only if it is requested.
    pub fn costly(&self) -> Vec<u64> {
        let mut costly = vec![0; self.words];
        let pairs = self.pairs.iter().filter(|pair| !has(&self.recurrent, pair.response));
        pairs.for_each(|pair| add(&mut costly, pair.request));
        costly
    }
}

fn answered(marks: &[u64], pair: &Pair) -> bool {
    !has(marks, pair.request) || has(marks, pair.response)
}

pub(super) fn has(marks: &[u64], mark: usize) -> bool {
    marks[mark / 64] >> (mark % 64) & 1 == 1
}

pub(super) fn add(marks: &mut [u64], mark: usize) {
    marks[mark / 64] |= 1 << (mark % 64);
}

pub(super) fn unite(marks: &mut [u64], more: &[u64]) {
    marks.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

pub(super) fn contains(marks: &[u64], part: &[u64]) -> bool {
    marks.iter().zip(part).all(|(word, part)| part & !word == 0)
}

pub(super) fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

pub(super) fn is_empty(marks: &[u64]) -> bool {
    marks.iter().all(|word| *word == 0)
}

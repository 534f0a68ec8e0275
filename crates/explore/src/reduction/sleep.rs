//! Sleep sets (thesis, chapter 5): which steps need not be taken from a state, kept once each. What
//! stays asleep behind a step is written once, for models and for programs.

use independence::fold::Folding;
use space::Label;
use std::collections::HashMap;

/// The number of a sleep set; 0 is the empty one.
pub type SleepId = u32;

/// What sleeps behind a step: what slept before it, or was taken before it, and is independent of
/// it (Figure 5.2, lines 17–20).
pub fn still_asleep<'a, T>(
    before: &'a [T],
    mut independent: impl FnMut(&T) -> bool + 'a,
) -> impl Iterator<Item = &'a T> {
    before.iter().filter(move |slept| independent(slept))
}

/// All sleep sets met, each once, sorted.
pub struct Sleep {
    sets: Vec<Box<[Label]>>,
    numbers: HashMap<Box<[Label]>, SleepId, Folding>,
    bytes: usize,
}

impl Default for Sleep {
    fn default() -> Self {
        let empty: Box<[Label]> = Box::default();
        Sleep { sets: vec![empty.clone()], numbers: [(empty, 0)].into_iter().collect(), bytes: 0 }
    }
}

impl Sleep {
    /// The labels of a set, sorted.
    pub fn get(&self, id: SleepId) -> &[Label] {
        &self.sets[id as usize]
    }

    /// The number of a set; sorts it.
    pub fn number(&mut self, set: &mut Vec<Label>) -> SleepId {
        if set.is_empty() {
            return 0;
        }
        set.sort_unstable();
        set.dedup();
        if let Some(id) = self.numbers.get(set.as_slice()) {
            return *id;
        }
        let id = self.sets.len() as SleepId;
        let boxed: Box<[Label]> = set.as_slice().into();
        self.bytes += 2 * size_of_val(&*boxed) + 64;
        self.sets.push(boxed.clone());
        self.numbers.insert(boxed, id);
        id
    }

    /// What is in the one and not in the other.
    pub fn difference(&self, a: SleepId, b: SleepId) -> Vec<Label> {
        let other = self.get(b);
        self.get(a).iter().copied().filter(|l| other.binary_search(l).is_err()).collect()
    }

    /// The set of what is in both.
    pub fn intersection(&mut self, a: SleepId, b: SleepId) -> SleepId {
        let other = self.get(b);
        let mut both: Vec<Label> =
            self.get(a).iter().copied().filter(|l| other.binary_search(l).is_ok()).collect();
        self.number(&mut both)
    }

    /// Whether all of `a` is in `b`.
    pub fn is_subset(&self, a: SleepId, b: SleepId) -> bool {
        a == b || self.get(a).iter().all(|l| self.get(b).binary_search(l).is_ok())
    }

    /// How much memory the sets take.
    pub fn memory_bytes(&self) -> u64 {
        self.bytes as u64
    }
}

//! Choices of generators, over the one source of random numbers.

use logic::random::Random;

pub(crate) struct Rng(Random);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(Random::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.number()
    }

    /// A number in `0..bound`; 0 if the bound is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }

    /// A number in `low..=high`.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// One of the items, each as likely as its weight says.
    pub(crate) fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> Option<T> {
        let mut ticket = self.below(items.iter().map(|(weight, _)| weight).sum());
        for &(weight, item) in items {
            if ticket < weight {
                return Some(item);
            }
            ticket -= weight;
        }
        None
    }
}

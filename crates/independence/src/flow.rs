//! What may take part in the step that a transition begins, and what may come after a transition
//! there.
//!
//! Inside an atomic sequence or a d_step one transition goes on to the next. Everything that is
//! gathered over what can still come is a union of sets, so it is gathered once for each strongly
//! connected component of that graph, in one pass over it, not once for each transition: long
//! sequences cost no more than their length.

use logic::Components;
use system::TransitionId;

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn of(numbers: impl IntoIterator<Item = usize>) -> Bits {
        let mut bits = Bits::default();
        numbers.into_iter().for_each(|n| bits.insert(n));
        bits
    }

    pub(super) fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn add(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub(super) fn both(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let word = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        };
        self.0.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(word)
    }
}

/// Which transitions can follow at once in the same step, and the components of that graph, those
/// first that others lead to.
pub(super) struct Flow {
    next: Vec<Vec<TransitionId>>,
    components: Components,
}

impl Flow {
    pub(super) fn new(next: Vec<Vec<TransitionId>>) -> Flow {
        let components = Components::new(next.len(), |k, edge| next[k].get(edge).copied());
        Flow { next, components }
    }

    /// Everything that can come after a transition: itself included if a loop leads back to it. In
    /// the order of a search.
    pub(super) fn after(&self, from: TransitionId) -> Vec<TransitionId> {
        let mut seen = Bits::default();
        let (mut found, mut open) = (Vec::new(), vec![from]);
        while let Some(k) = open.pop() {
            for other in &self.next[k] {
                if seen.0.get(other / 64).is_none_or(|word| word >> (other % 64) & 1 == 0) {
                    seen.insert(*other);
                    found.push(*other);
                    open.push(*other);
                }
            }
        }
        found
    }

    /// Whether a loop leads back to a transition.
    pub(super) fn loops(&self, k: TransitionId) -> bool {
        self.components.members[self.components.of[k]].len() > 1 || self.next[k].contains(&k)
    }

    /// For each transition the union of the sets of all that can come after it.
    pub(super) fn gathered(&self, of: &[Bits]) -> Vec<Bits> {
        let Components { of: component, members } = &self.components;
        let mut full: Vec<Bits> = Vec::with_capacity(members.len());
        for members in members {
            let mut all = Bits::default();
            for k in members {
                all.add(&of[*k]);
                let later = self.next[*k].iter().map(|other| component[*other]);
                later.filter(|c| *c < full.len()).for_each(|c| all.add(&full[c]));
            }
            full.push(all);
        }
        let after = |next: &Vec<TransitionId>| {
            let mut all = Bits::default();
            next.iter().for_each(|other| all.add(&full[component[*other]]));
            all
        };
        self.next.iter().map(after).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small graphs, all of them: what is gathered is what a search finds.
    #[test]
    fn what_is_gathered_is_what_a_search_finds() {
        const NODES: usize = 4;
        for edges in 0..1u32 << (NODES * NODES) {
            if edges.count_ones() > 6 {
                continue;
            }
            let next = |k: usize| (0..NODES).filter(|j| edges >> (k * NODES + j) & 1 == 1).collect();
            let flow = Flow::new((0..NODES).map(next).collect());
            let own: Vec<Bits> = (0..NODES).map(|k| Bits::of([k * 70])).collect();
            for (k, gathered) in flow.gathered(&own).iter().enumerate() {
                let mut found = flow.after(k);
                assert_eq!(flow.loops(k), found.contains(&k));
                found.sort_unstable();
                assert_eq!(gathered.iter().map(|n| n / 70).collect::<Vec<_>>(), found, "{edges:b}");
            }
        }
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let length = 200_000;
        let next = (0..length).map(|k| if k + 1 < length { vec![k + 1] } else { vec![] }).collect();
        let flow = Flow::new(next);
        let own = vec![Bits::of([3]); length];
        assert_eq!(flow.gathered(&own)[0], Bits::of([3]));
        assert_eq!(flow.after(length - 3), [length - 2, length - 1]);
    }
}

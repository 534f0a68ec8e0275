//! What may take part in the step that a transition begins, and what may come after a transition
//! there.
//!
//! Inside an atomic sequence or a d_step one transition goes on to the next. Everything that is
//! gathered over what can still come is a union of sets, so it is gathered once for each strongly
//! connected component of that graph (Tarjan 1972), in one pass over it, not once for each
//! transition: long sequences cost no more than their length.

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
    component: Vec<usize>,
    /// By component, in an order in which what follows comes first.
    members: Vec<Vec<TransitionId>>,
}

impl Flow {
    pub(super) fn new(next: Vec<Vec<TransitionId>>) -> Flow {
        let mut flow = Flow { component: vec![usize::MAX; next.len()], next, members: Vec::new() };
        let mut tarjan =
            Tarjan { index: vec![0; flow.next.len()], low: vec![0; flow.next.len()], ..Tarjan::default() };
        for root in 0..flow.next.len() {
            if tarjan.index[root] == 0 {
                tarjan.search(&mut flow, root);
            }
        }
        flow
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
        self.members[self.component[k]].len() > 1 || self.next[k].contains(&k)
    }

    /// For each transition the union of the sets of all that can come after it.
    pub(super) fn gathered(&self, of: &[Bits]) -> Vec<Bits> {
        let mut full: Vec<Bits> = Vec::with_capacity(self.members.len());
        for members in &self.members {
            let mut all = Bits::default();
            for k in members {
                all.add(&of[*k]);
                let later = self.next[*k].iter().map(|other| self.component[*other]);
                later.filter(|c| *c < full.len()).for_each(|c| all.add(&full[c]));
            }
            full.push(all);
        }
        let after = |next: &Vec<TransitionId>| {
            let mut all = Bits::default();
            next.iter().for_each(|other| all.add(&full[self.component[*other]]));
            all
        };
        self.next.iter().map(after).collect()
    }
}

/// The search for components, with a stack of its own: sequences may be long.
#[derive(Default)]
struct Tarjan {
    index: Vec<usize>,
    low: Vec<usize>,
    count: usize,
    stack: Vec<TransitionId>,
}

impl Tarjan {
    fn search(&mut self, flow: &mut Flow, root: TransitionId) {
        let mut calls = vec![(root, 0)];
        self.enter(root);
        while let Some((k, at)) = calls.last_mut() {
            let k = *k;
            match flow.next[k].get(*at) {
                Some(other) => {
                    *at += 1;
                    let other = *other;
                    if self.index[other] == 0 {
                        self.enter(other);
                        calls.push((other, 0));
                    } else if flow.component[other] == usize::MAX {
                        self.low[k] = self.low[k].min(self.index[other]);
                    }
                }
                None => {
                    calls.pop();
                    if let Some((above, _)) = calls.last() {
                        self.low[*above] = self.low[*above].min(self.low[k]);
                    }
                    if self.low[k] == self.index[k] {
                        self.close(flow, k);
                    }
                }
            }
        }
    }

    fn enter(&mut self, k: TransitionId) {
        self.count += 1;
        (self.index[k], self.low[k]) = (self.count, self.count);
        self.stack.push(k);
    }

    fn close(&mut self, flow: &mut Flow, root: TransitionId) {
        let begin = self.stack.iter().rposition(|k| *k == root).unwrap_or(0);
        let members = self.stack.split_off(begin);
        members.iter().for_each(|k| flow.component[*k] = flow.members.len());
        flow.members.push(members);
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

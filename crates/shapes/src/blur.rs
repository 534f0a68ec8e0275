//! Blur, the canonical abstraction: nodes with equal names become one.
//!
//! The name of a node is the vector of its values of the abstraction predicates. Every value of the
//! result is the join over the tuples it stands for; a node made of several, or of a summary, is a
//! summary. Nodes are sorted by name, and names are unique, so two results are isomorphic exactly
//! if their words are equal: a result is its own key.

use structures::kleene::Kleene;
use structures::structure::{NODES, Structure};
use structures::vocabulary::Layout;

/// What blur needs to know of a vocabulary.
#[derive(Clone, Debug)]
pub struct Blur {
    pub layout: Layout,
    /// The abstraction predicates in the unary words.
    pub mask: Vec<u64>,
}

impl Blur {
    /// The words of the name of a node: may and must.
    pub fn name<'a>(&'a self, s: &'a Structure, node: usize) -> impl Iterator<Item = u64> + 'a {
        let record = s.record(self.layout, node);
        let mask = self.mask.iter().chain(&self.mask);
        record[..2 * self.layout.unary_words].iter().zip(mask).map(|(word, mask)| word & mask)
    }

    fn same_name(&self, s: &Structure, a: usize, b: usize) -> bool {
        self.name(s, a).eq(self.name(s, b))
    }

    /// Writes the canonical abstraction of `s` into `out`.
    pub fn blur(&self, s: &Structure, out: &mut Structure) {
        let mut order: [u8; NODES] = std::array::from_fn(|u| u as u8);
        let order = &mut order[..s.nodes];
        order.sort_unstable_by(|a, b| {
            self.name(s, usize::from(*a)).cmp(self.name(s, usize::from(*b))).then(a.cmp(b))
        });
        // Classes of equal names: the members of each as bits.
        let mut classes = [0_u64; NODES];
        let mut count = 0;
        for (at, node) in order.iter().enumerate() {
            let node = usize::from(*node);
            if at == 0 || !self.same_name(s, usize::from(order[at - 1]), node) {
                count += 1;
            }
            classes[count - 1] |= 1 << node;
        }
        self.merge(s, &classes[..count], out);
    }

    /// The structure whose nodes are these classes of nodes.
    pub fn merge(&self, s: &Structure, classes: &[u64], out: &mut Structure) {
        let layout = self.layout;
        let (head, record, unary) = (layout.head(), layout.record(), layout.unary_words);
        out.words.clear();
        out.words.extend_from_slice(&s.words[..head]);
        out.words.resize(head + classes.len() * record, 0);
        out.nodes = classes.len();
        for (number, members) in classes.iter().enumerate() {
            let at = head + number * record;
            let target = &mut out.words[at..at + record];
            for (word, slot) in target.iter_mut().enumerate() {
                let is_may = if word < 2 * unary { word < unary } else { word % 2 == 0 };
                let words = structures::structure::bits(*members).map(|u| s.words[head + u * record + word]);
                *slot = if is_may { words.fold(0, |a, b| a | b) } else { words.fold(u64::MAX, |a, b| a & b) };
            }
            for pair in target[2 * unary..].chunks_exact_mut(2) {
                let (any, every) = (pair[0], pair[1]);
                pair.fill(0);
                for (other, targets) in classes.iter().enumerate() {
                    pair[0] |= u64::from(any & targets != 0) << other;
                    pair[1] |= u64::from(every & targets == *targets) << other;
                }
            }
            if members.count_ones() > 1 {
                out.set(layout, structures::vocabulary::SUMMARY, [number, 0], Kleene::Half);
            }
        }
    }
}

/// Structures with the same names and the same nullary values are one.
impl space::Joins for Blur {
    fn key(&self, state: &[u8], out: &mut Vec<u8>) {
        let (head, record) = (8 * self.layout.head(), 8 * self.layout.record());
        out.extend_from_slice(&state[..head]);
        for node in state[head..].chunks_exact(record) {
            let mask = self.mask.iter().chain(&self.mask).flat_map(|mask| mask.to_le_bytes());
            out.extend(node.iter().zip(mask).map(|(byte, mask)| byte & mask));
        }
    }

    fn join(&self, kept: &mut Vec<u8>, new: &[u8]) -> bool {
        let (head, record, unary) = (self.layout.head(), self.layout.record(), self.layout.unary_words);
        let mut changed = false;
        for (at, (byte, other)) in kept.iter_mut().zip(new).enumerate().skip(8 * head) {
            let inside = (at / 8 - head) % record;
            let is_may = if inside < 2 * unary { inside < unary } else { inside % 2 == 0 };
            let joined = if is_may { *byte | other } else { *byte & other };
            changed |= joined != *byte;
            *byte = joined;
        }
        changed
    }
}

//! A three-valued structure as bits: for each predicate and tuple a *may* bit and a *must* bit.
//!
//! One flat vector of words: the nullary predicates, then one record for each node with its unary
//! predicates and its row of each binary predicate. A node is added by appending a record, and the
//! name of a node (its values of the abstraction predicates) is a masked part of its record. At
//! most 64 nodes, so that a row is one word for *may* and one for *must*.

use crate::kleene::Kleene;
use crate::vocabulary::{Layout, Predicate, SUMMARY, Symbol};

/// How many nodes fit in a structure.
pub const NODES: usize = 64;

/// A three-valued structure: two bits for each predicate and tuple, may and must.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Structure {
    /// The nullary predicates, then a record for each node; [`Layout`] says where.
    pub words: Vec<u64>,
    /// How many; at most [`NODES`].
    pub nodes: usize,
}

impl Structure {
    /// Without nodes, everything false.
    pub fn new(layout: Layout) -> Structure {
        Structure { words: vec![0; layout.head()], nodes: 0 }
    }

    /// Becomes a copy of another without giving up its memory.
    pub fn copy_from(&mut self, other: &Structure) {
        self.words.clear();
        self.words.extend_from_slice(&other.words);
        self.nodes = other.nodes;
    }

    /// The same nodes with these predicates, in another layout.
    pub fn laid_out(&self, predicates: &[Predicate], old: Layout, new: Layout) -> Structure {
        let mut copy = Structure::new(new);
        for _ in 0..self.nodes {
            copy.push_node(new);
        }
        for symbol in predicates.iter().map(|p| p.symbol) {
            for tuple in symbol.tuples(self.nodes) {
                copy.set(new, symbol, tuple, self.get(old, symbol, tuple));
            }
        }
        copy
    }

    /// All nodes, as bits.
    pub fn all(&self) -> u64 {
        u64::MAX.checked_shr((NODES - self.nodes) as u32).unwrap_or(0)
    }

    /// The words of a node: its unary predicates, then its rows of the binary ones.
    pub fn record(&self, layout: Layout, node: usize) -> &[u64] {
        let start = layout.head() + node * layout.record();
        &self.words[start..start + layout.record()]
    }

    /// Where the may word of a tuple is, how far behind it the must word, and the bit.
    #[inline]
    fn locate(layout: Layout, symbol: Symbol, tuple: [usize; 2]) -> (usize, usize, u32) {
        let node = |u: usize| layout.head() + u * layout.record();
        match symbol {
            Symbol::Nullary(n) => (usize::from(n) / 64, layout.nullary_words, u32::from(n) % 64),
            Symbol::Unary(n) => (node(tuple[0]) + usize::from(n) / 64, layout.unary_words, u32::from(n) % 64),
            Symbol::Binary(n) => {
                (node(tuple[0]) + 2 * (layout.unary_words + usize::from(n)), 1, tuple[1] as u32)
            }
        }
    }

    /// The value of a predicate for a tuple; unused components are 0.
    #[inline]
    pub fn get(&self, layout: Layout, symbol: Symbol, tuple: [usize; 2]) -> Kleene {
        let (at, must, bit) = Self::locate(layout, symbol, tuple);
        Kleene::new(self.words[at] >> bit & 1 == 1, self.words[at + must] >> bit & 1 == 1)
    }

    /// Sets the value of a predicate for a tuple.
    #[inline]
    pub fn set(&mut self, layout: Layout, symbol: Symbol, tuple: [usize; 2], value: Kleene) {
        let (at, must, bit) = Self::locate(layout, symbol, tuple);
        let write = |word: &mut u64, on: bool| *word = *word & !(1 << bit) | u64::from(on) << bit;
        write(&mut self.words[at], value.may());
        write(&mut self.words[at + must], value.must());
    }

    /// The row of a binary predicate: may and must words.
    #[inline]
    pub fn row(&self, layout: Layout, number: u16, node: usize) -> (u64, u64) {
        let at = layout.head() + node * layout.record() + 2 * (layout.unary_words + usize::from(number));
        (self.words[at], self.words[at + 1])
    }

    /// Replaces the row of a binary predicate.
    #[inline]
    pub fn set_row(&mut self, layout: Layout, number: u16, node: usize, (may, must): (u64, u64)) {
        let at = layout.head() + node * layout.record() + 2 * (layout.unary_words + usize::from(number));
        self.words[at] = may;
        self.words[at + 1] = must;
    }

    /// Whether the node may stand for several individuals.
    #[inline]
    pub fn is_summary(&self, layout: Layout, node: usize) -> bool {
        self.get(layout, SUMMARY, [node, 0]).may()
    }

    /// The node stands for exactly one individual.
    pub fn set_single(&mut self, layout: Layout, node: usize) {
        self.set(layout, SUMMARY, [node, 0], Kleene::False);
    }

    /// The node stands for one or more individuals.
    pub fn set_summary(&mut self, layout: Layout, node: usize) {
        self.set(layout, SUMMARY, [node, 0], Kleene::Half);
    }

    /// A new node, everything false; `None` if there is no room.
    pub fn push_node(&mut self, layout: Layout) -> Option<usize> {
        if self.nodes == NODES {
            return None;
        }
        self.words.resize(self.words.len() + layout.record(), 0);
        self.nodes += 1;
        Some(self.nodes - 1)
    }

    /// Bifurcates: a new node with every value of `node`, tuples among the two included; `None` if
    /// there is no room.
    pub fn split_node(&mut self, layout: Layout, node: usize) -> Option<usize> {
        let new = self.push_node(layout)?;
        let from = layout.head() + node * layout.record();
        let to = layout.head() + new * layout.record();
        self.words.copy_within(from..from + layout.record(), to);
        for row in self.rows_mut(layout) {
            *row |= (*row >> node & 1) << new;
        }
        Some(new)
    }

    /// Removes a node; those behind it move up.
    pub fn remove_node(&mut self, layout: Layout, node: usize) {
        let start = layout.head() + node * layout.record();
        self.words.drain(start..start + layout.record());
        self.nodes -= 1;
        let low = (1_u64 << node) - 1;
        for row in self.rows_mut(layout) {
            *row = *row & low | (*row >> 1) & !low;
        }
    }

    /// All rows of binary predicates, may and must.
    fn rows_mut(&mut self, layout: Layout) -> impl Iterator<Item = &mut u64> {
        let unary = 2 * layout.unary_words;
        let records = self.words[layout.head()..].chunks_exact_mut(layout.record());
        records.flat_map(move |record| record[unary..].iter_mut())
    }

    /// The nodes with a value other than 0, and those with 1.
    pub fn column(&self, layout: Layout, number: u16) -> (u64, u64) {
        let (word, bit) = (usize::from(number) / 64, number % 64);
        let (mut may, mut must) = (0, 0);
        let mut at = layout.head() + word;
        for node in 0..self.nodes {
            may |= (self.words[at] >> bit & 1) << node;
            must |= (self.words[at + layout.unary_words] >> bit & 1) << node;
            at += layout.record();
        }
        (may, must)
    }
}

/// The numbers of the bits that are set, in ascending order.
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (lowest < 64).then_some(lowest as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Vocabulary;
    use source::Span;

    #[test]
    fn nodes_are_split_and_removed_with_their_tuples() {
        let mut vocabulary = Vocabulary::new();
        let p = vocabulary.declare("p", 1, Span::default());
        let r = vocabulary.declare("r", 2, Span::default());
        let z = vocabulary.declare("z", 0, Span::default());
        let layout = vocabulary.layout();
        let mut s = Structure::new(layout);
        let (a, b) = (s.push_node(layout).unwrap(), s.push_node(layout).unwrap());
        s.set(layout, p, [b, 0], Kleene::Half);
        s.set(layout, r, [a, b], Kleene::True);
        s.set(layout, r, [b, b], Kleene::Half);
        s.set(layout, z, [0, 0], Kleene::True);
        let c = s.split_node(layout, b).unwrap();
        assert_eq!(s.get(layout, p, [c, 0]), Kleene::Half);
        assert_eq!(s.get(layout, r, [a, c]), Kleene::True);
        for pair in [[b, b], [b, c], [c, b], [c, c]] {
            assert_eq!(s.get(layout, r, pair), Kleene::Half);
        }
        s.remove_node(layout, a);
        assert_eq!(s.nodes, 2);
        assert_eq!(s.get(layout, r, [0, 1]), Kleene::Half);
        assert_eq!(s.get(layout, r, [1, 1]), Kleene::Half);
        assert_eq!(s.get(layout, z, [0, 0]), Kleene::True);
        assert_eq!(s.column(layout, 1), (0b11, 0));
        assert_eq!(bits(0b1010).collect::<Vec<_>>(), [1, 3]);
    }
}

//! Canonical names as counters: which names an edge takes individuals from, and to which it brings some.
//!
//! A concrete individual has at every moment one concrete name, its values of the abstraction predicates, all definite. For each such name
//! n let c(n) be how many individuals have it. An edge *loses* n if in every concrete step it stands for some individual leaves n; it
//! *gains* n if in some concrete step it stands for one may enter n. The proof that these counters make a fairness condition,
//! and what exactly counts as losing and gaining, is in docs/internals/shapes.md.

use crate::blur::Blur;
use crate::structure::Structure;
use std::collections::HashMap;

/// A name, or a pattern of names with 1/2 in it: may words, then must words.
pub type Name = Box<[u64]>;

/// The names met so far, numbered.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub names: Vec<Name>,
    numbers: HashMap<Name, u32>,
}

/// Numbers of names, sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moves {
    /// All definite.
    pub lose: Vec<u32>,
    /// For each an old name or none, and a new one: individuals of the new one's names enter, but for those that had the old
    /// one if that is definite.
    pub gain: Vec<(Option<u32>, u32)>,
}

impl Moves {
    pub fn clear(&mut self) {
        self.lose.clear();
        self.gain.clear();
    }
}

impl Names {
    pub fn number(&mut self, name: &[u64]) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
        number
    }

    /// Whether an edge with these moves may bring somebody to a definite name.
    pub fn gains(&self, moves: &Moves, name: u32) -> bool {
        moves.gain.iter().any(|(old, new)| {
            *old != Some(name) && compatible(&self.names[name as usize], &self.names[*new as usize])
        })
    }
}

/// The names of one expansion: few, one behind the other, and forgotten without giving up their memory.
#[derive(Clone, Debug, Default)]
pub struct Few {
    words: Vec<u64>,
    hashes: Vec<u64>,
    old: Vec<u64>,
    new: Vec<u64>,
}

impl Few {
    pub fn clear(&mut self) {
        self.words.clear();
        self.hashes.clear();
    }

    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    pub fn name(&self, number: usize) -> &[u64] {
        let width = self.words.len() / self.len().max(1);
        &self.words[number * width..(number + 1) * width]
    }

    fn number(&mut self, name: &[u64]) -> u32 {
        let hash = crate::space::hash(name.iter().copied());
        let same = |n: &usize| self.hashes[*n] == hash && self.name(*n) == name;
        if let Some(number) = (0..self.len()).find(same) {
            return number as u32;
        }
        self.words.extend_from_slice(name);
        self.hashes.push(hash);
        self.hashes.len() as u32 - 1
    }

    /// Adds who leaves which name in a step and who enters which. The nodes of `after` are those of `before` that were not
    /// removed, in their order, and new ones behind them.
    pub fn moves(
        &mut self,
        blur: &Blur,
        before: &Structure,
        after: &Structure,
        removed: u64,
        moves: &mut Moves,
    ) {
        let (mut old, mut new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        let mut at = 0;
        for u in 0..before.nodes {
            old.clear();
            old.extend(blur.name(before, u));
            let definite = is_definite(&old);
            if removed >> u & 1 == 1 {
                if definite {
                    moves.lose.push(self.number(&old));
                }
                continue;
            }
            new.clear();
            new.extend(blur.name(after, at));
            at += 1;
            if definite && old == new {
                continue;
            }
            if definite && !compatible(&old, &new) {
                moves.lose.push(self.number(&old));
            }
            let from = definite.then(|| self.number(&old));
            moves.gain.push((from, self.number(&new)));
        }
        for u in at..after.nodes {
            new.clear();
            new.extend(blur.name(after, u));
            moves.gain.push((None, self.number(&new)));
        }
        (self.old, self.new) = (old, new);
    }
}

fn halves(name: &[u64]) -> (&[u64], &[u64]) {
    name.split_at(name.len() / 2)
}

/// No 1/2 in it.
pub fn is_definite(name: &[u64]) -> bool {
    let (may, must) = halves(name);
    may == must
}

/// Whether some definite name is both: nowhere is one surely true and the other surely false.
pub fn compatible(a: &[u64], b: &[u64]) -> bool {
    let ((may_a, must_a), (may_b, must_b)) = (halves(a), halves(b));
    let clash = |must: &[u64], may: &[u64]| must.iter().zip(may).any(|(must, may)| must & !may != 0);
    !clash(must_a, may_b) && !clash(must_b, may_a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_half_are_patterns() {
        let (zero, one, half) = ([0, 0], [1, 1], [1, 0]);
        assert!(is_definite(&zero) && is_definite(&one) && !is_definite(&half));
        assert!(!compatible(&zero, &one));
        assert!(compatible(&zero, &half) && compatible(&half, &one) && compatible(&one, &one));
    }
}

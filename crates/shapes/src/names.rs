//! Canonical names as counters: which names an edge takes individuals from, and to which it brings some.
//!
//! A concrete individual has at every moment one concrete name, its values of the abstraction predicates, all definite. For each such name
//! n let c(n) be how many individuals have it. An edge *loses* n if in every concrete step it stands for some individual leaves n; it
//! *gains* n if in some concrete step it stands for one may enter n. The proof that these counters make a fairness condition,
//! and what exactly counts as losing and gaining, is in docs/internals/shapes.md.

use crate::blur::Blur;
use crate::machine::Successor;
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
    /// With other numbers for the names.
    pub fn rename(&mut self, numbers: &[u32]) {
        let number = |n: &mut u32| *n = numbers[*n as usize];
        self.lose.iter_mut().for_each(number);
        for (old, new) in &mut self.gain {
            old.iter_mut().for_each(number);
            number(new);
        }
        self.lose.sort_unstable();
        self.gain.sort_unstable();
    }

    /// Those of a step and of the next one together.
    pub fn add(&mut self, more: Moves) {
        self.lose.extend(more.lose);
        self.gain.extend(more.gain);
        self.lose.sort_unstable();
        self.lose.dedup();
        self.gain.sort_unstable();
        self.gain.dedup();
    }
}

impl Names {
    pub fn clear(&mut self) {
        self.names.clear();
        self.numbers.clear();
    }

    /// The numbers here of the names there.
    pub fn translate(&mut self, other: &Names) -> Vec<u32> {
        other.names.iter().map(|name| self.number(name)).collect()
    }

    pub fn number(&mut self, name: &[u64]) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.numbers.insert(name.into(), number);
        number
    }

    /// Who leaves which name in a step and who enters which.
    pub fn moves(&mut self, blur: &Blur, successor: &Successor) -> Moves {
        let mut moves = Moves::default();
        let (before, after) = (&successor.before, &successor.after);
        let mut at = 0;
        let mut old: Vec<u64> = Vec::new();
        let mut new: Vec<u64> = Vec::new();
        for u in 0..before.nodes {
            old.clear();
            old.extend(blur.name(before, u));
            if successor.removed >> u & 1 == 1 {
                if is_definite(&old) {
                    moves.lose.push(self.number(&old));
                }
                continue;
            }
            new.clear();
            new.extend(blur.name(after, at));
            at += 1;
            let definite = is_definite(&old);
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
        moves.lose.sort_unstable();
        moves.lose.dedup();
        moves.gain.sort_unstable();
        moves.gain.dedup();
        moves
    }

    /// Whether an edge with these moves may bring somebody to a definite name.
    pub fn gains(&self, moves: &Moves, name: u32) -> bool {
        moves.gain.iter().any(|(old, new)| {
            *old != Some(name) && compatible(&self.names[name as usize], &self.names[*new as usize])
        })
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

//! Canonical names as counters: which names an edge takes individuals from, and to which it brings
//! some.
//!
//! A concrete individual has at every moment one concrete name, its values of the abstraction
//! predicates, all definite. For each such name n let c(n) be how many individuals have it. An edge
//! *loses* n if in every concrete step it stands for some individual leaves n; it *gains* n if in
//! some concrete step it stands for one may enter n. The proof that these counters make a fairness
//! condition, and what exactly counts as losing and gaining, is in
//! docs/internals/shapes/fairness.md.

use crate::blur::Blur;
use explore::recorded::Noted;
use space::{Fairness, Requirement};
use std::collections::BTreeSet;
use structures::structure::Structure;

/// Who leaves which name and who enters which; names by number.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// All definite.
    pub lose: Vec<u32>,
    /// For each an old name or none, and a new one: individuals of the new one's names enter, but
    /// for those that had the old one if that is definite.
    pub gain: Vec<(Option<u32>, u32)>,
}

impl Moves {
    /// Becomes a copy of others without giving up its memory.
    pub fn copy_from(&mut self, other: &Moves) {
        self.lose.clear();
        self.gain.clear();
        self.lose.extend_from_slice(&other.lose);
        self.gain.extend_from_slice(&other.gain);
    }
}

/// After Fx: multiply and rotate, a word at a time.
fn hash(words: &[u64]) -> u64 {
    let mix = |hash: u64, word: &u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    words.iter().fold(0, mix)
}

/// The names of one expansion: few, one behind the other, and forgotten without giving up their
/// memory.
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

    pub fn name(&self, number: usize) -> &[u64] {
        let width = self.words.len() / self.len().max(1);
        &self.words[number * width..(number + 1) * width]
    }

    fn number(&mut self, name: &[u64]) -> u32 {
        let hash = hash(name);
        let same = |n: &usize| self.hashes[*n] == hash && self.name(*n) == name;
        if let Some(number) = (0..self.len()).find(same) {
            return number as u32;
        }
        self.words.extend_from_slice(name);
        self.hashes.push(hash);
        self.hashes.len() as u32 - 1
    }

    /// Appends moves to a note, each once, in the order of the names: how many names lose an
    /// individual, these, and behind them of each gain whether there is an old name, that, and the
    /// new one.
    pub fn write(&self, moves: &mut Moves, out: &mut Vec<u8>) {
        let name = |number: u32| self.name(number as usize);
        let old = |number: Option<u32>| number.map(name);
        moves.lose.sort_unstable_by(|a, b| name(*a).cmp(name(*b)));
        moves.lose.dedup();
        moves.gain.sort_unstable_by(|a, b| (old(a.0), name(a.1)).cmp(&(old(b.0), name(b.1))));
        moves.gain.dedup();
        let mut put = |words: &[u64]| words.iter().for_each(|w| out.extend_from_slice(&w.to_le_bytes()));
        put(&[moves.lose.len() as u64]);
        moves.lose.iter().for_each(|n| put(name(*n)));
        for (from, to) in &moves.gain {
            put(&[u64::from(from.is_some())]);
            put(name(from.unwrap_or(*to)));
            put(name(*to));
        }
    }

    /// Adds who leaves which name in a step and who enters which. The nodes of `after` are those of
    /// `before` that were not removed, in their order, and new ones behind them.
    pub fn moves(&mut self, blur: &Blur, [before, after]: [&Structure; 2], removed: u64, moves: &mut Moves) {
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

/// A note that was written, read back: names as words.
struct Written {
    lose: Vec<Vec<u64>>,
    gain: Vec<(Option<Vec<u64>>, Vec<u64>)>,
}

impl Written {
    /// The first byte of a note is not about names.
    fn read(note: &[u8], width: usize) -> Written {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let words: Vec<u64> = note.get(1..).unwrap_or(&[]).chunks_exact(8).map(word).collect();
        let (count, rest) = words.split_first().map_or((0, &[][..]), |(n, rest)| (*n as usize, rest));
        let (lose, gain) = rest.split_at(count * width);
        let pair = |entry: &[u64]| {
            let (old, new) = entry[1..].split_at(width);
            ((entry[0] == 1).then(|| old.to_vec()), new.to_vec())
        };
        Written {
            lose: lose.chunks_exact(width).map(<[u64]>::to_vec).collect(),
            gain: gain.chunks_exact(1 + 2 * width).map(pair).collect(),
        }
    }

    /// Whether an individual may come to a definite name.
    fn gains(&self, name: &[u64]) -> bool {
        self.gain.iter().any(|(old, new)| old.as_deref() != Some(name) && compatible(name, new))
    }
}

/// The strong requirements that notes tell of, one for each name that some edge loses: losing asks
/// for it, gaining meets it. A name has `width` words.
pub fn population(notes: &[&[u8]], width: usize) -> Noted {
    let notes: Vec<Written> = notes.iter().map(|note| Written::read(note, width)).collect();
    let lost: BTreeSet<&[u64]> = notes.iter().flat_map(|note| &note.lose).map(|name| &name[..]).collect();
    let strong = |n: usize| Requirement { name: format!("name {}", n + 1), strength: Fairness::Strong };
    let words = lost.len().div_ceil(64);
    let mut noted = Noted {
        requirements: (0..lost.len()).map(strong).collect(),
        asks: vec![0; words * notes.len()],
        meets: vec![0; words * notes.len()],
    };
    for (row, note) in notes.iter().enumerate() {
        for (n, name) in lost.iter().enumerate() {
            let (at, bit) = (row * words + n / 64, n % 64);
            noted.asks[at] |= u64::from(note.lose.iter().any(|lost| lost == name)) << bit;
            noted.meets[at] |= u64::from(note.gains(name)) << bit;
        }
    }
    noted
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

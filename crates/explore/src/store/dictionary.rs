//! Byte strings by number: each that comes up gets the next one.
//!
//! Most parts of a state are short, so a string of at most seven bytes is kept as one word, its
//! length in the upper byte, and found with one multiplication and one comparison. Longer ones lie
//! one behind the other and are found by their hash.

use super::hash;

/// A string of at most this many bytes is a word.
const SHORT: usize = 7;

/// The numbers of the strings that came up.
#[derive(Clone, Default)]
pub(crate) struct Dictionary {
    entries: Vec<Entry>,
    /// Longer strings, one behind the other.
    long: Vec<u8>,
    /// Open addressing; a power of two, at most half full.
    table: Vec<Slot>,
}

/// A string: as a word, or where it lies in `long`. The upper byte tells: the length of a short one
/// or [`LONG`].
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry(u64);

#[derive(Clone, Copy)]
struct Slot {
    /// A short string itself, or the hash of a longer one with [`LONG`] on top.
    word: u64,
    /// Its number plus one; 0 is free.
    number: u32,
}

const FREE: Slot = Slot { word: 0, number: 0 };

const LONG: u64 = 0xff << 56;

/// A place in `long` takes 36 bits of an entry, its length 20.
const PLACE_BITS: u32 = 36;

impl Dictionary {
    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The length of the longest string.
    pub fn longest(&self) -> usize {
        let length = |entry: &Entry| match entry.0 & LONG == LONG {
            true => self.long_at(*entry).len(),
            false => (entry.0 >> 56) as usize,
        };
        self.entries.iter().map(length).max().unwrap_or(0)
    }

    /// The number of a string, a new one if need be.
    pub fn number(&mut self, bytes: &[u8]) -> u32 {
        self.number_at(bytes, 0, bytes.len())
    }

    /// The number of the string that begins at `at` and has `length` bytes, a new one if need be.
    #[inline]
    pub fn number_at(&mut self, bytes: &[u8], at: usize, length: usize) -> u32 {
        match self.find_at(bytes, at, length) {
            Some(number) => number,
            None => self.add_string(&bytes[at..at + length]),
        }
    }

    /// The number of the string that begins at `at` and has `length` bytes, if it has one.
    #[inline]
    pub fn find_at(&self, bytes: &[u8], at: usize, length: usize) -> Option<u32> {
        if length > SHORT {
            return self.find_long(&bytes[at..at + length]);
        }
        let word = match bytes[at..].first_chunk::<8>() {
            Some(eight) => {
                let mask = (1u64 << (8 * length)) - 1;
                u64::from_le_bytes(*eight) & mask | (length as u64) << 56
            }
            None => word(&bytes[at..at + length]),
        };
        self.find(word, |_| true)
    }

    #[inline(never)]
    fn find_long(&self, bytes: &[u8]) -> Option<u32> {
        self.find(hash(bytes) | LONG, |number| self.long_at(self.entries[number as usize]) == bytes)
    }

    /// The number that a word stands for, if it is accepted.
    #[inline]
    fn find(&self, word: u64, accept: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.table.len().wrapping_sub(1);
        if mask == usize::MAX {
            return None;
        }
        let mut at = spread(word) & mask;
        loop {
            let slot = self.table[at];
            if slot.number == 0 {
                return None;
            }
            if slot.word == word && accept(slot.number - 1) {
                return Some(slot.number - 1);
            }
            at = (at + 1) & mask;
        }
    }

    /// Gives a string that has none the next number.
    #[inline(never)]
    fn add_string(&mut self, bytes: &[u8]) -> u32 {
        if bytes.len() <= SHORT {
            return self.add(word(bytes), Entry(word(bytes)));
        }
        let entry = Entry(LONG | (bytes.len() as u64) << PLACE_BITS | self.long.len() as u64);
        self.long.extend_from_slice(bytes);
        self.add(hash(bytes) | LONG, entry)
    }

    fn long_at(&self, entry: Entry) -> &[u8] {
        let start = (entry.0 & ((1 << PLACE_BITS) - 1)) as usize;
        let length = (entry.0 >> PLACE_BITS & 0xf_ffff) as usize;
        &self.long[start..start + length]
    }

    /// Appends the string with a number to `out`.
    #[inline]
    pub fn read(&self, number: u32, out: &mut Vec<u8>) {
        let entry = self.entries[number as usize];
        if entry.0 & LONG == LONG {
            out.extend_from_slice(self.long_at(entry));
        } else {
            out.extend_from_slice(&entry.0.to_le_bytes()[..(entry.0 >> 56) as usize]);
        }
    }

    fn add(&mut self, word: u64, entry: Entry) -> u32 {
        let number = self.entries.len() as u32;
        self.entries.push(entry);
        if self.entries.len() * 2 > self.table.len() {
            let slots = (self.table.len() * 2).max(8);
            let old = std::mem::replace(&mut self.table, vec![FREE; slots]);
            old.into_iter().filter(|slot| slot.number != 0).for_each(|slot| self.put(slot));
        }
        self.put(Slot { word, number: number + 1 });
        number
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.table.len() - 1;
        let mut at = spread(slot.word) & mask;
        while self.table[at].number != 0 {
            at = (at + 1) & mask;
        }
        self.table[at] = slot;
    }

    pub fn memory_bytes(&self) -> u64 {
        let entries =
            self.entries.capacity() * size_of::<Entry>() + self.table.capacity() * size_of::<Slot>();
        (entries + self.long.capacity()) as u64
    }
}

/// A short string as a word.
fn word(bytes: &[u8]) -> u64 {
    let low = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    low | (bytes.len() as u64) << 56
}

fn spread(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::random::Random;
    use std::collections::HashMap;

    #[test]
    fn agrees_with_a_hash_map() {
        let mut dictionary = Dictionary::default();
        let mut reference: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut random = Random::new(11);
        for _ in 0..60_000 {
            let x = random.number();
            let length = (x % 19) as usize;
            let string: Vec<u8> = (0..length).map(|k| (x >> (8 + 2 * (k % 7)) & 3) as u8).collect();
            let next = reference.len() as u32;
            let number = *reference.entry(string.clone()).or_insert(next);
            let known = (number != next).then_some(number);
            assert_eq!(dictionary.find_at(&string, 0, length), known, "{string:?}");
            assert_eq!(dictionary.number(&string), number, "{string:?}");
            let around: Vec<u8> = [&[9, 9][..], &string, &[7; 9]].concat();
            assert_eq!(dictionary.number_at(&around, 2, length), number);
        }
        assert_eq!(dictionary.len(), reference.len());
        for (string, number) in reference {
            let mut read = Vec::new();
            dictionary.read(number, &mut read);
            assert_eq!(read, string);
        }
    }
}

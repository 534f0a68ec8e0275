//! Blocks: states of one length, one behind the other, each written as what differs from the one
//! before.
//!
//! States that are neighbours in a sorted file are alike: the same bytes at most places, also
//! behind those in which they differ. So a state is a row of pairs: how many bytes stay, how many
//! follow that are new. A token has both, in half a byte each; larger numbers follow it. The first
//! state of a block differs from zeros, so a block is read by itself.
//!
//! ```text
//! header   bytes of the states (4), how many (4), length of each (4), level (4), checksum (8)
//! token    stays << 4 | new      stays = 14: a number more; 15: all that is left stays
//!                                new = 15: a number more
//! ```
//!
//! The checksum is about the states, the header, the file and the place in it, so that a block that
//! was moved is found, too.

use super::folder::{FileId, Folder, Trouble};
use crate::store::hash;
use std::cmp::Ordering;

/// The bytes of a header.
pub(super) const HEADER: usize = 24;

/// A block ends when its states take this many bytes as they are written, or as they are.
const ENOUGH: usize = 1 << 15;
const ENOUGH_READ: usize = 1 << 17;

/// As many bytes that stay are worth a token.
const GAP: usize = 2;

const REST: u8 = 0xf0;
const MANY_STAY: u64 = 14;
const MANY_NEW: u64 = 15;

/// The order of states in files: short ones first.
pub(super) fn order(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Where a block lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub file: FileId,
    pub at: u64,
}

/// A block that is being made.
#[derive(Default)]
pub(super) struct Builder {
    payload: Vec<u8>,
    last: Vec<u8>,
    count: u32,
}

impl Builder {
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether a state must go to the next block.
    pub fn is_full_for(&self, state: &[u8]) -> bool {
        let enough = || self.payload.len() >= ENOUGH || self.count as usize * self.last.len() >= ENOUGH_READ;
        self.count > 0 && (self.last.len() != state.len() || enough())
    }

    pub fn push(&mut self, state: &[u8]) {
        if self.count == 0 {
            self.last.clear();
            self.last.resize(state.len(), 0);
        }
        encode(&self.last, state, &mut self.payload);
        self.last.copy_from_slice(state);
        self.count += 1;
    }

    /// Appends the block to `out` and begins anew; its checksum.
    pub fn seal(&mut self, place: Place, level: u32, out: &mut Vec<u8>) -> u64 {
        let numbers = [self.payload.len() as u32, self.count, self.last.len() as u32, level];
        let checksum = checksum(numbers, place, &self.payload);
        numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        out.extend_from_slice(&checksum.to_le_bytes());
        out.append(&mut self.payload);
        self.count = 0;
        checksum
    }
}

fn checksum(numbers: [u32; 4], place: Place, payload: &[u8]) -> u64 {
    let mut all = [0; 40];
    numbers.iter().zip(all.chunks_exact_mut(4)).for_each(|(n, to)| to.copy_from_slice(&n.to_le_bytes()));
    all[16..24].copy_from_slice(&place.file.to_le_bytes());
    all[24..32].copy_from_slice(&place.at.to_le_bytes());
    all[32..].copy_from_slice(&hash(payload).to_le_bytes());
    hash(&all)
}

/// The checksum of a file that had one checksum before a block with another.
pub(super) fn chained(before: u64, block: u64) -> u64 {
    let mut both = [0; 16];
    both[..8].copy_from_slice(&before.to_le_bytes());
    both[8..].copy_from_slice(&block.to_le_bytes());
    hash(&both)
}

/// A block that was read.
#[derive(Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
    length: usize,
    pub count: usize,
    pub level: u32,
    pub checksum: u64,
    /// Where the next block begins.
    pub end: u64,
    raw: Vec<u8>,
}

impl Block {
    /// The k-th state.
    pub fn get(&self, k: usize) -> &[u8] {
        &self.bytes[k * self.length..(k + 1) * self.length]
    }

    /// Where a state is, or would be, if the states are sorted.
    pub fn search(&self, state: &[u8]) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match order(self.get(middle), state) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(middle),
                Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// Reads the block that begins here, of a part of a file that ends there.
    pub fn read(&mut self, folder: &mut dyn Folder, place: Place, end: u64) -> Result<(), Trouble> {
        let damaged = || Trouble::Damaged(format!("file {} is not whole at byte {}", place.file, place.at));
        let mut header = [0; HEADER];
        let room = end.checked_sub(place.at + HEADER as u64).ok_or_else(damaged)?;
        folder.read(place.file, place.at, &mut header)?;
        let number = |k: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[4 * k + byte]));
        let numbers = [0, 1, 2, 3].map(number);
        if u64::from(numbers[0]) > room {
            return Err(damaged());
        }
        self.raw.resize(numbers[0] as usize, 0);
        folder.read(place.file, place.at + HEADER as u64, &mut self.raw)?;
        self.checksum = checksum(numbers, place, &self.raw);
        if self.checksum.to_le_bytes() != header[16..] {
            return Err(damaged());
        }
        (self.count, self.length, self.level) = (numbers[1] as usize, numbers[2] as usize, numbers[3]);
        self.end = place.at + (HEADER + self.raw.len()) as u64;
        self.decode().ok_or_else(damaged)
    }

    fn decode(&mut self) -> Option<()> {
        self.bytes.clear();
        let mut rest = self.raw.as_slice();
        for k in 0..self.count {
            match k {
                0 => self.bytes.resize(self.length, 0),
                _ => self.bytes.extend_from_within((k - 1) * self.length..),
            }
            decode(&mut rest, &mut self.bytes[k * self.length..])?;
        }
        rest.is_empty().then_some(())
    }

    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.raw.capacity()
    }
}

/// Appends what makes one state of another of the same length.
fn encode(last: &[u8], state: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while at < state.len() {
        let stay = last[at..].iter().zip(&state[at..]).take_while(|(a, b)| a == b).count();
        let from = at + stay;
        if from == state.len() {
            out.push(REST);
            return;
        }
        let to = end_of_new(last, state, from);
        let (stay, new) = (stay as u64, (to - from) as u64);
        out.push((stay.min(MANY_STAY) << 4 | new.min(MANY_NEW)) as u8);
        if stay >= MANY_STAY {
            put_number(stay - MANY_STAY, out);
        }
        if new >= MANY_NEW {
            put_number(new - MANY_NEW, out);
        }
        out.extend_from_slice(&state[from..to]);
        at = to;
    }
}

/// Where bytes end that are written as they are: before enough of them that stay.
fn end_of_new(last: &[u8], state: &[u8], from: usize) -> usize {
    let (mut to, mut equal) = (from + 1, 0);
    while to + equal < state.len() && equal < GAP {
        if last[to + equal] == state[to + equal] {
            equal += 1;
        } else {
            to += equal + 1;
            equal = 0;
        }
    }
    to
}

/// Makes a state of the one before, which is there.
fn decode(rest: &mut &[u8], state: &mut [u8]) -> Option<()> {
    let mut at = 0;
    while at < state.len() {
        let (token, behind) = rest.split_first()?;
        *rest = behind;
        if *token == REST {
            return Some(());
        }
        let mut stay = u64::from(token >> 4);
        let mut new = u64::from(token & 15);
        if stay == MANY_STAY {
            stay = stay.checked_add(number(rest)?)?;
        }
        if new == MANY_NEW {
            new = new.checked_add(number(rest)?)?;
        }
        let from = at.checked_add(usize::try_from(stay).ok()?)?;
        let to = from.checked_add(usize::try_from(new).ok()?)?;
        let (bytes, behind) = rest.split_at_checked(to - from)?;
        state.get_mut(from..to)?.copy_from_slice(bytes);
        *rest = behind;
        at = to;
    }
    Some(())
}

/// Appends a number, seven bits a byte, the lower ones first.
pub(super) fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the front.
pub(super) fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut all = 0;
    for k in 0..10 {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        all |= u64::from(byte & 0x7f).checked_shl(7 * k)?;
        if byte & 0x80 == 0 {
            return Some(all);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::Memory;
    use super::*;
    use logic::random::Random;

    #[test]
    fn states_come_back_as_they_were() {
        let mut random = Random::new(5);
        for length in [0, 1, 2, 7, 16, 30, 64, 700] {
            let mut states = vec![vec![0u8; length]];
            for _ in 0..200 {
                let mut state = states.last().unwrap().clone();
                for _ in 0..random.below(6) {
                    if length > 0 {
                        state[random.below(length)] = random.number() as u8;
                    }
                }
                states.push(state);
            }
            let mut builder = Builder::default();
            states.iter().for_each(|state| builder.push(state));
            let (mut out, mut folder) = (Vec::new(), Memory::default());
            let place = Place { file: 3, at: 5 };
            builder.seal(place, 7, &mut out);
            folder.write(3, 5, &out).unwrap();
            let mut block = Block::default();
            block.read(&mut folder, place, 5 + out.len() as u64).unwrap();
            assert_eq!((block.count, block.level, block.end), (states.len(), 7, 5 + out.len() as u64));
            assert!(states.iter().enumerate().all(|(k, state)| block.get(k) == state.as_slice()));
            // A byte that is not what was written, and a block that lies elsewhere.
            for _ in 0..200 {
                let mut other = out.clone();
                let at = random.below(other.len());
                other[at] ^= 1 << random.below(8);
                folder.write(3, 5, &other).unwrap();
                assert!(block.read(&mut folder, place, 5 + out.len() as u64).is_err());
            }
            folder.write(3, 6, &out).unwrap();
            assert!(block.read(&mut folder, Place { file: 3, at: 6 }, 6 + out.len() as u64).is_err());
        }
    }

    #[test]
    fn numbers_come_back() {
        for n in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            put_number(n, &mut out);
            assert_eq!(number(&mut out.as_slice()), Some(n));
            assert_eq!(number(&mut &out[..out.len() - 1]), None);
        }
    }
}

//! Of candidates with the same key, the first: a small table for one window and one part of the
//! hashes, which stays in the cache.

use super::share::Share;
use crate::store::coder::Key;
use crate::store::packed::hash;
use std::sync::atomic::Ordering::Relaxed;

/// Room for the candidates of a part.
#[derive(Default)]
pub(super) struct First {
    keys: Vec<Key>,
    /// Open addressing; a number in `keys` plus one, 0 is free. A power of two.
    table: Vec<u32>,
}

impl First {
    pub fn memory_bytes(&self) -> u64 {
        (self.keys.capacity() * size_of::<Key>() + self.table.capacity() * 4) as u64
    }

    /// Marks the first of the candidates with each key, of those in a part.
    pub fn mark(&mut self, shares: &[&Share], part: usize) {
        let count: usize = shares.iter().map(|share| share.part_len(part)).sum();
        let slots = (2 * count).next_power_of_two();
        self.table.clear();
        self.table.resize(slots, 0);
        self.keys.clear();
        for share in shares {
            for (key, place) in share.part(part) {
                if self.is_first(key) {
                    share.new[place].store(true, Relaxed);
                }
            }
        }
    }

    #[inline]
    fn is_first(&mut self, key: Key) -> bool {
        let mask = self.table.len() - 1;
        // The upper bits are those of the part.
        let mut at = (hash(key) >> 24) as usize & mask;
        loop {
            match self.table[at] {
                0 => break,
                other if self.keys[other as usize - 1] == key => return false,
                _ => at = (at + 1) & mask,
            }
        }
        self.keys.push(key);
        self.table[at] = self.keys.len() as u32;
        true
    }
}

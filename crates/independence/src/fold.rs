//! A quick hash for tables of small keys, most of which are a few words.

use std::hash::{BuildHasherDefault, Hasher};

/// For hash maps.
pub type Folding = BuildHasherDefault<Fold>;

/// A quick hash of words, not safe against chosen input.
#[derive(Default)]
pub struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64(u64::from(*b)));
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

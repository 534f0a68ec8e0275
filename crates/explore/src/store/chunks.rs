//! An array that grows while threads read it: pieces of doubling size, each made once and never
//! moved.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The first piece has this many places, each other as many as all before it.
const FIRST: usize = 1 << 12;
const PIECES: usize = 33 - FIRST.trailing_zeros() as usize;

pub(crate) struct Chunks<T> {
    pieces: [OnceLock<Box<[T]>>; PIECES],
    /// How many places an index has; those of one index are in one piece.
    stride: usize,
    bytes: AtomicU64,
}

impl<T: Default> Chunks<T> {
    pub fn new(stride: usize) -> Self {
        Chunks { pieces: [const { OnceLock::new() }; PIECES], stride, bytes: AtomicU64::new(0) }
    }

    /// The places of an index; they are default values at first.
    pub fn get(&self, index: u32) -> &[T] {
        let index = index as usize;
        let piece = (index / FIRST + 1).ilog2() as usize;
        let start = FIRST * ((1 << piece) - 1);
        let places = match self.pieces[piece].get() {
            Some(places) => places,
            None => self.grow(piece),
        };
        &places[(index - start) * self.stride..][..self.stride]
    }

    #[cold]
    fn grow(&self, piece: usize) -> &[T] {
        self.pieces[piece].get_or_init(|| {
            let count = (FIRST << piece) * self.stride;
            self.bytes.fetch_add((count * size_of::<T>()) as u64, Ordering::Relaxed);
            (0..count).map(|_| T::default()).collect()
        })
    }

    pub fn memory_bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn each_index_has_its_own_places() {
        let chunks: Chunks<AtomicU32> = Chunks::new(3);
        let indices: Vec<u32> = (0..70_000).chain([1 << 20, (1 << 20) + 1]).collect();
        for index in &indices {
            chunks.get(*index).iter().for_each(|place| {
                assert_eq!(place.swap(index + 1, Ordering::Relaxed), 0, "place of {index} was taken")
            });
        }
        for index in &indices {
            assert!(chunks.get(*index).iter().all(|place| place.load(Ordering::Relaxed) == index + 1));
        }
    }
}

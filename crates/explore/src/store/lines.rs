//! A hash table of numbers that is nearly full: cache lines of sixteen slots.
//!
//! What the numbers stand for is kept elsewhere, in the order of the numbers. A slot has the number
//! plus one in its lower bits, as many as all numbers need, and bits of the hash above them. The
//! upper bits of the hash choose the line; a line fills from its first slot on, and what finds it
//! full goes to the next. So a lookup reads one line, mostly, and compares what few numbers of it
//! stand for. A table of 7/8 takes 4.6 bytes a number. It grows by half: the old one is given back
//! first, since all hashes can be computed again.

use super::{ask_for_huge_pages, near};

const SLOTS: usize = 16;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u32; SLOTS]);

const EMPTY: Line = Line([0; SLOTS]);

pub(crate) struct Lines {
    lines: Vec<Line>,
    /// How many bits of a slot are the number.
    bits: u32,
    /// How many numbers it may have.
    room: usize,
    count: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Lines::of(4)
    }
}

impl Lines {
    fn of(lines: usize) -> Lines {
        let room = lines * SLOTS / 8 * 7;
        let mut fresh = Vec::with_capacity(lines);
        // Before the memory is touched.
        ask_for_huge_pages(fresh.spare_capacity_mut());
        fresh.resize(lines, EMPTY);
        Lines { lines: fresh, bits: usize::BITS - room.leading_zeros(), room, count: 0 }
    }

    /// Whether there is no room for another number.
    pub fn is_full(&self) -> bool {
        self.count >= self.room
    }

    /// Whether there is room for this many more.
    pub fn has_room(&self, more: usize) -> bool {
        self.count + more <= self.room
    }

    /// Makes room; `hashes` gives those of the numbers, from 0 on.
    pub fn grow(&mut self, hashes: impl Iterator<Item = u64>) {
        self.fill(larger(self.lines.len()), hashes);
    }

    /// Gives up all numbers, which are `count`, for room for more: they are added again, by
    /// [`Lines::parts`].
    pub fn make_room(&mut self, more: usize) {
        let mut lines = self.lines.len();
        while lines * SLOTS / 8 * 7 < self.count + more {
            lines = larger(lines);
        }
        let count = self.count;
        self.lines = Vec::new();
        *self = Lines::of(lines);
        self.count = count;
    }

    /// The table in pieces, by the upper bits of hashes, so that several threads may add numbers;
    /// in all as many as are coming.
    pub fn parts(&mut self, parts: usize, coming: usize) -> Vec<Part<'_>> {
        self.count += coming;
        let (all, bits) = (self.lines.len(), self.bits);
        let mut rest = &mut self.lines[..];
        let mut first = 0;
        let piece = |k: usize| {
            let end = (k + 1) * all / parts;
            let (lines, behind) = std::mem::take(&mut rest).split_at_mut(end - first);
            rest = behind;
            Part { lines, first: std::mem::replace(&mut first, end), all, bits }
        };
        (0..parts).map(piece).collect()
    }

    /// The same numbers with other hashes.
    pub fn refill(&mut self, hashes: impl Iterator<Item = u64>) {
        self.fill(self.lines.len(), hashes);
    }

    fn fill(&mut self, lines: usize, hashes: impl Iterator<Item = u64>) {
        self.lines = Vec::new();
        *self = Lines::of(lines);
        let mut ahead = [0; 32];
        let mut number = 0;
        let mut waiting = 0;
        for hash in hashes {
            self.prefetch(hash);
            ahead[waiting] = hash;
            waiting += 1;
            if waiting == ahead.len() {
                ahead.iter().enumerate().for_each(|(k, hash)| self.add(*hash, number + k as u32));
                number += waiting as u32;
                waiting = 0;
            }
        }
        ahead[..waiting].iter().enumerate().for_each(|(k, hash)| self.add(*hash, number + k as u32));
    }

    fn line(&self, hash: u64) -> usize {
        line_of(hash, self.lines.len())
    }

    /// Brings the line of a hash near.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        near(self.lines.as_ptr().wrapping_add(self.line(hash)));
    }

    /// The bits of a hash that a slot keeps, in their place.
    fn tag(&self, hash: u64) -> u32 {
        ((hash as u32 as u64) << self.bits) as u32
    }

    /// The numbers that may belong to a hash, the likeliest first, until one is accepted.
    #[inline]
    pub fn find(&self, hash: u64, mut accept: impl FnMut(u32) -> bool) -> Option<u32> {
        let (tag, low) = (self.tag(hash), low(self.bits));
        let mut at = self.line(hash);
        loop {
            let line = &self.lines[at];
            let (mut alike, is_full) = line.alike(tag, !low);
            while alike != 0 {
                let number = (line.0[alike.trailing_zeros() as usize] & low) - 1;
                if accept(number) {
                    return Some(number);
                }
                alike &= alike - 1;
            }
            if !is_full {
                return None;
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    /// The first number that may belong to a hash, in its first line.
    #[inline]
    pub fn guess(&self, hash: u64) -> Option<u32> {
        let low = low(self.bits);
        let line = &self.lines[self.line(hash)];
        let (alike, _) = line.alike(self.tag(hash), !low);
        (alike != 0).then(|| (line.0[alike.trailing_zeros() as usize] & low) - 1)
    }

    /// Adds the next number; there is room for it.
    pub fn add(&mut self, hash: u64, number: u32) {
        self.count += 1;
        self.put(hash, number);
    }

    /// Adds a number that is counted.
    pub fn put(&mut self, hash: u64, number: u32) {
        let slot = self.tag(hash) | (number + 1);
        let mut at = self.line(hash);
        loop {
            let line = &mut self.lines[at];
            if let Some(free) = line.first_free() {
                line.0[free] = slot;
                return;
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    pub fn memory_bytes(&self) -> u64 {
        (self.lines.capacity() * size_of::<Line>()) as u64
    }
}

/// How many lines come after this many, from some size on a multiple of 64: then all pieces of a
/// table have the same size.
fn larger(lines: usize) -> usize {
    if lines < 1 << 12 { lines * 2 } else { (lines + lines / 2).next_multiple_of(64) }
}

/// A piece of the table, which one thread fills.
pub(crate) struct Part<'a> {
    lines: &'a mut [Line],
    /// The place of its first line, and how many lines all pieces have.
    first: usize,
    all: usize,
    bits: u32,
}

impl Part<'_> {
    /// Where the line of a hash is in the piece; not below its length if it is not there.
    #[inline]
    fn line(&self, hash: u64) -> usize {
        line_of(hash, self.all).wrapping_sub(self.first)
    }

    /// Brings the line of a hash near.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        near(self.lines.as_ptr().wrapping_add(self.line(hash)));
    }

    /// Adds a number; `false` if its line is not here, or all lines from it on are full.
    #[inline]
    pub fn add(&mut self, hash: u64, number: u32) -> bool {
        let slot = ((hash as u32 as u64) << self.bits) as u32 | (number + 1);
        let at = self.line(hash);
        for line in self.lines.get_mut(at..).unwrap_or_default() {
            if let Some(free) = line.first_free() {
                line.0[free] = slot;
                return true;
            }
        }
        false
    }
}

#[inline]
fn line_of(hash: u64, lines: usize) -> usize {
    ((u128::from(hash) * lines as u128) >> 64) as usize
}

fn low(bits: u32) -> u32 {
    ((1u64 << bits) - 1) as u32
}

impl Line {
    /// The first slot that is not in use.
    #[inline]
    fn first_free(&self) -> Option<usize> {
        // Slots fill from the first on, so it has as many before it as are in use.
        let used = self.0.iter().map(|slot| u32::from(*slot != 0)).sum::<u32>() as usize;
        (used < SLOTS).then_some(used)
    }

    /// The slots in use that have a tag under a mask, as bits; whether all are in use.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    #[inline]
    fn alike(&self, tag: u32, mask: u32) -> (u32, bool) {
        use std::arch::x86_64::*;
        // SAFETY: SSE2 is part of every x86-64; the loads are inside the line, which is aligned.
        unsafe {
            let (tag, mask) = (_mm_set1_epi32(tag as i32), _mm_set1_epi32(mask as i32));
            let (mut alike, mut free) = (0, 0);
            for quarter in 0..4 {
                let slots = _mm_load_si128(self.0.as_ptr().add(4 * quarter).cast());
                let same = _mm_cmpeq_epi32(_mm_and_si128(slots, mask), tag);
                let zero = _mm_cmpeq_epi32(slots, _mm_setzero_si128());
                let used = _mm_andnot_si128(zero, same);
                alike |= (_mm_movemask_ps(_mm_castsi128_ps(used)) as u32) << (4 * quarter);
                free |= _mm_movemask_ps(_mm_castsi128_ps(zero));
            }
            (alike, free == 0)
        }
    }

    /// The slots in use that have a tag under a mask, as bits; whether all are in use.
    #[cfg(not(target_arch = "x86_64"))]
    fn alike(&self, tag: u32, mask: u32) -> (u32, bool) {
        let same = |slot: &u32| *slot != 0 && *slot & mask == tag;
        let alike = self.0.iter().enumerate().filter(|(_, slot)| same(slot));
        (alike.fold(0, |bits, (k, _)| bits | 1 << k), self.0.iter().all(|slot| *slot != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::random::Random;

    /// A hash belongs to one piece at most, and what pieces take is found.
    #[test]
    fn pieces_cover_the_table() {
        let mut random = Random::new(2);
        for (lines, parts) in [(1, 3), (4, 2), (4, 32), (37, 3), (64, 32), (100, 7), (4096, 1)] {
            let mut table = Lines::of(lines);
            let hashes: Vec<u64> = (0..table.room).map(|_| random.number()).collect();
            let mut pieces = table.parts(parts, hashes.len());
            let mut left = Vec::new();
            for (number, hash) in hashes.iter().enumerate() {
                let owners = pieces.iter().filter(|piece| piece.line(*hash) < piece.lines.len()).count();
                assert_eq!(owners, 1, "{hash:x}, {lines} lines, {parts} parts");
                let added = pieces.iter_mut().any(|piece| piece.add(*hash, number as u32));
                left.extend((!added).then_some((*hash, number as u32)));
            }
            left.into_iter().for_each(|(hash, number)| table.put(hash, number));
            assert!(table.is_full());
            for (number, hash) in hashes.iter().enumerate() {
                assert_eq!(table.find(*hash, |found| found == number as u32), Some(number as u32));
            }
        }
    }
}

//! Stores that keep less than states: of a state that is left a few bits remain.
//!
//! States on the stack of a depth-first search are kept whole, so runs can be shown and the proviso
//! is exact. Of all others a *filter* knows the hash, or a part of it:
//! * `Hashes`: 64 bits (hash compaction; Wolper, Leroy, *Reliable hashing without collision
//!   detection*, 1993). Slots lie in 256 tables that grow one at a time, so that growing takes
//!   little room.
//! * `Bits`: three bits (Holzmann, *An analysis of bitstate hashing*, 1998), all in one cache
//!   line: one access to memory for each look (Putze, Sanders, Singler, *Cache-, hash- and
//!   space-efficient Bloom filters*, 2007).
//!
//! A state may be taken for another and is then not searched: what is found is right, but that
//! nothing is found means little. How many that were is estimated while the search goes on. When a
//! new state comes, a state is taken for another with some probability p, which is known exactly:
//! the share of filled slots, or the mean over all lines of the cube of the share of ones. So
//! before each state that is stored p / (1 − p) were missed on average. What only those lead to
//! is not counted.
//!
//! All states that are known and not on the stack have one number, `GONE`. That is enough as long
//! as nothing sleeps: a state is then visited once.

use super::{Inserted, StateId, StateStore, hash, near};
use independence::fold::Folding;
use logic::random::Random;
use space::{Edges, Rest, Stepper};
use std::collections::HashMap;

/// The number of every state that is known and not on the stack.
const GONE: StateId = 0;

/// What a search may have missed because of its store.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// How many states were taken for others, roughly; nothing if that is not known.
    pub missed: Option<f64>,
    /// The share of slots or bits that are in use.
    pub filled: f64,
    /// How many searches there were.
    pub searches: u64,
}

/// What is known of states that are left.
pub(crate) trait Filter {
    fn has(&self, hash: u64) -> bool;

    /// Adds a hash; whether it was not there.
    fn add(&mut self, hash: u64) -> bool;

    /// Brings near where a hash is looked for.
    fn prefetch(&self, hash: u64);

    fn memory_bytes(&self) -> u64;

    /// The probability that a new state is taken for another now, and what is in use.
    fn filled(&self) -> (f64, f64);
}

/// A store that keeps the states on the stack, and a filter of all others.
pub(crate) struct Lossy<F> {
    filter: F,
    /// Other seeds make other mistakes.
    seed: u64,
    entries: Vec<Entry>,
    unused: Vec<StateId>,
    /// States on the stack by their hashes.
    held: HashMap<u64, StateId, Folding>,
    bytes: usize,
    missed: f64,
}

#[derive(Default)]
struct Entry {
    state: Vec<u8>,
    hash: u64,
    held: u32,
}

impl<F: Filter> Lossy<F> {
    pub fn new(filter: F, seed: u64) -> Self {
        Lossy {
            filter,
            seed,
            entries: vec![Entry::default()],
            unused: Vec::new(),
            held: HashMap::default(),
            bytes: 0,
            missed: 0.0,
        }
    }

    fn hash(&self, state: &[u8]) -> u64 {
        if self.seed == 0 { hash(state) } else { scatter(hash(state) ^ self.seed) }
    }
}

/// A permutation of all numbers in which no bit depends on few others.
fn scatter(number: u64) -> u64 {
    Random::new(number).number()
}

impl<F: Filter> StateStore for Lossy<F> {
    /// The hash of the state.
    type Target = u64;

    fn open(&mut self, id: StateId) -> &[u8] {
        &self.entries[id as usize].state
    }

    fn copy(&self, id: StateId) -> Vec<u8> {
        self.entries[id as usize].state.clone()
    }

    fn first(&mut self, state: &[u8], _: &impl Stepper) -> Inserted {
        self.insert(state, self.hash(state))
    }

    fn expand(
        &mut self,
        id: StateId,
        stepper: &mut impl Stepper,
        edges: &mut Edges,
        targets: &mut Vec<u64>,
    ) -> Rest {
        edges.clear();
        let rest = stepper.expand(&self.entries[id as usize].state, edges);
        targets.clear();
        for state in edges.iter() {
            let hash = self.hash(state);
            self.filter.prefetch(hash);
            targets.push(hash);
        }
        rest
    }

    fn find(&self, _: &[u8], hash: u64) -> Option<StateId> {
        self.filter.has(hash).then(|| self.held.get(&hash).copied().unwrap_or(GONE))
    }

    fn insert(&mut self, state: &[u8], hash: u64) -> Inserted {
        let (taken, _) = self.filter.filled();
        if !self.filter.add(hash) {
            return Inserted::Known(self.held.get(&hash).copied().unwrap_or(GONE));
        }
        if self.entries.len() >= u32::MAX as usize - 1 {
            return Inserted::Full;
        }
        self.missed += taken / (1.0 - taken).max(f64::MIN_POSITIVE);
        let id = self.unused.pop().unwrap_or_else(|| {
            self.entries.push(Entry::default());
            (self.entries.len() - 1) as StateId
        });
        let entry = &mut self.entries[id as usize];
        self.bytes -= entry.state.capacity();
        entry.state.clear();
        entry.state.extend_from_slice(state);
        self.bytes += entry.state.capacity();
        (entry.hash, entry.held) = (hash, 0);
        self.held.insert(hash, id);
        Inserted::New(id)
    }

    fn gone(&self) -> Option<StateId> {
        Some(GONE)
    }

    fn hold(&mut self, id: StateId) {
        self.entries[id as usize].held += 1;
    }

    fn release(&mut self, id: StateId) {
        let entry = &mut self.entries[id as usize];
        entry.held -= 1;
        if entry.held == 0 {
            self.held.remove(&entry.hash);
            self.unused.push(id);
        }
    }

    fn memory_bytes(&self) -> u64 {
        let entries = self.entries.capacity() * size_of::<Entry>() + self.unused.capacity() * 4;
        let held = self.held.capacity() * (size_of::<(u64, StateId)>() + 1);
        (self.bytes + entries + held) as u64 + self.filter.memory_bytes()
    }

    fn losses(&self) -> Option<Losses> {
        let (_, filled) = self.filter.filled();
        Some(Losses { missed: Some(self.missed), filled, searches: 1 })
    }
}

/// How many tables hashes lie in.
const TABLES: usize = 256;

/// 64 bits of each state, by open addressing; 0 is free.
pub(crate) struct Hashes {
    tables: Vec<Table>,
    count: u64,
    slots: u64,
}

struct Table {
    slots: Vec<u64>,
    count: usize,
}

impl Default for Hashes {
    fn default() -> Self {
        const SLOTS: usize = 16;
        let table = || Table { slots: vec![0; SLOTS], count: 0 };
        let tables = std::iter::repeat_with(table).take(TABLES).collect();
        Hashes { tables, count: 0, slots: (TABLES * SLOTS) as u64 }
    }
}

impl Table {
    /// The upper eight bits have chosen the table.
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash << 8) * self.slots.len() as u128) >> 64) as usize
    }

    /// Where a hash is, or the slot where it would go.
    fn probe(&self, hash: u64) -> Result<usize, usize> {
        let mut at = self.home(hash);
        loop {
            match self.slots[at] {
                0 => return Err(at),
                slot if slot == hash => return Ok(at),
                _ => at = if at + 1 == self.slots.len() { 0 } else { at + 1 },
            }
        }
    }

    /// Makes room for half as many again.
    fn grow(&mut self) {
        let slots = vec![0; self.slots.len() * 3 / 2];
        let old = std::mem::replace(&mut self.slots, slots);
        for hash in old.into_iter().filter(|hash| *hash != 0) {
            if let Err(at) = self.probe(hash) {
                self.slots[at] = hash;
            }
        }
    }
}

/// The table of a hash, and the hash as it is kept there.
fn place(hash: u64) -> (usize, u64) {
    ((hash >> 56) as usize, hash.max(1))
}

impl Filter for Hashes {
    fn has(&self, hash: u64) -> bool {
        let (table, hash) = place(hash);
        self.tables[table].probe(hash).is_ok()
    }

    fn add(&mut self, hash: u64) -> bool {
        let (table, hash) = place(hash);
        let table = &mut self.tables[table];
        let Err(mut at) = table.probe(hash) else { return false };
        if (table.count + 1) * 8 > table.slots.len() * 7 {
            let before = table.slots.len();
            table.grow();
            self.slots += (table.slots.len() - before) as u64;
            at = table.probe(hash).unwrap_or_else(|at| at);
        }
        table.slots[at] = hash;
        table.count += 1;
        self.count += 1;
        true
    }

    fn prefetch(&self, hash: u64) {
        let (table, hash) = place(hash);
        let table = &self.tables[table];
        near(&raw const table.slots[table.home(hash)]);
    }

    fn memory_bytes(&self) -> u64 {
        8 * self.slots
    }

    fn filled(&self) -> (f64, f64) {
        (self.count as f64 / 2f64.powi(64), self.count as f64 / self.slots as f64)
    }
}

/// Words of a line.
const WORDS: usize = 8;

/// Bits of a line.
const LINE: u64 = 64 * WORDS as u64;

/// Three bits of each state.
pub(crate) struct Bits {
    words: Vec<u64>,
    /// Where the first line begins: lines are those of the cache.
    start: usize,
    lines: u64,
    ones: u64,
    /// The sum of the cubes of the ones of each line.
    cubes: u64,
}

impl Bits {
    /// In about this many bytes.
    pub fn new(bytes: u64) -> Bits {
        let lines = (bytes / (LINE / 8)).clamp(1, 1 << 33);
        let words = vec![0u64; lines as usize * WORDS + WORDS - 1];
        super::ask_for_huge_pages(&words);
        let start = words.as_ptr().align_offset(LINE as usize / 8).min(WORDS - 1);
        Bits { words, start, lines, ones: 0, cubes: 0 }
    }

    fn line(&self, hash: u64) -> usize {
        self.start + WORDS * ((u128::from(hash) * u128::from(self.lines)) >> 64) as usize
    }
}

/// The three bits of a hash, by word.
fn ones(hash: u64) -> [(usize, u64); 3] {
    let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    [55, 46, 37].map(|shift| {
        let bit = mixed >> shift & (LINE - 1);
        ((bit / 64) as usize, 1 << (bit % 64))
    })
}

impl Filter for Bits {
    fn has(&self, hash: u64) -> bool {
        let at = self.line(hash);
        ones(hash).iter().all(|(word, bit)| self.words[at + word] & bit != 0)
    }

    fn add(&mut self, hash: u64) -> bool {
        let at = self.line(hash);
        let line = &mut self.words[at..at + WORDS];
        let count = |line: &[u64]| line.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let before = count(line);
        ones(hash).iter().for_each(|(word, bit)| line[*word] |= bit);
        let after = count(line);
        self.ones += after - before;
        self.cubes += after.pow(3) - before.pow(3);
        after > before
    }

    fn prefetch(&self, hash: u64) {
        near(&raw const self.words[self.line(hash)]);
    }

    fn memory_bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    fn filled(&self) -> (f64, f64) {
        let all = (self.lines * LINE) as f64;
        (self.cubes as f64 / (all * (LINE * LINE) as f64), self.ones as f64 / all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn hashes_are_a_set() {
        let (mut hashes, mut plain, mut random) = (Hashes::default(), HashSet::new(), Random::new(3));
        for _ in 0..200_000 {
            let hash = scatter(random.below(90_000) as u64 + 1);
            assert_eq!(hashes.has(hash), plain.contains(&hash));
            assert_eq!(hashes.add(hash), plain.insert(hash));
        }
        let bytes = hashes.memory_bytes() as f64 / plain.len() as f64;
        assert!(bytes < 14.5, "{bytes} bytes a state");
    }

    /// What is added is there, and the estimate of what was taken for others is right.
    #[test]
    fn bits_miss_as_many_as_they_say() {
        for (bytes, count) in [(1 << 14, 20_000u64), (1 << 16, 30_000), (1 << 20, 100_000)] {
            let (mut bits, mut missed, mut estimate) = (Bits::new(bytes), 0u64, 0.0);
            for number in 1..=count {
                let (taken, _) = bits.filled();
                let hash = scatter(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                if bits.add(hash) {
                    estimate += taken / (1.0 - taken);
                } else {
                    missed += 1;
                }
                assert!(bits.has(hash));
            }
            let spread = 5.0 * estimate.sqrt() + 0.05 * estimate + 3.0;
            assert!((estimate - missed as f64).abs() < spread, "{missed} missed, {estimate} estimated");
        }
    }
}

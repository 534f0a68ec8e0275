//! The exact set of states seen: packed states one behind the other in an arena, found through an
//! open-addressing table.
//!
//! A slot holds the number of a state and 32 bits of its hash; a state is compared byte by byte
//! only if those agree, so the answer is exact. The upper ones of these bits choose the slot, so
//! that the table can double (at 3/4) without touching the arena. Lengths are stored only if they
//! differ. Cost of a lookup: one cache line of the table, and the state itself if found; callers
//! hash a batch first and let the store [`Store::prefetch`] the slots, then the states. Memory is
//! asked for in huge pages where the system has them.

pub mod cache;
pub(crate) mod chunks;
pub(crate) mod coder;
mod dictionary;
mod fill;
pub mod joined;
mod joining;
pub(crate) mod keyed;
pub(crate) mod lately;
pub(crate) mod lines;
pub mod lossy;
pub(crate) mod packed;
mod sample;
pub(crate) mod shapes;
pub mod shared;

use space::{Edges, Rest, Stepper};

/// The number of a stored state, in order of insertion.
pub type StateId = u32;

/// What a search keeps of the states it has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All of them, exactly.
    #[default]
    All,
    /// At most this many; others are forgotten once they are left (thesis, section 8.4).
    AtMost(usize),
    /// Of those that are left, 64 bits of a hash.
    Hashes,
    /// Of those that are left, three bits, in a table of this many bytes.
    Bits(u64),
}

impl Keep {
    /// Whether a state may be taken for another.
    pub fn is_lossy(self) -> bool {
        matches!(self, Keep::Hashes | Keep::Bits(_))
    }
}

/// The set of states that were met, each with its number.
pub struct Store {
    arena: Vec<u8>,
    /// Where each state ends; empty while all states have the same length.
    ends: Vec<u64>,
    /// The length all states have so far.
    uniform: Option<usize>,
    count: usize,
    table: Vec<Slot>,
    /// How far a 32-bit tag is shifted to give its slot.
    shift: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    /// State number plus one; 0 is free.
    state: u32,
    tag: u32,
}

const FREE: Slot = Slot { state: 0, tag: 0 };

/// What became of a state offered to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is new, and has this number.
    New(StateId),
    /// It was stored before, under this number.
    Known(StateId),
    /// There is no number left for it.
    Full,
}

/// Where a depth-first search keeps states. Those it holds must stay; others may be forgotten.
pub(crate) trait StateStore {
    /// What an edge leads to, until the next state is expanded.
    type Target: Copy;

    /// The bytes of a state.
    fn open(&mut self, id: StateId) -> &[u8];

    fn copy(&self, id: StateId) -> Vec<u8>;

    /// Adds an initial state.
    fn first(&mut self, state: &[u8], stepper: &impl Stepper) -> Inserted;

    /// Makes the edges of a state and what each leads to, and brings near where that is looked for.
    /// The bytes of edges are there only if something is wrong with the state, or states may be
    /// forgotten.
    fn expand(
        &mut self,
        id: StateId,
        stepper: &mut impl Stepper,
        edges: &mut Edges,
        targets: &mut Vec<Self::Target>,
    ) -> Rest;

    /// Then brings near the state that is found there.
    fn prefetch(&self, _target: Self::Target) -> Option<StateId> {
        None
    }

    fn find(&self, state: &[u8], target: Self::Target) -> Option<StateId>;

    /// Adds a state unless it is there; it should be held before the next one comes.
    fn insert(&mut self, state: &[u8], target: Self::Target) -> Inserted;

    /// Whether what is stored stays and may wait for its visit.
    fn keeps_all(&self) -> bool {
        false
    }

    /// A state that is there came again.
    fn meet(&mut self, _: StateId) {}

    fn hold(&mut self, _: StateId) {}

    /// Once for each hold.
    fn release(&mut self, _: StateId) {}

    fn memory_bytes(&self) -> u64;

    /// The number of all states that are known but not kept, if there are such.
    fn gone(&self) -> Option<StateId> {
        None
    }

    /// What may have been missed, if states may be taken for others.
    fn losses(&self) -> Option<lossy::Losses> {
        None
    }

    /// What was forgotten, if that may happen.
    fn account(&self) -> Option<cache::CacheStatistics> {
        None
    }
}

/// Makes a vector longer by a small part of its length at a time: what is reserved is not much more
/// than what is used. A large block is moved by its addresses, not copied.
pub(crate) fn lengthen<T: Copy>(vector: &mut Vec<T>, length: usize, value: T) {
    if vector.capacity() < length {
        let more = (vector.len() / 8).max(1 << 8);
        vector.reserve_exact(length + more - vector.len());
    }
    vector.resize(length, value);
}

impl Default for Store {
    fn default() -> Self {
        Store::with_slots(1 << 12)
    }
}

impl Store {
    /// One that takes little room while it is empty.
    pub(crate) fn small() -> Self {
        Store::with_slots(1 << 6)
    }

    /// An empty store with this many slots, a power of two.
    fn with_slots(slots: usize) -> Self {
        Store {
            arena: Vec::new(),
            ends: Vec::new(),
            uniform: None,
            count: 0,
            table: vec![FREE; slots],
            shift: 32 - slots.trailing_zeros(),
        }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How much memory the store takes.
    pub fn memory_bytes(&self) -> u64 {
        (self.arena.capacity() + self.ends.capacity() * 8 + self.table.capacity() * size_of::<Slot>()) as u64
    }

    /// How much of that is in use.
    pub(crate) fn used_bytes(&self) -> usize {
        self.arena.len() + self.ends.len() * 8 + self.table.len() * size_of::<Slot>()
    }

    /// The bytes of a state.
    pub fn get(&self, id: StateId) -> &[u8] {
        let id = id as usize;
        match (self.ends.is_empty(), self.uniform) {
            (true, Some(length)) => &self.arena[id * length..(id + 1) * length],
            _ => {
                let start = if id == 0 { 0 } else { self.ends[id - 1] as usize };
                &self.arena[start..self.ends[id] as usize]
            }
        }
    }

    /// Where the slots are, and how far a tag is shifted to give one.
    fn slots(&self) -> (*const Slot, u32) {
        (self.table.as_ptr(), self.shift)
    }

    /// Brings the slot of a hash near.
    pub fn prefetch(&self, hash: u64) {
        near(&raw const self.table[self.slot(tag(hash))]);
    }

    /// Brings the state that a hash may belong to near, after its slot.
    pub fn prefetch_state(&self, hash: u64) {
        let slot = self.table[self.slot(tag(hash))];
        if slot.state != 0 && slot.tag == tag(hash) {
            let state = self.get(slot.state - 1);
            near(state.as_ptr());
            near(state.as_ptr().wrapping_add(64));
        }
    }

    fn slot(&self, tag: u32) -> usize {
        (u64::from(tag) >> self.shift) as usize
    }

    /// Adds a state unless it is there; `hash` is [`hash`] of it.
    pub fn insert(&mut self, state: &[u8], hash: u64) -> Inserted {
        if self.count * 4 >= self.table.len() * 3 && !self.grow() {
            return Inserted::Full;
        }
        let at = match self.probe(state, hash) {
            Ok(id) => return Inserted::Known(id),
            Err(at) => at,
        };
        if self.count >= u32::MAX as usize - 1 {
            return Inserted::Full;
        }
        let id = self.count as StateId;
        self.append(state);
        self.table[at] = Slot { state: id + 1, tag: tag(hash) };
        Inserted::New(id)
    }

    /// The number of a state that is there; `hash` is [`hash`] of it.
    pub fn find(&self, state: &[u8], hash: u64) -> Option<StateId> {
        self.probe(state, hash).ok()
    }

    /// The number of a state, or the slot where it would go.
    fn probe(&self, state: &[u8], hash: u64) -> Result<StateId, usize> {
        let tag = tag(hash);
        let mask = self.table.len() - 1;
        let mut at = self.slot(tag);
        loop {
            let slot = self.table[at];
            if slot.state == 0 {
                return Err(at);
            }
            if slot.tag == tag && self.get(slot.state - 1) == state {
                return Ok(slot.state - 1);
            }
            at = (at + 1) & mask;
        }
    }

    /// Whether there is no number left for another state.
    pub fn is_full(&self) -> bool {
        self.count >= u32::MAX as usize - 1 || self.shift == 0 && self.count * 4 >= self.table.len() * 3
    }

    fn append(&mut self, state: &[u8]) {
        match self.uniform {
            None => self.uniform = Some(state.len()),
            Some(length) if self.ends.is_empty() && length != state.len() => {
                self.ends = (1..=self.count).map(|k| (k * length) as u64).collect();
            }
            Some(_) => {}
        }
        if self.arena.capacity() - self.arena.len() < state.len() {
            self.arena.reserve(self.arena.len().max(1 << 10));
            ask_for_huge_pages(self.arena.spare_capacity_mut());
        }
        self.arena.extend_from_slice(state);
        self.count += 1;
        if !self.ends.is_empty() {
            self.ends.push(self.arena.len() as u64);
        }
    }

    /// Doubles the table; `false` if it is as large as it can be.
    fn grow(&mut self) -> bool {
        if self.shift == 0 {
            return false;
        }
        let slots = self.table.len() * 2;
        let old = std::mem::replace(&mut self.table, vec![FREE; slots]);
        ask_for_huge_pages(&self.table);
        self.shift -= 1;
        for slot in old.into_iter().filter(|slot| slot.state != 0) {
            let mut at = self.slot(slot.tag);
            while self.table[at].state != 0 {
                at = (at + 1) & (slots - 1);
            }
            self.table[at] = slot;
        }
        true
    }
}

/// The bits of a hash that a slot keeps.
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Brings a cache line near.
pub(crate) fn near<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: prefetching has no effect but on the cache; any address is allowed.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(address.cast::<i8>(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Tells the system that memory will be used all over, so that it may use huge pages for it.
fn ask_for_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code)]
    {
        const HUGE: usize = 2 << 20;
        let start = (memory.as_ptr() as usize).next_multiple_of(HUGE);
        let end = (memory.as_ptr() as usize + size_of_val(memory)) / HUGE * HUGE;
        if start < end {
            // SAFETY: the range lies inside live memory; the advice changes nothing about its
            // contents.
            unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// A hash of bytes, after wyhash: multiplication to 128 bits, folded.
pub fn hash(bytes: &[u8]) -> u64 {
    let mut seed = 0x9e37_79b9_7f4a_7c15 ^ bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(16);
    for chunk in &mut chunks {
        seed = mix(word(&chunk[..8]) ^ 0xa076_1d64_78bd_642f, word(&chunk[8..]) ^ seed);
    }
    let rest = chunks.remainder();
    let (low, high) = match rest.len() {
        0 => (0, 0),
        1..=8 => (partial(rest), 0),
        _ => (word(&rest[..8]), partial(&rest[8..])),
    };
    mix(mix(low ^ 0xe703_7ed1_a0b4_28db, high ^ seed), 0x8ebc_6af0_9c88_c6e3)
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

fn word(bytes: &[u8]) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[..8]);
    u64::from_le_bytes(eight)
}

fn partial(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |acc, b| acc << 8 | u64::from(*b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn agrees_with_a_hash_map_on_many_states_of_mixed_lengths() {
        let mut store = Store::default();
        let mut reference: HashMap<Vec<u8>, StateId> = HashMap::new();
        let mut random = logic::random::Random::new(7);
        for _ in 0..200_000 {
            let x = random.number();
            let length = 3 + (x >> 60) as usize;
            let state: Vec<u8> = (0..length).map(|k| ((x >> (20 + 3 * (k % 5))) % 5) as u8).collect();
            let inserted = store.insert(&state, hash(&state));
            match reference.get(&state) {
                Some(id) => assert_eq!(inserted, Inserted::Known(*id)),
                None => {
                    let id = reference.len() as StateId;
                    assert_eq!(inserted, Inserted::New(id));
                    reference.insert(state, id);
                }
            }
        }
        assert_eq!(store.len(), reference.len());
        assert!(reference.iter().all(|(state, id)| store.get(*id) == state.as_slice()));
        assert!(reference.iter().all(|(state, id)| store.find(state, hash(state)) == Some(*id)));
        assert_eq!(store.find(b"no such state", hash(b"no such state")), None);
    }
}

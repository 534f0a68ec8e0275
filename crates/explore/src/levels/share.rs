//! What the states of a share lead to: candidates, which of them are new, and their numbers.

use super::PARTS;
use crate::parents::Parents;
use crate::store::StateId;
use crate::store::coder::Key;
use crate::store::lines::Part;
use crate::store::packed::{Packed, Tail, hash};
use space::{FaultAt, Rest, Stepper, Undefined};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What the states of a share lead to.
#[derive(Default)]
pub(super) struct Share {
    /// The number of its first state.
    first: usize,
    pub expanded: Vec<Expanded>,
    /// The keys of candidates, in order.
    keys: Vec<Key>,
    /// By the upper bits of their hashes: where each is in `keys`.
    parts: Vec<Vec<u32>>,
    /// By candidate: whether it is the first with its key.
    pub new: Vec<AtomicBool>,
    /// By candidate: its number if it is new.
    numbers: Vec<StateId>,
    /// Candidates that have no key yet, and where their bytes end.
    unknown: Vec<(u32, usize)>,
    pub bytes: Vec<u8>,
    pub wrong: Vec<Wrong>,
    /// An edge was left out because of a bound.
    pub cut: bool,
    /// One worker alone would not go on behind it, or everything is over.
    pub ends: bool,
}

/// How many edges a state has, and how many candidates.
pub(super) struct Expanded {
    pub edges: u32,
    pub candidates: u32,
}

/// What is wrong with a state.
pub(super) struct Wrong {
    pub number: StateId,
    pub rest: Rest,
    pub faults: Vec<FaultAt>,
    pub undefined: Option<Undefined>,
}

/// Which of the parts a hash belongs to.
#[inline]
fn part_of(hash: u64) -> usize {
    (hash >> (u64::BITS - PARTS.trailing_zeros())) as usize
}

impl Share {
    pub fn clear(&mut self) {
        self.expanded.clear();
        self.keys.clear();
        self.parts.iter_mut().for_each(Vec::clear);
        self.new.clear();
        self.numbers.clear();
        self.unknown.clear();
        self.bytes.clear();
        self.wrong.clear();
        self.cut = false;
        self.ends = false;
    }

    pub fn memory_bytes(&self) -> u64 {
        let parts: usize = self.parts.iter().map(Vec::capacity).sum();
        let numbers = size_of::<StateId>() * (parts + self.numbers.capacity());
        let flags = self.new.capacity() + self.bytes.capacity();
        (size_of::<Key>() * self.keys.capacity() + numbers + flags) as u64
    }

    /// It begins with the state that has this number.
    pub fn begin(&mut self, first: usize) {
        self.first = first;
        self.parts.resize_with(PARTS, Vec::new);
    }

    /// How many candidates there are.
    pub fn candidates(&self) -> usize {
        self.keys.len()
    }

    /// Adds a candidate without a key; its bytes end here.
    pub fn push_unknown(&mut self, end: usize) {
        self.unknown.push((self.keys.len() as u32, end));
        self.keys.push(0);
    }

    /// Adds a candidate.
    #[inline]
    pub fn push(&mut self, key: Key, hash: u64) {
        self.parts[part_of(hash)].push(self.keys.len() as u32);
        self.keys.push(key);
    }

    /// How many candidates a part has.
    pub fn part_len(&self, part: usize) -> usize {
        self.parts.get(part).map_or(0, Vec::len)
    }

    /// The candidates of a part: their keys, and their places among all of the share.
    pub fn part(&self, part: usize) -> impl Iterator<Item = (Key, usize)> {
        let places = self.parts.get(part).map_or(&[][..], Vec::as_slice);
        places.iter().map(|place| (self.keys[*place as usize], *place as usize))
    }

    /// Gives candidates the keys they lack; `false` if keys must be widened.
    pub fn intern(&mut self, store: &mut Packed, stepper: &impl Stepper) -> bool {
        self.new.resize_with(self.keys.len(), AtomicBool::default);
        let (mut start, mut all) = (0, true);
        for (place, end) in std::mem::take(&mut self.unknown) {
            let state = &self.bytes[std::mem::replace(&mut start, end)..end];
            let Some(key) = store.intern(state, stepper) else {
                all = false;
                continue;
            };
            self.keys[place as usize] = key;
            let places = &mut self.parts[part_of(hash(key))];
            places.insert(places.partition_point(|other| *other < place), place);
        }
        all
    }

    /// Ends the share behind the state with which there are more new ones than this; whether there
    /// is one.
    pub fn end_at(&mut self, most: usize) -> bool {
        if self.keys.len() <= most {
            return false;
        }
        let (mut place, mut found) = (0, 0);
        for at in 0..self.expanded.len() {
            let to = place + self.expanded[at].candidates as usize;
            found += self.new[place..to].iter().filter(|new| new.load(Relaxed)).count();
            place = to;
            if found > most {
                self.end_behind(at, place);
                return true;
            }
        }
        false
    }

    fn end_behind(&mut self, at: usize, place: usize) {
        let first = self.first;
        self.expanded.truncate(at + 1);
        self.new[place..].iter().for_each(|new| new.store(false, Relaxed));
        self.wrong.retain(|wrong| wrong.number as usize <= first + at);
    }

    /// Numbers the new states from `next` on; the number behind the last.
    pub fn number(&mut self, next: usize) -> usize {
        let mut next = next;
        self.numbers.clear();
        for new in &self.new {
            self.numbers.push(next as StateId);
            next += usize::from(new.load(Relaxed));
        }
        next
    }

    /// Appends the keys of the new states, and notes who found them; how many edges there were.
    pub fn append(&self, tail: &mut Tail<'_>, parents: &mut Parents) -> u64 {
        let mut candidates = self.keys.iter().zip(&self.new);
        let mut edges = 0;
        for expanded in &self.expanded {
            edges += u64::from(expanded.edges);
            let mut found = 0;
            for (key, new) in candidates.by_ref().take(expanded.candidates as usize) {
                if new.load(Relaxed) {
                    tail.append(*key);
                    found += 1;
                }
            }
            parents.expanded(found);
        }
        edges
    }
}

/// Adds the numbers of the new states of a part to its piece of the table; gives those that found
/// no room there.
pub(super) fn add(shares: &[&Share], part: usize, piece: &mut Part<'_>) -> Vec<(u64, StateId)> {
    let mut left = Vec::new();
    let mut ahead: Vec<(u64, StateId)> = Vec::new();
    for share in shares {
        // What the share before left has come near.
        let waiting = ahead.len();
        for (key, place) in share.part(part).filter(|(_, place)| share.new[*place].load(Relaxed)) {
            let hash = hash(key);
            piece.prefetch(hash);
            ahead.push((hash, share.numbers[place]));
        }
        left.extend(ahead.drain(..waiting).filter(|(hash, number)| !piece.add(*hash, *number)));
    }
    left.extend(ahead.drain(..).filter(|(hash, number)| !piece.add(*hash, *number)));
    left
}

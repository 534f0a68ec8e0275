//! The exact set of states seen, as keys: a state takes the bytes of its key and a slot of the
//! table.
//!
//! Keys lie one behind the other in the order of insertion, so the position of a key is the number
//! of its state ([`super::coder`] makes keys, [`super::lines`] finds them). The successors of a
//! state are looked up together: [`Packed::try_keys`] makes all their keys. If some part has more
//! values than its bits can tell apart, [`Packed::widen`] makes all stored keys anew, and other
//! keys become invalid. [`Packed::find`] and [`Packed::insert`] use keys.

use super::coder::{Apart, Coder, Field, Key, LONGEST, MOST};
use super::fill::fill;
use super::joining::{Column, joins};
use super::lines::{Lines, Part};
use super::shapes::{Joined, Room, Shape};
use super::{Inserted, StateId, ask_for_huge_pages, mix};
use space::{Edges, Stepper};

/// The exact set of states seen.
#[derive(Default)]
pub(crate) struct Packed {
    coder: Coder,
    /// The keys, `stride` bytes each, and room behind the last to read whole words.
    keys: Vec<u8>,
    stride: usize,
    count: usize,
    lines: Lines,
    /// Parts are not joined again before there are this many states.
    next_joining: usize,
    /// How many states there were when joining was last forced, and how many parts were allowed.
    forced: Option<(usize, usize)>,
    /// How often keys were made anew.
    generation: u32,
}

/// What makes keys of what edges lead to.
pub(crate) trait Keys {
    fn store(&self) -> &Packed;

    /// Makes the keys and brings near where they are looked for; `false` if not all have one yet.
    fn try_keys(&mut self, from: &Apart, edges: &Edges, stepper: &impl Stepper, keys: &mut Vec<Key>) -> bool;
}

/// A store that several threads read: it gives no part a new number.
pub(crate) struct Frozen<'a> {
    pub store: &'a Packed,
    pub room: &'a mut Room,
}

impl Keys for Frozen<'_> {
    fn store(&self) -> &Packed {
        self.store
    }

    fn try_keys(&mut self, from: &Apart, edges: &Edges, stepper: &impl Stepper, keys: &mut Vec<Key>) -> bool {
        edges.iter().all(|state| {
            let key = self.key(from, state, stepper);
            keys.extend(key);
            key.is_some()
        })
    }
}

impl Frozen<'_> {
    /// The key of a state near another, if all its parts are known.
    pub fn key(&mut self, from: &Apart, state: &[u8], stepper: &impl Stepper) -> Option<Key> {
        self.store.coder.known(from, state, |state, cut| stepper.cut(state, cut), self.room)
    }
}

/// Where keys are appended, while their numbers are added to the table.
pub(crate) struct Tail<'a> {
    keys: &'a mut Vec<u8>,
    count: &'a mut usize,
    stride: usize,
}

impl Tail<'_> {
    #[inline]
    pub fn append(&mut self, key: Key) {
        append(self.keys, *self.count * self.stride, key);
        *self.count += 1;
    }
}

/// Room behind the last key.
const BEHIND: usize = size_of::<Key>();

/// Parts are joined for the first time when there are this many states (few with debug assertions,
/// so that small models test it),
const FIRST: usize = if cfg!(debug_assertions) { 1 << 5 } else { 1 << 14 };

/// and again each time that there are this many times as many.
const LATER: usize = 8;

/// At least this many of them are looked at, and less than twice as many.
const SAMPLE: usize = 1 << 10;

impl Keys for Packed {
    fn store(&self) -> &Packed {
        self
    }

    /// If not all have a key yet, [`Packed::widen`] must be called, which makes all keys invalid,
    /// and `from` opened again.
    fn try_keys(&mut self, from: &Apart, edges: &Edges, stepper: &impl Stepper, keys: &mut Vec<Key>) -> bool {
        let mut start = 0;
        for end in &edges.ends {
            let state = &edges.bytes[start..*end];
            let key = self.coder.near(from, state, |state, cut| stepper.cut(state, cut));
            self.lines.prefetch(hash(key));
            keys.push(key);
            start = *end;
        }
        !self.coder.is_outgrown()
    }
}

impl Packed {
    pub fn len(&self) -> usize {
        self.count
    }

    /// Bytes in use.
    pub fn memory_bytes(&self) -> u64 {
        self.keys.capacity() as u64 + self.lines.memory_bytes() + self.coder.memory_bytes()
    }

    /// Whether there is no number left for another state.
    pub fn is_full(&self) -> bool {
        self.count >= u32::MAX as usize - 1
    }

    /// Takes a stored state apart.
    pub fn open(&self, id: StateId, apart: &mut Apart) {
        self.coder.open(self.key(id), apart);
    }

    /// Takes the state with a key apart.
    pub fn open_key(&self, key: Key, apart: &mut Apart) {
        self.coder.open(key, apart);
    }

    /// The number of a key's shape.
    #[inline]
    pub fn shape_of(&self, key: Key) -> u32 {
        self.coder.shape_of(key)
    }

    /// The shape with a number.
    pub fn shape(&self, number: u32) -> &Shape {
        self.coder.shape(number)
    }

    /// Where the numbers of parts are in keys.
    #[inline]
    pub fn fields(&self) -> &[Field] {
        self.coder.fields()
    }

    /// Appends a stored state to `out`.
    pub fn read(&self, id: StateId, out: &mut Vec<u8>) {
        self.coder.read(self.key(id), out);
    }

    /// Appends the state with a key to `out`.
    #[cfg(debug_assertions)]
    pub fn read_key(&self, key: Key, out: &mut Vec<u8>) {
        self.coder.read(key, out);
    }

    /// A stored state.
    pub fn get(&self, id: StateId) -> Vec<u8> {
        let mut state = Vec::new();
        self.read(id, &mut state);
        state
    }

    /// How often keys were made anew: what was known of keys is not true any more.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The key of any state; `None` if keys must be widened, but what is new in it has a number.
    pub fn intern(&mut self, state: &[u8], stepper: &impl Stepper) -> Option<Key> {
        let key = self.coder.far(state, |state, cut| stepper.cut(state, cut));
        (!self.coder.is_outgrown()).then_some(key)
    }

    /// The key of any state; keys made before are not valid any more.
    pub fn key_of(&mut self, state: &[u8], stepper: &impl Stepper) -> Key {
        loop {
            let key = self.coder.far(state, |state, cut| stepper.cut(state, cut));
            if !self.coder.is_outgrown() {
                return key;
            }
            self.widen();
        }
    }

    /// Brings near where a key is looked for.
    #[inline]
    pub fn bring_near(&self, key: Key) {
        self.lines.prefetch(hash(key));
    }

    /// Brings near what a key is compared with, after its line: the number that its state has if it
    /// is stored.
    #[inline]
    pub fn prefetch(&self, key: Key) -> Option<StateId> {
        let id = self.lines.guess(hash(key))?;
        super::near(self.keys.as_ptr().wrapping_add(id as usize * self.stride));
        Some(id)
    }

    /// The number of the state with a key.
    pub fn find(&self, key: Key) -> Option<StateId> {
        self.lines.find(hash(key), |id| self.key(id) == key)
    }

    /// Adds the state with a key unless it is there.
    #[inline]
    pub fn insert(&mut self, key: Key) -> Inserted {
        let hash = hash(key);
        if let Some(id) = self.lines.find(hash, |id| self.key(id) == key) {
            return Inserted::Known(id);
        }
        self.add(key, hash)
    }

    /// Whether a state has this key, whose hash is at hand.
    #[inline]
    pub fn has(&self, key: Key, hash: u64) -> bool {
        self.lines.find(hash, |id| self.key(id) == key).is_some()
    }

    /// Brings the line of a hash near, and then what its key is compared with.
    #[inline]
    pub fn prefetch_line(&self, hash: u64) {
        self.lines.prefetch(hash);
    }

    #[inline]
    pub fn prefetch_key(&self, hash: u64) {
        if let Some(id) = self.lines.guess(hash) {
            super::near(self.keys.as_ptr().wrapping_add(id as usize * self.stride));
        }
    }

    /// Makes room in the table for more states, by several threads.
    pub fn make_room(&mut self, more: usize, threads: usize) {
        if self.lines.has_room(more) {
            return;
        }
        self.lines.make_room(more);
        let (keys, stride) = (&self.keys, self.stride);
        let left = fill(self.lines.parts(threads, 0), self.count, |at| hash(key_at(keys, stride, at)));
        left.into_iter().for_each(|(hash, number)| self.lines.put(hash, number));
    }

    /// For this many states that are new and have room: where their keys are appended, in order,
    /// and the pieces of the table where their numbers are added. What found no room in its piece
    /// is left for [`Packed::put`].
    pub fn tail(&mut self, coming: usize, parts: usize) -> (Tail<'_>, Vec<Part<'_>>) {
        let stride = self.stride;
        let tail = Tail { keys: &mut self.keys, count: &mut self.count, stride };
        (tail, self.lines.parts(parts, coming))
    }

    /// Adds the number of a key to the table.
    pub fn put(&mut self, hash: u64, number: StateId) {
        self.lines.put(hash, number);
    }

    #[inline(never)]
    fn add(&mut self, key: Key, hash: u64) -> Inserted {
        if self.is_full() {
            return Inserted::Full;
        }
        if self.lines.is_full() {
            self.grow();
        }
        let id = self.count as StateId;
        self.append(key);
        self.lines.add(hash, id);
        Inserted::New(id)
    }

    #[cold]
    fn grow(&mut self) {
        let (keys, stride) = (&self.keys, self.stride);
        self.lines.grow((0..self.count).map(|at| hash(key_at(keys, stride, at))));
    }

    /// The key of a stored state.
    #[inline]
    pub fn key(&self, id: StateId) -> Key {
        key_at(&self.keys, self.stride, id as usize)
    }

    fn append(&mut self, key: Key) {
        append(&mut self.keys, self.count * self.stride, key);
        self.count += 1;
    }

    /// Gives keys the bits they lack; now and then, joins parts.
    #[cold]
    pub fn widen(&mut self) {
        self.generation += 1;
        let forced = (self.coder.bits_needed() > MOST).then(|| self.parts_allowed());
        if (forced.is_some() || self.count >= self.next_joining.max(FIRST)) && self.join(forced) {
            return;
        }
        let widening = self.coder.widen();
        let (old, stride) = (std::mem::take(&mut self.keys), self.stride);
        self.start_over();
        (0..std::mem::take(&mut self.count))
            .for_each(|at| self.append(widening.of(key_at(&old, stride, at))));
        self.refill();
    }

    /// How many parts a forced joining may leave: half of what the one before left, unless there
    /// are twice as many states by now. So the same states are not encoded again without end.
    fn parts_allowed(&mut self) -> usize {
        let allowed = match self.forced {
            Some((count, allowed)) if self.count < 2 * count => (allowed / 2).max(1),
            Some((_, allowed)) => allowed,
            None => MOST as usize,
        };
        self.forced = Some((self.count, allowed));
        allowed
    }

    /// Joins parts, and makes all keys anew; whether any were. `forced` is how many parts may be
    /// left if there must be fewer bits.
    fn join(&mut self, forced: Option<usize>) -> bool {
        self.next_joining = LATER * self.count;
        let step = (self.count / SAMPLE).max(1);
        let sample: Vec<Key> = (0..self.count).step_by(step).map(|id| self.key(id as StateId)).collect();
        let field = |part| self.coder.fields().get(part).copied().unwrap_or_default();
        let columns = self.coder.dictionaries().iter().enumerate().map(|(part, dictionary)| Column {
            values: sample.iter().map(|key| field(part).of(*key)).collect(),
            length: dictionary.longest(),
        });
        let columns: Vec<Column> = columns.collect();
        let all = together(&columns);
        let Some(parts) = joins(columns, forced) else { return false };
        // Parts that no stored state has are joined as much as those that there are.
        let rest = forced.map_or(0, |allowed| MOST as usize / allowed);
        let before = forced.map(|_| self.coder.clone());
        if !self.rejoin(Joined { parts, rest }) {
            // The sample did not show it. One part always does.
            self.coder = before.unwrap_or_default();
            self.rejoin(Joined { parts: all, rest: usize::MAX });
        }
        true
    }

    /// Joins parts and makes all keys anew; `false` if they would have too many bits.
    fn rejoin(&mut self, joined: Joined) -> bool {
        let mut rejoining = self.coder.join(joined);
        // All values must be known before their bits are.
        (0..self.count).for_each(|at| rejoining.learn(&mut self.coder, key_at(&self.keys, self.stride, at)));
        if self.coder.bits_needed() > MOST {
            return false;
        }
        self.coder.widen();
        let (keys, stride) = (std::mem::take(&mut self.keys), self.stride);
        self.start_over();
        for at in 0..std::mem::take(&mut self.count) {
            let key = rejoining.of(&self.coder, key_at(&keys, stride, at));
            self.append(key);
        }
        self.refill();
        true
    }

    /// Keys have another length from now on.
    fn start_over(&mut self) {
        self.stride = self.coder.key_bytes().max(1);
        self.keys.clear();
    }

    fn refill(&mut self) {
        let (keys, stride) = (&self.keys, self.stride);
        self.lines.refill((0..self.count).map(|at| hash(key_at(keys, stride, at))));
    }
}

/// All parts as one, or as few as the longest allows.
fn together(columns: &[Column]) -> Vec<bool> {
    let mut length = 0;
    let joined = columns.iter().map(|column| {
        let fits = length + column.length <= LONGEST as usize;
        length = if fits { length + column.length } else { column.length };
        fits
    });
    joined.collect()
}

/// Writes a key behind all others.
#[inline]
fn append(keys: &mut Vec<u8>, at: usize, key: Key) {
    if keys.len() < at + BEHIND {
        reserve(keys, at + BEHIND);
    }
    keys[at..at + BEHIND].copy_from_slice(&key.to_le_bytes());
}

/// Makes room for keys up to here. A large block is moved by its addresses, not copied.
#[cold]
fn reserve(keys: &mut Vec<u8>, end: usize) {
    if keys.capacity() < end {
        let more = (keys.len() / 16).max(1 << 12);
        keys.reserve_exact(end + more - keys.len());
        ask_for_huge_pages(keys.spare_capacity_mut());
    }
    let to = keys.capacity().min(end + (1 << 16));
    keys.resize(to, 0);
}

#[inline]
fn key_at(keys: &[u8], stride: usize, at: usize) -> Key {
    let start = at * stride;
    let bytes = keys[start..].first_chunk::<BEHIND>();
    let whole = bytes.map_or(0, |bytes| Key::from_le_bytes(*bytes));
    if stride < BEHIND { whole & ((1 << (8 * stride)) - 1) } else { whole }
}

/// The hash of a key.
#[inline]
pub(crate) fn hash(key: Key) -> u64 {
    let (low, high) = (key as u64, (key >> 64) as u64);
    mix(mix(low ^ 0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db) ^ high, 0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::random::Random;
    use space::{Cut, Fault, Rest, Step, Which};
    use std::collections::HashMap;

    /// Cuts states at their zeros; the rest is not asked for.
    struct Zeros;

    impl Stepper for Zeros {
        fn initial(&mut self, _: &mut Edges) {}

        fn expand(&mut self, _: &[u8], _: &mut Edges) -> Rest {
            Rest::Terminated
        }

        fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<Step>> {
            None
        }

        fn describe(&self, _: Fault) -> String {
            String::new()
        }

        fn cut(&self, state: &[u8], cut: &mut Cut) {
            let zeros = (0..state.len() as u32).filter(|at| state[*at as usize] == 0);
            cut.ends.extend(zeros.map(|at| at + 1).filter(|end| (*end as usize) < state.len()));
            cut.ends.extend((!state.is_empty()).then_some(state.len() as u32));
            cut.deciding.extend(0..state.len() as u32);
        }
    }

    /// Offers random states to a store and to a map, each time as the neighbours of a stored one.
    /// One in `steady` is longer or shorter.
    fn agrees(length: usize, values: u64, rounds: usize, steady: usize) -> Packed {
        let mut random = Random::new(length as u64 ^ values << 8);
        let (mut store, mut apart, mut keys) = (Packed::default(), Apart::default(), Vec::new());
        let mut reference: HashMap<Vec<u8>, StateId> = HashMap::new();
        let key = store.key_of(&vec![1; length], &Zeros);
        assert_eq!(store.insert(key), Inserted::New(0));
        reference.insert(vec![1; length], 0);
        for _ in 0..rounds {
            let from = random.below(store.len()) as StateId;
            store.open(from, &mut apart);
            let mut edges = Edges::default();
            for _ in 0..random.below(6) {
                let mut state = apart.bytes.clone();
                for _ in 0..random.below(3) {
                    let at = random.below(state.len());
                    state[at] = (random.number() % values) as u8;
                }
                match random.below(steady) {
                    0 => state.push(1),
                    1 if state.len() > 2 => drop(state.pop()),
                    _ => {}
                }
                edges.push(&state, space::Label::default());
            }
            keys.clear();
            while !store.try_keys(&apart, &edges, &Zeros, &mut keys) {
                store.widen();
                store.open(from, &mut apart);
                keys.clear();
            }
            for (state, key) in edges.iter().zip(&keys) {
                let known = reference.get(state).copied();
                assert_eq!(store.find(*key), known);
                let next = reference.len() as StateId;
                let expected = known.map_or(Inserted::New(next), Inserted::Known);
                assert_eq!(store.insert(*key), expected);
                reference.entry(state.to_vec()).or_insert(next);
            }
        }
        assert_eq!(store.len(), reference.len());
        for (state, id) in &reference {
            assert_eq!(store.get(*id), *state);
            let key = store.key_of(state, &Zeros);
            assert_eq!(store.find(key), Some(*id));
        }
        store
    }

    #[test]
    fn agrees_with_a_hash_map() {
        agrees(5, 3, 20_000, 40);
        agrees(20, 3, 30_000, 40);
        agrees(9, 200, 30_000, 40);
    }

    #[test]
    fn agrees_with_a_hash_map_where_parts_come_and_go() {
        for length in [1, 3, 40, 140, 300] {
            agrees(length, 2, 6_000, 3);
            agrees(length, 3, 2_000, 4);
        }
    }

    #[test]
    fn joins_parts_where_keys_have_too_many_bits() {
        let store = agrees(150, 4, 8_000, 40);
        assert!(store.stride <= 16 && store.len() > 5_000, "{} states", store.len());
    }

    #[test]
    fn a_table_that_threads_fill_finds_what_it_found() {
        let mut store = agrees(9, 200, 30_000, 40);
        let known: Vec<Key> = (0..store.len()).map(|id| store.key(id as StateId)).collect();
        for threads in [1, 2, 3, 7] {
            store.make_room(store.lines.memory_bytes() as usize, threads);
            for (id, key) in known.iter().enumerate() {
                assert_eq!(store.find(*key), Some(id as StateId));
            }
        }
    }
}

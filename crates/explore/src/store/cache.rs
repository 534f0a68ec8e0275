//! State-space caching (thesis, section 8.4): a set of states of bounded size that forgets old
//! ones.
//!
//! States that are held, those on the stack of a depth-first search, are never forgotten; if they
//! alone are more than there is room for, the cache grows and says so. Of the others the one that
//! was released first goes first, unless it was met again since: then it gets a second chance.
//! Numbers of states are used again.

use super::{Inserted, StateId, StateStore, hash, sample::Sample};
use space::{Edges, Rest, Stepper};
use std::collections::VecDeque;

/// A store of at most a fixed number of states; others are forgotten.
pub struct Cache {
    /// How many states may be kept.
    room: usize,
    entries: Vec<Entry>,
    unused: Vec<StateId>,
    /// Open addressing: the number of a state plus one; 0 is free.
    table: Vec<u32>,
    /// States that were released, oldest first; some may be held again.
    released: VecDeque<StateId>,
    bytes: usize,
    sample: Sample,
    account: CacheStatistics,
}

#[derive(Default)]
struct Entry {
    state: Vec<u8>,
    hash: u64,
    held: u32,
    is_released: bool,
    /// Met again since it was released.
    is_wanted: bool,
}

/// What became of the states of a search with a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CacheStatistics {
    /// How many states the cache was made for.
    pub room: u64,
    /// How many it keeps now.
    pub stored: u64,
    /// How often a state was forgotten.
    pub cleared: u64,
    /// How many it kept at most; more than `room` if states that must not be forgotten needed it.
    pub most: u64,
    /// How many distinct states were visited, roughly.
    pub distinct: f64,
}

impl CacheStatistics {
    /// How often a state was visited on average, roughly.
    pub fn visits_per_state(&self) -> f64 {
        let visits = (self.stored + self.cleared) as f64;
        if self.distinct > 0.0 { (visits / self.distinct).max(1.0) } else { 1.0 }
    }

    /// Whether the cache looks large enough to end soon: little is done twice.
    pub fn suffices(&self) -> bool {
        self.visits_per_state() < 1.5
    }
}

impl Cache {
    /// A cache for at most this many states.
    pub fn new(room: usize) -> Cache {
        let room = room.max(1);
        Cache {
            room,
            entries: Vec::new(),
            unused: Vec::new(),
            table: vec![0; 64],
            released: VecDeque::new(),
            bytes: 0,
            sample: Sample::default(),
            account: CacheStatistics { room: room as u64, ..CacheStatistics::default() },
        }
    }

    fn home(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.table.len() - 1)
    }

    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.table.len() - 1)
    }

    /// The number of a state, or the slot where it would go.
    fn probe(&self, state: &[u8], hash: u64) -> Result<StateId, usize> {
        let mut at = self.home(hash);
        while self.table[at] != 0 {
            let id = self.table[at] - 1;
            let entry = &self.entries[id as usize];
            if entry.hash == hash && entry.state == state {
                return Ok(id);
            }
            at = self.next(at);
        }
        Err(at)
    }

    fn grow(&mut self) {
        let slots = self.table.len() * 2;
        let old = std::mem::replace(&mut self.table, vec![0; slots]);
        for slot in old.into_iter().filter(|slot| *slot != 0) {
            let mut at = self.home(self.entries[slot as usize - 1].hash);
            while self.table[at] != 0 {
                at = self.next(at);
            }
            self.table[at] = slot;
        }
    }

    /// Forgets states that are not held until there is room for another, or none is left.
    fn make_room(&mut self) {
        while self.account.stored as usize >= self.room
            && let Some(id) = self.released.pop_front()
        {
            let entry = &mut self.entries[id as usize];
            entry.is_released = false;
            if entry.held > 0 {
                continue;
            }
            if std::mem::take(&mut entry.is_wanted) {
                entry.is_released = true;
                self.released.push_back(id);
                continue;
            }
            self.forget(id);
        }
    }

    fn forget(&mut self, id: StateId) {
        let mut at = self.home(self.entries[id as usize].hash);
        while self.table[at] != id + 1 {
            at = self.next(at);
        }
        self.close_gap(at);
        self.unused.push(id);
        self.account.stored -= 1;
        self.account.cleared += 1;
    }

    /// Frees a slot and moves those behind it up, so that every state is found from its home
    /// without a gap.
    fn close_gap(&mut self, mut gap: usize) {
        let mask = self.table.len() - 1;
        let mut at = self.next(gap);
        while self.table[at] != 0 {
            let home = self.home(self.entries[self.table[at] as usize - 1].hash);
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(gap) & mask {
                self.table[gap] = self.table[at];
                gap = at;
            }
            at = self.next(at);
        }
        self.table[gap] = 0;
    }
}

impl StateStore for Cache {
    /// The hash of the state.
    type Target = u64;

    fn open(&mut self, id: StateId) -> &[u8] {
        &self.entries[id as usize].state
    }

    fn copy(&self, id: StateId) -> Vec<u8> {
        self.entries[id as usize].state.clone()
    }

    fn first(&mut self, state: &[u8], _: &impl Stepper) -> Inserted {
        self.insert(state, hash(state))
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
        targets.extend(edges.iter().map(hash));
        rest
    }

    fn find(&self, state: &[u8], hash: u64) -> Option<StateId> {
        self.probe(state, hash).ok()
    }

    fn insert(&mut self, state: &[u8], hash: u64) -> Inserted {
        if let Ok(id) = self.probe(state, hash) {
            self.entries[id as usize].is_wanted = true;
            return Inserted::Known(id);
        }
        if self.entries.len() >= u32::MAX as usize - 1 {
            return Inserted::Full;
        }
        self.make_room();
        if self.account.stored as usize * 2 >= self.table.len() {
            self.grow();
        }
        let Err(at) = self.probe(state, hash) else { return Inserted::Full };
        let id = self.unused.pop().unwrap_or_else(|| {
            self.entries.push(Entry::default());
            (self.entries.len() - 1) as StateId
        });
        let entry = &mut self.entries[id as usize];
        self.bytes -= entry.state.capacity();
        entry.state.clear();
        entry.state.extend_from_slice(state);
        self.bytes += entry.state.capacity();
        (entry.hash, entry.held, entry.is_wanted) = (hash, 0, false);
        self.table[at] = id + 1;
        self.sample.see(hash);
        self.account.stored += 1;
        self.account.most = self.account.most.max(self.account.stored);
        Inserted::New(id)
    }

    fn meet(&mut self, id: StateId) {
        self.entries[id as usize].is_wanted = true;
    }

    fn hold(&mut self, id: StateId) {
        self.entries[id as usize].held += 1;
    }

    fn release(&mut self, id: StateId) {
        let entry = &mut self.entries[id as usize];
        entry.held -= 1;
        if entry.held == 0 && !entry.is_released {
            entry.is_released = true;
            entry.is_wanted = false;
            self.released.push_back(id);
        }
    }

    fn memory_bytes(&self) -> u64 {
        let entries = self.entries.capacity() * size_of::<Entry>();
        (self.bytes + entries + 4 * (self.table.capacity() + self.released.capacity())) as u64
    }

    fn account(&self) -> Option<CacheStatistics> {
        Some(CacheStatistics { distinct: self.sample.distinct(), ..self.account })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn put(cache: &mut Cache, state: &[u8]) -> (StateId, bool) {
        match cache.insert(state, hash(state)) {
            Inserted::New(id) => (id, true),
            Inserted::Known(id) => (id, false),
            Inserted::Full => panic!("full"),
        }
    }

    #[test]
    fn held_states_stay_and_the_others_are_never_mistaken() {
        let mut cache = Cache::new(100);
        let mut held: HashMap<StateId, Vec<u8>> = HashMap::new();
        let mut random = logic::random::Random::new(7);
        for round in 0..50_000usize {
            let x = random.number();
            let length = 1 + (x >> 62) as usize;
            let state: Vec<u8> = (0..length).map(|k| (x >> (20 + 7 * k)) as u8).collect();
            let (id, _) = put(&mut cache, &state);
            assert_eq!(cache.copy(id), state);
            assert_eq!(cache.find(&state, hash(&state)), Some(id));
            cache.hold(id);
            if round % 40 == 0 && held.len() < 90 && !held.contains_key(&id) {
                held.insert(id, state);
            } else {
                cache.release(id);
            }
            assert!(held.iter().all(|(id, state)| cache.copy(*id) == *state));
        }
        let account = cache.account().expect("a cache has an account");
        assert!(account.stored <= 100 && account.most <= 100, "{account:?}");
        assert!(account.cleared > 1_000);
    }

    #[test]
    fn grows_for_held_states_and_says_so() {
        let mut cache = Cache::new(3);
        for k in 0..200u8 {
            let (id, is_new) = put(&mut cache, &[k]);
            assert!(is_new);
            cache.hold(id);
        }
        assert!((0..200u8).all(|k| !put(&mut cache, &[k]).1));
        let account = cache.account().expect("a cache has an account");
        assert_eq!((account.stored, account.most, account.cleared), (200, 200, 0));
    }

    #[test]
    fn what_was_met_again_stays_longer() {
        let mut cache = Cache::new(2);
        for state in [[0], [1]] {
            let (id, _) = put(&mut cache, &state);
            cache.hold(id);
            cache.release(id);
        }
        put(&mut cache, &[0]);
        put(&mut cache, &[2]);
        assert!(cache.find(&[0], hash(&[0])).is_some());
        assert!(cache.find(&[1], hash(&[1])).is_none());
    }
}

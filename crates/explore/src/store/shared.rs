//! The exact set of states seen, shared by threads: many stores, each behind its lock, chosen by
//! the hash.
//!
//! The number of a state is its number in its store, times the number of stores, plus which store:
//! numbers are dense but for the unevenness of the hash. A lookup locks one store of `SHARDS` for
//! as long as it compares bytes, so threads seldom meet.

use super::{Inserted, Slot, StateId, Store, near, tag};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 256;

/// A store that several threads insert into.
pub struct SharedStore {
    shards: Vec<Shard>,
    count: AtomicUsize,
}

/// On cache lines of its own, so that locks next to each other do not disturb each other.
#[repr(align(128))]
struct Shard {
    store: Mutex<Store>,
    /// Where its slots were a moment ago, and their shift: only good for bringing memory near.
    slots: AtomicPtr<Slot>,
    shift: AtomicU32,
}

impl Default for SharedStore {
    fn default() -> Self {
        let shards = (0..SHARDS).map(|_| Shard::new(Store::small())).collect();
        SharedStore { shards, count: AtomicUsize::new(0) }
    }
}

impl Shard {
    fn new(store: Store) -> Self {
        let (slots, shift) = store.slots();
        let (slots, shift) = (AtomicPtr::new(slots.cast_mut()), AtomicU32::new(shift));
        Shard { store: Mutex::new(store), slots, shift }
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
        // A thread that panicked inside left a store at worst without its last state.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, state: &[u8], hash: u64) -> Inserted {
        let mut store = self.lock();
        let inserted = store.insert(state, hash);
        let (slots, shift) = store.slots();
        if shift != self.shift.load(Ordering::Relaxed) {
            self.slots.store(slots.cast_mut(), Ordering::Relaxed);
            self.shift.store(shift, Ordering::Relaxed);
        }
        inserted
    }
}

impl SharedStore {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Brings the slot of a hash near, or where it was a moment ago.
    pub fn prefetch(&self, hash: u64) {
        let shard = &self.shards[hash as usize % SHARDS];
        let slot = u64::from(tag(hash)) >> shard.shift.load(Ordering::Relaxed);
        near(shard.slots.load(Ordering::Relaxed).wrapping_add(slot as usize));
    }

    /// Adds a state unless it is there; `hash` is [`super::hash`] of it.
    pub fn insert(&self, state: &[u8], hash: u64) -> Inserted {
        let shard = hash as usize % SHARDS;
        match self.shards[shard].insert(state, hash) {
            Inserted::New(local) => {
                self.count.fetch_add(1, Ordering::Relaxed);
                number(local, shard).map_or(Inserted::Full, Inserted::New)
            }
            Inserted::Known(local) => number(local, shard).map_or(Inserted::Full, Inserted::Known),
            Inserted::Full => Inserted::Full,
        }
    }

    /// The number of a state that is there; `hash` is [`super::hash`] of it.
    pub fn find(&self, state: &[u8], hash: u64) -> Option<StateId> {
        let shard = hash as usize % SHARDS;
        let local = self.shards[shard].lock().find(state, hash)?;
        number(local, shard)
    }

    /// Copies a state to the end of `out`.
    pub fn copy(&self, id: StateId, out: &mut Vec<u8>) {
        let id = id as usize;
        out.extend_from_slice(self.shards[id % SHARDS].lock().get((id / SHARDS) as StateId));
    }

    /// All numbers are below this.
    pub fn bound(&self) -> usize {
        (0..SHARDS).map(|shard| self.shards[shard].lock().len()).max().unwrap_or(0) * SHARDS
    }

    /// How much memory the store takes.
    pub fn memory_bytes(&self) -> u64 {
        (0..SHARDS).map(|shard| self.shards[shard].lock().memory_bytes()).sum()
    }
}

/// The number of a state of a shard; none if there are too many. The last number stands for no
/// state.
fn number(local: StateId, shard: usize) -> Option<StateId> {
    let id = local as usize * SHARDS + shard;
    (id < StateId::MAX as usize).then_some(id as StateId)
}

#[cfg(test)]
mod tests {
    use super::super::hash;
    use super::*;
    use std::collections::HashSet;
    use std::thread;

    #[test]
    fn threads_agree_on_the_number_of_each_state() {
        let store = SharedStore::default();
        let insert_all = |reverse: bool| {
            let mut ids = vec![0; 40_000];
            for k in 0..40_000u32 {
                let k = if reverse { 39_999 - k } else { k };
                let state = k.to_le_bytes();
                let (Inserted::New(id) | Inserted::Known(id)) = store.insert(&state, hash(&state)) else {
                    panic!("full")
                };
                ids[k as usize] = id;
            }
            ids
        };
        let [a, b] = thread::scope(|scope| {
            let handles = [false, true].map(|reverse| scope.spawn(move || insert_all(reverse)));
            handles.map(|handle| handle.join().unwrap())
        });
        assert_eq!(a, b);
        assert_eq!(store.len(), 40_000);
        assert_eq!(a.iter().collect::<HashSet<_>>().len(), 40_000);
        for (k, id) in a.iter().enumerate() {
            let mut state = Vec::new();
            store.copy(*id, &mut state);
            assert_eq!(state, (k as u32).to_le_bytes());
            assert_eq!(store.find(&state, hash(&state)), Some(*id));
            assert!((*id as usize) < store.bound());
        }
    }
}

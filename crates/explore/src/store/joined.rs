//! A store of states that grow: states with one key are one, the join of all of them.

use super::{Inserted, StateId, Store, hash};
use space::Joins;

/// States by key: those with the same key are joined.
pub struct Joined {
    /// The key of each state; it never changes.
    keys: Store,
    states: Vec<Vec<u8>>,
    key: Vec<u8>,
    bytes: u64,
}

impl Default for Joined {
    fn default() -> Joined {
        Joined { keys: Store::small(), states: Vec::new(), key: Vec::new(), bytes: 0 }
    }
}

impl Joined {
    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The join of the states of a key.
    pub fn get(&self, id: StateId) -> &[u8] {
        &self.states[id as usize]
    }

    /// How much memory the store takes.
    pub fn memory_bytes(&self) -> u64 {
        self.keys.memory_bytes() + self.bytes + 24 * self.states.capacity() as u64
    }

    /// Joins a state with the one of its key, and says whether that has grown. A new key is not
    /// taken unless there is room.
    pub fn insert(&mut self, state: &[u8], joins: &dyn Joins, room: bool) -> (Option<Inserted>, bool) {
        self.key.clear();
        joins.key(state, &mut self.key);
        let hash = hash(&self.key);
        if let Some(id) = self.keys.find(&self.key, hash) {
            let grown = joins.join(&mut self.states[id as usize], state);
            return (Some(Inserted::Known(id)), grown);
        }
        if !room {
            return (None, false);
        }
        let inserted = self.keys.insert(&self.key, hash);
        if let Inserted::New(_) = inserted {
            self.bytes += state.len() as u64;
            self.states.push(state.to_vec());
        }
        (Some(inserted), false)
    }
}

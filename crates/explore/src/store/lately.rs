//! Keys that came up lately, by their hashes: a small table that stays in the cache.
//!
//! States that are neighbours lead to the same states, so most keys that come up again do so soon.
//! Such a key is stored, or about to be, and need not be looked up. What is not found here may be
//! stored all the same.

use super::coder::Key;

/// How many keys.
const KEYS: usize = 8192;

/// Keys that came up lately.
#[derive(Default)]
pub(crate) struct Lately(Vec<Key>);

impl Lately {
    /// Forgets all keys, since they were widened; `stored` is that of any stored state.
    pub fn reset(&mut self, stored: Key) {
        self.0.clear();
        self.0.resize(KEYS, stored);
    }

    /// Whether a key came up lately; now it has.
    #[inline]
    pub fn has(&mut self, key: Key, hash: u64) -> bool {
        match self.0.get_mut((hash >> 20) as usize % KEYS) {
            Some(place) => std::mem::replace(place, key) == key,
            None => false,
        }
    }

    pub fn memory_bytes(&self) -> u64 {
        (self.0.capacity() * size_of::<Key>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::packed::hash;
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn what_is_said_to_have_come_up_has() {
        let mut lately = Lately::default();
        lately.reset(7);
        let mut random = logic::random::Random::new(5);
        let mut seen = HashSet::from([7]);
        let mut again = 0;
        for _ in 0..200_000 {
            let key = Key::from(random.number() % 20_000);
            let has = lately.has(key, hash(key));
            assert!(!has || seen.contains(&key), "{key}");
            again += usize::from(has);
            seen.insert(key);
        }
        assert!(again > 10_000, "{again}");
    }
}

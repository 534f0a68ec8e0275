//! The store of a search that keeps all states: keys, and steps that are known.

use super::coder::{Apart, Key};
use super::packed::{Keys, Packed};
use super::{Inserted, StateId, StateStore};
use crate::memo::{Known, Memo};
use space::{Edges, Rest, Stepper};

/// States as keys, with what is known of their steps.
#[derive(Default)]
pub(crate) struct Keyed {
    store: Packed,
    memo: Memo,
    apart: Apart,
}

impl Keyed {
    fn widen(&mut self) {
        self.store.widen();
        self.memo.forget();
    }
}

impl StateStore for Keyed {
    type Target = Key;

    fn open(&mut self, id: StateId) -> &[u8] {
        let key = self.store.key(id);
        if self.apart.bytes.is_empty() || self.apart.key != key {
            self.store.open_key(key, &mut self.apart);
        }
        &self.apart.bytes
    }

    fn copy(&self, id: StateId) -> Vec<u8> {
        self.store.get(id)
    }

    fn first(&mut self, state: &[u8], stepper: &impl Stepper) -> Inserted {
        let key = self.store.key_of(state, stepper);
        self.memo.forget();
        self.apart.bytes.clear();
        self.store.insert(key)
    }

    fn expand(
        &mut self,
        id: StateId,
        stepper: &mut impl Stepper,
        edges: &mut Edges,
        targets: &mut Vec<Key>,
    ) -> Rest {
        loop {
            targets.clear();
            edges.clear();
            let key = self.store.key(id);
            match self.memo.expand(&mut self.store, stepper, key, targets, &mut edges.labels) {
                Known::Edges => {
                    targets.iter().for_each(|key| self.store.bring_near(*key));
                    return Rest::Enabled;
                }
                Known::Outgrown => {
                    self.widen();
                    self.apart.bytes.clear();
                    continue;
                }
                Known::Whole => {}
            }
            self.store.open_key(key, &mut self.apart);
            let rest = stepper.expand(&self.apart.bytes, edges);
            if self.store.try_keys(&self.apart, edges, stepper, targets) {
                return rest;
            }
            self.widen();
            self.apart.bytes.clear();
        }
    }

    fn prefetch(&self, key: Key) -> Option<StateId> {
        self.store.prefetch(key)
    }

    fn find(&self, _: &[u8], key: Key) -> Option<StateId> {
        self.store.find(key)
    }

    fn insert(&mut self, _: &[u8], key: Key) -> Inserted {
        self.store.insert(key)
    }

    fn keeps_all(&self) -> bool {
        true
    }

    fn memory_bytes(&self) -> u64 {
        self.store.memory_bytes() + self.memo.memory_bytes()
    }
}

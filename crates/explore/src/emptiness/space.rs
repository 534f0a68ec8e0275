//! The states met so far by number, and the arrows out of one of them with numbers in place of states.

use super::graph::{Arrows, Graph};
use super::marks::Wanted;
use crate::limits::Stop;
use crate::store::{Inserted, StateId, Store, hash};
use std::ops::ControlFlow;

/// Stands for a state that is not stored.
pub(super) const NOWHERE: StateId = StateId::MAX;

pub(super) struct Space<'g, G> {
    graph: &'g mut G,
    pub wanted: Wanted,
    pub store: Store,
    pub transitions: u64,
    arrows: Arrows,
    hashes: Vec<u64>,
    /// Where the arrows of the last call lead.
    pub targets: Vec<StateId>,
}

impl<'g, G: Graph> Space<'g, G> {
    pub fn new(graph: &'g mut G) -> Self {
        let wanted = Wanted::new(graph.acceptance());
        Space {
            graph,
            wanted,
            store: Store::default(),
            transitions: 0,
            arrows: Arrows::default(),
            hashes: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Stores the initial states; `targets` are they.
    pub fn initial(&mut self) -> ControlFlow<Stop> {
        self.arrows.clear();
        self.graph.initial(&mut self.arrows);
        self.insert()
    }

    /// Stores what the arrows of a state lead to.
    pub fn expand(&mut self, id: StateId) -> ControlFlow<Stop> {
        self.make(id);
        self.transitions += self.arrows.ends.len() as u64;
        self.insert()
    }

    /// Makes the arrows of a state again; what is not stored is [`NOWHERE`].
    pub fn revisit(&mut self, id: StateId) {
        self.make(id);
        self.find();
    }

    /// The same for the initial states.
    pub fn revisit_initial(&mut self) {
        self.arrows.clear();
        self.graph.initial(&mut self.arrows);
        self.find();
    }

    /// The marks of arrow `k` of the last call.
    pub fn marks(&self, k: usize) -> &[u64] {
        let words = self.wanted.words;
        &self.arrows.marks[k * words..(k + 1) * words]
    }

    fn make(&mut self, id: StateId) {
        self.arrows.clear();
        self.graph.arrows(self.store.get(id), &mut self.arrows);
    }

    fn find(&mut self) {
        self.targets.clear();
        for state in self.arrows.iter() {
            self.targets.push(self.store.find(state, hash(state)).unwrap_or(NOWHERE));
        }
    }

    fn insert(&mut self) -> ControlFlow<Stop> {
        self.hashes.clear();
        self.targets.clear();
        for state in self.arrows.iter() {
            let hash = hash(state);
            self.store.prefetch(hash);
            self.hashes.push(hash);
        }
        for hash in &self.hashes {
            self.store.prefetch_state(*hash);
        }
        for (state, hash) in self.arrows.iter().zip(&self.hashes) {
            match self.store.insert(state, *hash) {
                Inserted::New(id) | Inserted::Known(id) => self.targets.push(id),
                Inserted::Full => return ControlFlow::Break(Stop::Memory),
            }
        }
        ControlFlow::Continue(())
    }
}

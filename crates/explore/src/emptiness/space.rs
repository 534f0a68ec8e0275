//! The states met so far by number, and the edges out of one of them with numbers in place of
//! states.

use super::graph::{Graph, MarkedEdges};
use super::marks::Wanted;
use crate::limits::Stop;
use crate::store::shared::SharedStore;
use crate::store::{Inserted, StateId, Store, hash};
use std::ops::ControlFlow;

/// Stands for a state that is not stored.
pub(super) const NOWHERE: StateId = StateId::MAX;

/// Where states are kept: alone or together with other threads.
pub(super) trait States {
    /// Gives each state that edges lead to its number, a new one if need be; `false` if there is
    /// none left.
    fn insert_all(&mut self, edges: &MarkedEdges, hashes: &[u64], numbers: &mut Vec<StateId>) -> bool;

    fn find(&self, state: &[u8]) -> Option<StateId>;

    /// The state with a number; `buffer` may be used to hold it.
    fn read<'a>(&'a self, id: StateId, buffer: &'a mut Vec<u8>) -> &'a [u8];

    /// All numbers are below this.
    fn bound(&self) -> usize;
}

impl States for Store {
    fn insert_all(&mut self, edges: &MarkedEdges, hashes: &[u64], numbers: &mut Vec<StateId>) -> bool {
        hashes.iter().for_each(|hash| self.prefetch(*hash));
        hashes.iter().for_each(|hash| self.prefetch_state(*hash));
        hashes.iter().zip(edges.iter()).all(|(hash, state)| keep(self.insert(state, *hash), numbers))
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        self.find(state, hash(state))
    }

    fn read<'a>(&'a self, id: StateId, _: &'a mut Vec<u8>) -> &'a [u8] {
        self.get(id)
    }

    fn bound(&self) -> usize {
        self.len()
    }
}

impl States for &SharedStore {
    fn insert_all(&mut self, edges: &MarkedEdges, hashes: &[u64], numbers: &mut Vec<StateId>) -> bool {
        hashes.iter().for_each(|hash| self.prefetch(*hash));
        hashes.iter().zip(edges.iter()).all(|(hash, state)| keep(self.insert(state, *hash), numbers))
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        SharedStore::find(self, state, hash(state))
    }

    fn read<'a>(&'a self, id: StateId, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        buffer.clear();
        self.copy(id, buffer);
        buffer
    }

    fn bound(&self) -> usize {
        SharedStore::bound(self)
    }
}

/// Keeps the number of a state, if it has one.
fn keep(inserted: Inserted, numbers: &mut Vec<StateId>) -> bool {
    match inserted {
        Inserted::New(id) | Inserted::Known(id) => numbers.push(id),
        Inserted::Full => return false,
    }
    true
}

pub(super) struct Space<'g, G, S> {
    graph: &'g mut G,
    pub wanted: Wanted,
    pub states: S,
    pub transitions: u64,
    edges: MarkedEdges,
    hashes: Vec<u64>,
    /// Where the edges of the last call lead.
    pub targets: Vec<StateId>,
    buffer: Vec<u8>,
}

impl<'g, G: Graph, S: States> Space<'g, G, S> {
    pub fn new(graph: &'g mut G, states: S) -> Self {
        let wanted = Wanted::new(graph.acceptance());
        Space {
            graph,
            wanted,
            states,
            transitions: 0,
            edges: MarkedEdges::default(),
            hashes: Vec::new(),
            targets: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// Stores the initial states; `targets` are they.
    pub fn initial(&mut self) -> ControlFlow<Stop> {
        self.edges.clear();
        self.graph.initial(&mut self.edges);
        self.insert()
    }

    /// Stores what the edges of a state lead to.
    pub fn expand(&mut self, id: StateId) -> ControlFlow<Stop> {
        self.make(id);
        self.transitions += self.edges.ends.len() as u64;
        self.insert()
    }

    /// Makes the edges of a state again; what is not stored is [`NOWHERE`].
    pub fn revisit(&mut self, id: StateId) {
        self.make(id);
        self.find();
    }

    /// The same for the initial states.
    pub fn revisit_initial(&mut self) {
        self.edges.clear();
        self.graph.initial(&mut self.edges);
        self.find();
    }

    /// The marks of edge `k` of the last call.
    pub fn marks(&self, k: usize) -> &[u64] {
        let words = self.wanted.words;
        &self.edges.marks[k * words..(k + 1) * words]
    }

    pub fn state(&mut self, id: StateId) -> Vec<u8> {
        self.states.read(id, &mut self.buffer).to_vec()
    }

    fn make(&mut self, id: StateId) {
        self.edges.clear();
        self.graph.edges(self.states.read(id, &mut self.buffer), &mut self.edges);
    }

    fn find(&mut self) {
        self.targets.clear();
        for state in self.edges.iter() {
            self.targets.push(self.states.find(state).unwrap_or(NOWHERE));
        }
    }

    fn insert(&mut self) -> ControlFlow<Stop> {
        self.targets.clear();
        self.hashes.clear();
        self.hashes.extend(self.edges.iter().map(hash));
        if self.states.insert_all(&self.edges, &self.hashes, &mut self.targets) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Stop::Memory)
        }
    }
}

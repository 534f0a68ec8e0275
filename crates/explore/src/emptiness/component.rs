//! A part of the graph written down: some of its states, numbered from 0, and the edges between
//! them.
//!
//! Sets of marks recur, so an edge holds the number of its set, its *kind*: 8 bytes an edge.

use super::graph::Graph;
use super::space::{Space, States};
use crate::store::StateId;
use std::collections::HashMap;
use std::ops::Range;

pub(super) struct Component {
    /// Each member's number in the store.
    pub states: Vec<StateId>,
    /// Where the edges of each member begin, and at last where all end.
    first: Vec<usize>,
    /// Edges: the member led to, and the kind.
    pub edges: Vec<(u32, u32)>,
    /// The marks of each kind.
    kinds: Vec<u64>,
    words: usize,
}

impl Component {
    /// Writes down the edges between `states`; `place` tells where among them a state is.
    pub fn new<G: Graph, S: States>(
        space: &mut Space<G, S>,
        states: Vec<StateId>,
        place: impl Fn(&[StateId], StateId) -> Option<u32>,
    ) -> Self {
        let words = space.wanted.words;
        let mut numbers: HashMap<Vec<u64>, u32> = HashMap::new();
        let mut component = Component { states, first: vec![0], edges: Vec::new(), kinds: Vec::new(), words };
        for k in 0..component.states.len() {
            space.revisit(component.states[k]);
            for (number, target) in space.targets.iter().enumerate() {
                if let Some(target) = place(&component.states, *target) {
                    let kind = component.kind(space.marks(number), &mut numbers);
                    component.edges.push((target, kind));
                }
            }
            component.first.push(component.edges.len());
        }
        component
    }

    fn kind(&mut self, marks: &[u64], numbers: &mut HashMap<Vec<u64>, u32>) -> u32 {
        // Mostly there are few.
        let mut first = self.kinds.chunks_exact(self.words).take(8);
        if let Some(kind) = first.position(|kind| kind == marks) {
            return kind as u32;
        }
        if let Some(kind) = numbers.get(marks) {
            return *kind;
        }
        let kind = numbers.len() as u32;
        numbers.insert(marks.to_vec(), kind);
        self.kinds.extend_from_slice(marks);
        kind
    }

    /// The numbers of the edges out of a member.
    pub fn out(&self, state: u32) -> Range<usize> {
        self.first[state as usize]..self.first[state as usize + 1]
    }

    /// The member an edge starts from.
    pub fn source(&self, edge: usize) -> u32 {
        self.first.partition_point(|first| *first <= edge) as u32 - 1
    }

    pub fn marks(&self, kind: u32) -> &[u64] {
        &self.kinds[kind as usize * self.words..][..self.words]
    }

    /// For each kind, what `test` says of its marks.
    pub fn kinds(&self, test: impl Fn(&[u64]) -> bool) -> Vec<bool> {
        self.kinds.chunks_exact(self.words).map(test).collect()
    }

    pub fn memory_bytes(&self) -> u64 {
        let edges = self.edges.capacity() * size_of::<(u32, u32)>();
        (self.states.capacity() * 4 + self.first.capacity() * 8 + edges + self.kinds.capacity() * 8) as u64
    }
}

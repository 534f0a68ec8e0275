//! The stack of a depth-first search: states under way, each with the edges that are still to be
//! taken.
//!
//! An edge has the bytes of the state it leads to, not its number: a state is stored when it is
//! visited, so that a cache need not keep what only waits.

use super::sleep::SleepId;
use crate::store::StateId;

#[derive(Default)]
pub(super) struct Stack {
    frames: Vec<Frame>,
    edges: Vec<Edge>,
    bytes: Vec<u8>,
    /// The states of the frames, from the initial one on.
    path: Vec<StateId>,
}

#[derive(Clone, Copy)]
struct Frame {
    /// The next of its edges; they are the last in `edges` while it is on top.
    next: usize,
    first: usize,
    bytes: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Edge {
    from: usize,
    to: usize,
    pub hash: u64,
    pub asleep: SleepId,
}

impl Stack {
    pub fn push(&mut self, id: StateId) {
        let first = self.edges.len();
        self.frames.push(Frame { next: first, first, bytes: self.bytes.len() });
        self.path.push(id);
    }

    /// Adds an edge to the state on top.
    pub fn add(&mut self, state: &[u8], hash: u64, asleep: SleepId) {
        let from = self.bytes.len();
        self.bytes.extend_from_slice(state);
        self.edges.push(Edge { from, to: self.bytes.len(), hash, asleep });
    }

    /// The next edge of the state on top, if there is one.
    pub fn next(&mut self) -> Option<Edge> {
        let frame = self.frames.last_mut()?;
        let edge = self.edges.get(frame.next).copied()?;
        frame.next += 1;
        Some(edge)
    }

    /// The state an edge leads to.
    pub fn target(&self, edge: Edge) -> &[u8] {
        &self.bytes[edge.from..edge.to]
    }

    /// Takes the state on top off.
    pub fn pop(&mut self) -> Option<StateId> {
        let frame = self.frames.pop()?;
        self.edges.truncate(frame.first);
        self.bytes.truncate(frame.bytes);
        self.path.pop()
    }

    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub fn path(&self) -> &[StateId] {
        &self.path
    }

    pub fn memory_bytes(&self) -> u64 {
        let frames = self.frames.capacity() * size_of::<Frame>() + self.edges.capacity() * size_of::<Edge>();
        (frames + self.bytes.capacity() + 4 * self.path.capacity()) as u64
    }
}

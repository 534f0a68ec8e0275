//! The stack of a depth-first search: states under way, each with the edges that are still to be
//! taken.
//!
//! An edge has the bytes of the state it leads to: a state is stored when it is visited, so that a
//! cache need not keep what only waits. Where stored states stay, one that is stored already is
//! known by its number.

use super::sleep::SleepId;
use crate::store::StateId;

pub(super) struct Stack<T> {
    frames: Vec<Frame>,
    edges: Vec<Edge<T>>,
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
pub(super) struct Edge<T> {
    pub to: To<T>,
    pub asleep: SleepId,
}

/// Where an edge leads.
#[derive(Clone, Copy)]
pub(super) enum To<T> {
    Stored(StateId),
    /// The bytes from the first to the second, and what the store makes of them.
    Bytes(usize, usize, T),
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Stack { frames: Vec::new(), edges: Vec::new(), bytes: Vec::new(), path: Vec::new() }
    }
}

impl<T: Copy> Stack<T> {
    pub fn push(&mut self, id: StateId) {
        let first = self.edges.len();
        self.frames.push(Frame { next: first, first, bytes: self.bytes.len() });
        self.path.push(id);
    }

    /// Adds an edge to the state on top.
    pub fn add(&mut self, state: &[u8], target: T, asleep: SleepId) {
        let from = self.bytes.len();
        self.bytes.extend_from_slice(state);
        self.edges.push(Edge { to: To::Bytes(from, self.bytes.len(), target), asleep });
    }

    /// Adds an edge to a state that is stored and stays.
    pub fn add_stored(&mut self, id: StateId, asleep: SleepId) {
        self.edges.push(Edge { to: To::Stored(id), asleep });
    }

    /// The next edge of the state on top, if there is one.
    pub fn next(&mut self) -> Option<Edge<T>> {
        let frame = self.frames.last_mut()?;
        let edge = self.edges.get(frame.next).copied()?;
        frame.next += 1;
        Some(edge)
    }

    /// The bytes of an edge.
    pub fn bytes(&self, from: usize, to: usize) -> &[u8] {
        &self.bytes[from..to]
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
        let frames =
            self.frames.capacity() * size_of::<Frame>() + self.edges.capacity() * size_of::<Edge<T>>();
        (frames + self.bytes.capacity() + 4 * self.path.capacity()) as u64
    }
}

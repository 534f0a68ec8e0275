//! The stack of a depth-first search: states under way, each with the edges that are still to be
//! taken.
//!
//! Where stored states stay, an edge has the number of the state it leads to. Else it has its
//! bytes: a state is stored when it is visited, so that a cache need not keep what only waits.

use super::sleep::SleepId;
use crate::store::StateId;

pub(super) struct Stack<T> {
    frames: Vec<Frame>,
    edges: Vec<Edge>,
    /// By edge, where states do not stay: where its bytes end, and what the store makes of them.
    waiting: Vec<(usize, T)>,
    bytes: Vec<u8>,
    /// The states of the frames, from the initial one on.
    path: Vec<StateId>,
}

#[derive(Clone, Copy)]
struct Frame {
    /// The first of its edges, and how many were taken; they are the last in `edges` while it is on
    /// top.
    first: usize,
    taken: u32,
}

/// An edge to be taken.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// The state it leads to, if states stay; else the place among the edges.
    to: u32,
    pub asleep: SleepId,
}

/// Where an edge leads.
pub(super) enum To<'a, T> {
    Stored(StateId),
    /// Its bytes, and what the store makes of them.
    Bytes(&'a [u8], T),
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        let (frames, edges, waiting, bytes, path) = Default::default();
        Stack { frames, edges, waiting, bytes, path }
    }
}

impl<T: Copy> Stack<T> {
    pub fn push(&mut self, id: StateId) {
        self.frames.push(Frame { first: self.edges.len(), taken: 0 });
        self.path.push(id);
    }

    /// Adds an edge to the state on top; all edges are added like this, or none.
    pub fn add(&mut self, state: &[u8], target: T, asleep: SleepId) {
        self.bytes.extend_from_slice(state);
        self.waiting.push((self.bytes.len(), target));
        self.edges.push(Edge { to: self.edges.len() as u32, asleep });
    }

    /// Adds an edge to a state that is stored and stays.
    pub fn add_stored(&mut self, id: StateId, asleep: SleepId) {
        self.edges.push(Edge { to: id, asleep });
    }

    /// The next edge of the state on top, if there is one.
    pub fn next(&mut self) -> Option<Edge> {
        let frame = self.frames.last_mut()?;
        let edge = self.edges.get(frame.first + frame.taken as usize).copied()?;
        frame.taken += 1;
        Some(edge)
    }

    /// Where an edge leads that is still on the stack.
    pub fn to(&self, edge: Edge) -> To<'_, T> {
        let at = edge.to as usize;
        match self.waiting.get(at) {
            None => To::Stored(edge.to),
            Some((end, target)) => To::Bytes(&self.bytes[self.begins(at)..*end], *target),
        }
    }

    /// Where the bytes of an edge begin.
    fn begins(&self, at: usize) -> usize {
        at.checked_sub(1).and_then(|before| self.waiting.get(before)).map_or(0, |(end, _)| *end)
    }

    /// Takes the state on top off.
    pub fn pop(&mut self) -> Option<StateId> {
        let frame = self.frames.pop()?;
        self.edges.truncate(frame.first);
        if frame.first < self.waiting.len() {
            self.bytes.truncate(self.begins(frame.first));
            self.waiting.truncate(frame.first);
        }
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
        let waiting = self.waiting.capacity() * size_of::<(usize, T)>() + self.bytes.capacity();
        (frames + waiting + 4 * self.path.capacity()) as u64
    }
}

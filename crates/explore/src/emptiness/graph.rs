//! What emptiness is asked of: a graph whose edges carry marks.
//!
//! Marks are numbered; those of an edge are bits in as many words as [`Acceptance::words`] says.
//! An infinite path counts if every mark of `recurrent` is on infinitely many of its edges
//! (generalized Büchi; also weak fairness: mark i on an edge says that process i moves or could
//! not), and if for every pair, when `request` is on infinitely many edges, so is `response`
//! (Streett; strong fairness: process i could move, process i moves).

use crate::limits::{Progress, Stop};

/// Which marks make an infinite path count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acceptance {
    /// How many marks there are.
    pub marks: usize,
    /// Marks that must come infinitely often.
    pub recurrent: Vec<usize>,
    /// Streett pairs: a request that comes infinitely often must be answered infinitely often.
    pub pairs: Vec<Pair>,
}

/// A Streett pair of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The mark of a request.
    pub request: usize,
    /// The mark of its response.
    pub response: usize,
}

impl Acceptance {
    /// How many words the marks of one edge take.
    pub fn words(&self) -> usize {
        self.marks.div_ceil(64).max(1)
    }
}

/// Edges out of a state, packed one behind the other.
#[derive(Clone, Debug, Default)]
pub struct MarkedEdges {
    /// The states they lead to.
    pub bytes: Vec<u8>,
    /// Where each state ends in `bytes`.
    pub ends: Vec<usize>,
    /// The marks, a number of words for each edge.
    pub marks: Vec<u64>,
}

impl MarkedEdges {
    /// Forgets all edges, and keeps the room.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.marks.clear();
    }

    /// Adds an edge to a state, with its marks.
    pub fn push(&mut self, state: &[u8], marks: &[u64]) {
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len());
        self.marks.extend_from_slice(marks);
    }

    /// The states that the edges lead to, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end])
    }
}

/// A graph made on the fly. The same state has the same edges in the same order whenever asked.
pub trait Graph {
    /// What makes an infinite path count.
    fn acceptance(&self) -> &Acceptance;

    /// The initial states; their marks mean nothing.
    fn initial(&mut self, out: &mut MarkedEdges);

    /// The edges out of a state, in place of those in `out`.
    fn edges(&mut self, state: &[u8], out: &mut MarkedEdges);
}

/// A path that counts: each state with the edge taken out of it, by its number among the edges of
/// that state. The last edge of `cycle` leads back to its first state; the last of `stem` leads to
/// that state too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasso {
    /// The path to the cycle.
    pub stem: Vec<(Vec<u8>, usize)>,
    /// The cycle.
    pub cycle: Vec<(Vec<u8>, usize)>,
}

/// The answer, with what was done for it.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// A path that counts, if there is one.
    pub lasso: Option<Lasso>,
    /// Why the search ended early without an answer.
    pub stopped: Option<Stop>,
    /// How many states were stored.
    pub states: u64,
    /// How many edges were looked at.
    pub transitions: u64,
    /// The longest path that was open at once.
    pub depth: u64,
    /// The largest amount of memory in use.
    pub memory_bytes: u64,
}

impl Outcome {
    pub(super) fn new(lasso: Option<Lasso>, stopped: Option<Stop>, progress: &Progress) -> Outcome {
        let Progress { states, transitions, depth, memory_bytes, .. } = *progress;
        Outcome { lasso, stopped, states, transitions, depth, memory_bytes }
    }
}

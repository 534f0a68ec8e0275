//! States inside atomic sequences that wait to be expanded: a stack of packed states in one buffer.

use system::{Pid, Step};

/// After this many atomic steps in a row, coming back to a state is looked for.
const PATIENCE: usize = 64;

#[derive(Default)]
pub struct Pending {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// How deep in its atomic sequence the state at work is.
    depth: usize,
    /// The states on a long way, from depth `PATIENCE` on.
    way: Vec<Vec<u8>>,
    /// Room for the state at work.
    pub current: Vec<u8>,
}

struct Entry {
    start: usize,
    pid: Pid,
    depth: usize,
    /// The steps to it, if they are recorded.
    steps: Vec<Step>,
}

impl Pending {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn push(&mut self, state: &[u8], pid: Pid, steps: Vec<Step>) {
        self.entries.push(Entry { start: self.bytes.len(), pid, depth: self.depth + 1, steps });
        self.bytes.extend_from_slice(state);
    }

    /// Moves the latest state to `state`; gives its process and the steps to it.
    pub fn pop(&mut self, state: &mut Vec<u8>) -> Option<(Pid, Vec<Step>)> {
        let entry = self.entries.pop()?;
        state.clear();
        state.extend_from_slice(&self.bytes[entry.start..]);
        self.bytes.truncate(entry.start);
        self.depth = entry.depth;
        Some((entry.pid, entry.steps))
    }

    /// Whether the state at work was met before on the way to it; if not, it is now.
    pub fn comes_back(&mut self, state: &[u8]) -> bool {
        if self.depth < PATIENCE {
            return false;
        }
        self.way.truncate(self.depth - PATIENCE);
        if self.way.iter().any(|s| s == state) {
            return true;
        }
        self.way.push(state.to_vec());
        false
    }

    pub fn forget_way(&mut self) {
        self.depth = 0;
        self.way.clear();
    }
}

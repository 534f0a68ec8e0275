//! Names that are the same in all runs: of threads, System V sets, shared memory.

use crate::operation::Tid;
use crate::protocol as p;
use std::collections::BTreeMap;

/// Interned once and kept over all runs, so that a thread keeps its number in whatever order threads are created.
#[derive(Debug, Default)]
pub(super) struct Names {
    threads: BTreeMap<(Tid, u64), Tid>,
    sets: BTreeMap<SetName, u64>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SetName {
    Private(u64, u64),
    Key(i64),
}

impl Names {
    /// The n-th child of a thread; none if there are too many.
    pub(super) fn thread(&mut self, parent: Tid, nth: u64) -> Option<Tid> {
        let next = self.threads.len() + 1;
        let id = *self.threads.entry((parent, nth)).or_insert(next);
        (id < p::LIM_SLOTS).then_some(id)
    }

    pub(super) fn set(&mut self, name: SetName) -> u64 {
        let next = self.sets.len() as u64 + 1;
        *self.sets.entry(name).or_insert(next)
    }
}

/// The address space of a process: where it sees memory that others may see too.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    pub(super) shared: Vec<Region>,
    pub(super) sets: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) start: u64,
    pub(super) length: u64,
    pub(super) id: u64,
    pub(super) offset: u64,
}

/// Marks identities of shared memory, which must not be mistaken for processes.
pub(super) const SHARED: u64 = 1 << 63;
const ANONYMOUS: u64 = 1 << 60;

/// A region's identity. Anonymous memory is named by the process that made it, and how many it had made before.
pub(super) fn region_id(process: u64, given: u64) -> u64 {
    let named = given >> 48 != 0;
    SHARED | if named { given } else { ANONYMOUS | process << 32 | given }
}

impl Space {
    /// Where an address really lies.
    pub(super) fn place(&self, process: u64, address: u64) -> (u64, u64) {
        let region = self.shared.iter().rev().find(|r| (r.start..r.start + r.length).contains(&address));
        match region {
            Some(r) => (r.id, r.offset + (address - r.start)),
            None => (process, address),
        }
    }
}

//! Names that are the same in all runs: of threads, System V sets, shared memory.

use crate::operation::Tid;
use crate::protocol as p;
use explore::stateless::Trouble;
use std::collections::BTreeSet;

/// What a search has learnt about the program, and a replay needs to know: names that are the same
/// in all runs, in whatever order things are created, and what turned out to be visible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Thread n + 1 is that child of that parent.
    pub threads: Vec<(Tid, u64)>,
    /// Set n + 1.
    pub sets: Vec<SetName>,
    /// Processes that wait for any child: the ends of their children are visible. With
    /// `ALL_PROCESSES` joins, waits, ends of threads and changes of what is done about signals are
    /// too: a process sends a signal, or may be cancelled while it waits for another. With `LOCKS`,
    /// so are closes of files; with `FILES`, races through files are looked for. With `FORKS`, what
    /// a child inherits is visible in processes of several threads. With `CANCELS`, so are
    /// cancellation points that are no operations otherwise.
    pub watched: BTreeSet<u64>,
    /// Places in the code whose plain memory accesses race: they are visible. And files through
    /// which threads race.
    pub racing: BTreeSet<u64>,
    /// Places in the code where threads may only wait: there they are asked whether they go round
    /// in a circle.
    pub waiting: BTreeSet<u64>,
}

/// A System V set: the n-th that a process made for itself, or that of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetName {
    /// The process, and the number of the set among those it made for itself.
    Private(u64, u64),
    /// The key that processes agree on.
    Key(i64),
}

/// What a thread is called among all of them: by its process, if that is enough.
pub fn called(all: &[(u64, Tid)], process: u64, who: Tid) -> String {
    let several = all.iter().any(|(other, _)| *other != process);
    let alone = all.iter().all(|(other, thread)| *other != process || *thread == who);
    match (several, alone) {
        (false, _) => format!("thread {who}"),
        (true, true) => format!("process {process}"),
        (true, false) => format!("thread {who} of process {process}"),
    }
}

fn intern<T: PartialEq>(table: &mut Vec<T>, name: T) -> usize {
    let at = table.iter().position(|known| *known == name);
    at.unwrap_or_else(|| {
        table.push(name);
        table.len() - 1
    }) + 1
}

/// No processes: signals are sent; files are locked.
pub(super) const ALL_PROCESSES: u64 = u64::MAX;
pub(super) const LOCKS: u64 = u64::MAX - 1;
/// Files are used while several threads exist: what they do is ordered.
pub(super) const FILES: u64 = u64::MAX - 2;
/// A process with several threads forks: what one of them does to files and handlers, the child has
/// or not.
pub(super) const FORKS: u64 = u64::MAX - 3;
/// Threads are cancelled: all cancellation points are visible.
pub(super) const CANCELS: u64 = u64::MAX - 4;

impl Known {
    pub(super) fn alert(&self) -> bool {
        self.watched.contains(&ALL_PROCESSES)
    }

    /// Of what races, the places in the code.
    pub(super) fn places(&self) -> impl Iterator<Item = u64> {
        self.racing.iter().copied().filter(|place| place & p::FILE == 0)
    }

    /// Whether the same is visible: it only becomes more, unless a run is repeated.
    pub(super) fn shows_as_much(&self, other: &Known) -> bool {
        let shown = |k: &Known| (k.racing.len(), k.watched.len(), k.waiting.len());
        shown(self) == shown(other)
            && (&self.racing, &self.watched, &self.waiting) == (&other.racing, &other.watched, &other.waiting)
    }

    /// More is visible than was thought: all begins anew.
    pub(super) fn watch(&mut self, process: u64) -> Trouble {
        self.watched.insert(process);
        Trouble::Restart
    }

    /// The n-th child of a thread; none if there are too many.
    pub(super) fn thread(&mut self, parent: Tid, nth: u64) -> Option<Tid> {
        let id = intern(&mut self.threads, (parent, nth));
        (id < p::LIM_SLOTS).then_some(id)
    }

    pub(super) fn set(&mut self, name: SetName) -> u64 {
        intern(&mut self.sets, name) as u64
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
/// Marks what the kernel numbers anew in each run: System V memory, files.
pub(super) const SEGMENT: u64 = 1 << 62;

/// A region's identity. Anonymous memory is named by the process that made it, and how many it had
/// made before.
pub(super) fn region_id(process: u64, given: u64) -> u64 {
    let named = given >> 48 != 0;
    SHARED | if named { given } else { ANONYMOUS | process << 32 | given }
}

impl Space {
    /// Where an address really lies.
    pub(super) fn place(&self, process: u64, address: u64) -> (u64, u64) {
        let region = self.shared.iter().rev().find(|r| address.wrapping_sub(r.start) < r.length);
        match region {
            Some(r) => (r.id, r.offset.wrapping_add(address.wrapping_sub(r.start))),
            None => (process, address),
        }
    }
}

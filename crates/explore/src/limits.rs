//! Limits of a search and the one who watches it. The clock and the interrupt live with the
//! watcher.

use crate::store::cache::CacheStatistics;
use core::time::Duration;
use std::ops::ControlFlow;

/// How much a search of whatever kind may use; each looks at what it can count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of states.
    pub states: Option<u64>,
    /// The longest path.
    pub depth: Option<u64>,
    /// Runs of a search that keeps no states.
    pub runs: Option<u64>,
    /// Bytes.
    pub memory: Option<u64>,
    /// For the watcher, who has the clock.
    pub time: Option<Duration>,
}

impl Limits {
    /// Holds a search against its limit of memory and shows it to the watcher.
    pub(crate) fn show(
        &self,
        progress: &Progress,
        watch: &mut (impl Listener + ?Sized),
    ) -> ControlFlow<Stop> {
        if self.memory.is_some_and(|limit| progress.memory_bytes > limit) {
            return ControlFlow::Break(Stop::Memory);
        }
        watch.look(progress)
    }
}

/// Where a search stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// How many states were stored.
    pub states: u64,
    /// How many transitions were explored.
    pub transitions: u64,
    /// How long the path is, or how many levels are complete.
    pub depth: u64,
    /// How much memory is in use.
    pub memory_bytes: u64,
    /// What became of states, if there is a cache.
    pub cache: Option<CacheStatistics>,
}

/// Why a search ended before everything was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The limit of states is reached.
    States,
    /// The limit of depth is reached.
    Depth,
    /// The limit of memory is reached.
    Memory,
    /// There is no room left on the disk.
    Disk,
    /// The limit of time is reached.
    Time,
    /// The user asked for it.
    Interrupt,
    /// The first violation was enough.
    Violation,
    /// Something has no value: [`crate::Report::undefined`].
    Undefined,
}

/// Called now and then with the progress of a search; may end it.
pub trait Listener {
    /// Sees the progress, and says whether to go on.
    fn look(&mut self, progress: &Progress) -> ControlFlow<Stop>;
}

/// Lets every search run to its end.
pub struct NoListener;

impl Listener for NoListener {
    fn look(&mut self, _: &Progress) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

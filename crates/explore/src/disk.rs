//! Breadth-first search of everything reachable with states on disk, exact, in memory of a given
//! size; it can be interrupted at any time, and goes on from its last checkpoint.
//!
//! Level by level: the states of the last level are read from a log and expanded. What they lead to
//! is looked up in memory, where states found lately are; the rest are *candidates*. When memory is
//! used up, candidates and known states move to sorted runs. At the end of a level the candidates
//! are merged, without what comes twice; those that are in no run of known states are the next
//! level, sorted. So levels, counts and runs do not depend on the size of the memory, nor on when
//! the search was interrupted. After Stern and Dill (*Using magnetic disk instead of main memory in
//! the Murφ verifier*, 1998) and Korf (*Delayed duplicate detection*, 2003); we sort states
//! themselves, not hashes, and skip what cannot have them (`run.rs`), and merge runs as in a
//! log-structured tree (`merge.rs`).
//!
//! * `folder`: what is asked of the caller, who has the files. `block`, `run`, `log`: files.
//! * `merge`, `known`: sets of states. `checkpoint`: what is written down to go on later.
//! * `search`: the search. `path`: the way to a state.
//!
//! Why it is exact, and why no crash can change a verdict: docs/internals/disk.md.

mod block;
mod checkpoint;
mod folder;
mod known;
mod log;
mod merge;
mod path;
mod run;
mod search;
#[cfg(test)]
mod tests;

pub use folder::{FileId, Folder, SAVING, Trouble};

use crate::limits::{Listener, Stop};
use crate::report::Report;
use crate::search::Options;
use folder::{End, Files};
use search::Search;
use space::Stepper;

/// What a search on disk found.
#[derive(Clone, Debug, Default)]
pub struct DiskReport {
    /// What it found, and how much it did, together with the runs it went on from.
    pub report: Report,
    /// How many states the checkpoint had from which it went on, if there was one.
    pub resumed: Option<u64>,
    /// The states found, and those files took.
    pub disk_bytes: u64,
    /// Nothing is left to be done: the folder is not needed any more.
    pub finished: bool,
}

/// Explores everything reachable, breadth-first, with about this many bytes of states in memory;
/// goes on from the checkpoint of the folder if there is one. The options must be those with which
/// that was made, but for limits.
pub fn search_on_disk<S: Stepper>(
    stepper: &mut S,
    options: &Options,
    folder: &mut dyn Folder,
    budget: usize,
    watch: &mut impl Listener,
) -> Result<DiskReport, Trouble> {
    let last = folder.checkpoint()?;
    let files = Files::new(folder, log::LOG + 1);
    let mut search = Search::new(stepper, options, files, budget, watch);
    let began = match &last {
        None => search.begin(),
        Some(checkpoint) => search.resume(checkpoint),
    };
    let resumed = search.resumed();
    match began {
        Ok(()) => {}
        // What was not read yet must not be written.
        Err(End::Stop(stop)) => return Ok(search.report(Some(stop), resumed)),
        Err(End::Trouble(Trouble::Full)) => return Ok(search.report(Some(Stop::Disk), resumed)),
        Err(End::Trouble(trouble)) => return Err(trouble),
    }
    let stopped = match search.run() {
        Ok(()) => None,
        Err(End::Stop(stop)) => Some(stop),
        Err(End::Trouble(Trouble::Full)) => Some(Stop::Disk),
        Err(End::Trouble(trouble)) => return Err(trouble),
    };
    if stopped.is_some_and(|stop| !is_final(stop)) {
        search.leave(stopped)?;
    }
    Ok(search.report(stopped, resumed))
}

/// Whether the search would end in the same way if it went on.
fn is_final(stop: Stop) -> bool {
    matches!(stop, Stop::Violation | Stop::Undefined)
}

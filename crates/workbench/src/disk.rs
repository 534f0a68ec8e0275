//! `--store disk:DIR`: a model searched with states on disk.
//!
//! * `folder`: the folder, as the search sees it; what is in it that is ours. `seal`: what its
//!   checkpoint begins with, so that no search goes on from what is not its own.

mod folder;
mod seal;

pub use explore::disk::SAVING;

use crate::answer::Kind;
use crate::engine::{self, Found};
use crate::failure::Failure;
use crate::listener::{ProgressListener, resident_bytes};
use crate::model::{Claim, Model};
use crate::question::{DiskStore, Question};
use crate::reduction::Plan;
use crate::verdict;
use explore::disk::Trouble;
use explore::search_on_disk;
use folder::OpenFolder;
use seal::Identity;
use std::path::{Path, PathBuf};

/// What a search on disk took besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiskNumbers {
    /// The folder.
    pub folder: PathBuf,
    /// How many bytes of files it had in the end.
    pub bytes: u64,
    /// How many states the checkpoint had from which the search went on.
    pub resumed: Option<u64>,
    /// Whether there is a checkpoint to go on from.
    pub kept: bool,
}

/// What a search on disk leaves behind until its answer is known.
pub(crate) struct Kept {
    folder: OpenFolder,
    finished: bool,
}

impl Kept {
    /// The answer is known: what nothing can go on from is removed.
    pub(crate) fn settle(self) {
        if self.finished {
            self.folder.clear();
        }
    }
}

/// States in memory take at most this many bytes unless memory has a limit, and never less than
/// that.
const USUAL: u64 = 512 << 20;
const LEAST: u64 = 1 << 20;

/// How much memory states may take: of what is left up to the limit, the other half is for sorting,
/// for buffers and for what allocators waste.
fn budget(limit: Option<u64>) -> u64 {
    limit.map_or(USUAL, |limit| (limit.saturating_sub(resident_bytes()) / 2).max(LEAST))
}

/// Refuses what a search on disk does not decide.
pub(crate) fn admit(question: &Question, asked: &[Claim]) -> Result<(), Failure> {
    if question.disk.is_none() {
        return Ok(());
    }
    let of_runs: Vec<&str> =
        asked.iter().filter(|c| !verdict::is_safety(c.kind)).map(|c| c.name.as_str()).collect();
    if !of_runs.is_empty() {
        return Err(Failure::Request(format!(
            "--store disk decides deadlocks, assertions and run-time errors, not properties of runs ({}); \
             give --property safety",
            of_runs.join(", ")
        )));
    }
    Ok(())
}

/// Searches a model for violations of these kinds.
pub(crate) fn search(
    model: &Model,
    question: &Question,
    store: &DiskStore,
    wanted: &[Kind],
    watcher: &mut ProgressListener<'_>,
) -> Result<(Found, Kept), Failure> {
    let plan = Plan::of(question, wanted)?;
    let mut program = engine::program(&model.system, question, watcher)?;
    let options = engine::options(question, wanted);
    let identity = Identity::of(model, question, &options);
    watcher.phase("opening the folder of states");
    let mut folder = OpenFolder::open(store, &identity, watcher.job())?;
    watcher.phase("searching");
    let budget = usize::try_from(budget(question.limits.memory)).unwrap_or(usize::MAX);
    let found = search_on_disk(&mut program, &options, &mut folder, budget, watcher);
    let found = found.map_err(|trouble| failure(&store.folder, trouble))?;
    let disk = DiskNumbers {
        folder: store.folder.clone(),
        bytes: found.disk_bytes,
        resumed: found.resumed,
        kept: !found.finished,
    };
    let kept = Kept { folder, finished: found.finished };
    Ok((Found { disk: Some(disk), ..engine::found(&model.system, found.report, plan, &program) }, kept))
}

fn failure(folder: &Path, trouble: Trouble) -> Failure {
    match trouble {
        Trouble::Damaged(what) => damaged(folder, &what),
        other => Failure::File { path: folder.to_path_buf(), message: other.to_string() },
    }
}

/// What is in the folder is not what was written.
fn damaged(folder: &Path, what: &str) -> Failure {
    let help = "nothing was changed; remove the folder to begin anew, or name another one";
    Failure::File {
        path: folder.to_path_buf(),
        message: format!("the checkpoint is damaged: {what}; {help}"),
    }
}

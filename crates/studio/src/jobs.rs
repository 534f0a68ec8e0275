//! Commands under way: each is a process, in a process group and with a folder of its own. It is
//! asked to end by a signal and then answers with what it knows; what does not end within its grace
//! is killed.

use crate::ask::{Ask, Files};
use crate::folder::Folder;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use workbench::asking::{Asked, GRACE, drafted, private_folder};

/// How many commands may be under way at once.
const MOST: usize = 8;

/// All commands under way.
pub(crate) struct Jobs {
    weave: PathBuf,
    limits: Vec<String>,
    folder: PathBuf,
    next: AtomicU64,
    running: Mutex<HashMap<u64, Arc<Job>>>,
}

/// A command under way.
pub(crate) struct Job {
    pub(crate) id: u64,
    asked: Asked,
    folder: PathBuf,
}

/// Why a command is not started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotStarted {
    #[error("{MOST} searches are under way; stop one of them")]
    Busy,
    #[error("the command cannot be started: {0}")]
    Io(#[from] io::Error),
}

/// Never poisoned in a way that matters: what is kept is whole after every statement.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Jobs {
    /// Jobs of this program, with these options that limit them. Their files live in a folder that
    /// no other user may look into.
    pub(crate) fn new(weave: PathBuf, limits: Vec<String>, name: &str) -> io::Result<Jobs> {
        let folder = std::env::temp_dir().join(format!("weave-studio-{name}"));
        private_folder(&folder)?;
        Ok(Jobs { weave, limits, folder, next: AtomicU64::new(1), running: Mutex::default() })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Starts what is asked; its lines come from the pipe.
    pub(crate) fn start(&self, ask: &Ask, files: &Folder) -> Result<(Arc<Job>, ChildStdout), NotStarted> {
        let mut running = lock(&self.running);
        if running.len() >= MOST {
            return Err(NotStarted::Busy);
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(id.to_string());
        private_folder(&folder)?;
        let (asked, pipe) =
            self.spawn(ask, files, &folder).inspect_err(|_| drop(fs::remove_dir_all(&folder)))?;
        let job = Arc::new(Job { id, asked, folder });
        running.insert(id, Arc::clone(&job));
        Ok((job, pipe))
    }

    fn spawn(&self, ask: &Ask, files: &Folder, folder: &Path) -> io::Result<(Asked, ChildStdout)> {
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let (guide, trace, orders) = (path("guide"), path("trace"), path("orders"));
        if let Some(run) = &ask.guide {
            fs::write(&guide, run)?;
        }
        let lines: Vec<String> = ask.orders.iter().map(|order| format!("{order}\n")).collect();
        fs::write(&orders, lines.concat())?;
        let place = match &ask.draft {
            Some(text) => drafted(files.root(), &ask.file, text, folder)?,
            None => files.root().to_path_buf(),
        };
        let guide = ask.guide.as_ref().map(|_| guide.as_str());
        let mut command = Command::new(&self.weave);
        command.args(ask.arguments(&Files { guide, trace: &trace }, &self.limits));
        Asked::start(command.current_dir(place).stdin(File::open(&orders)?))
    }

    /// Asks a command to end and to say what it knows.
    pub(crate) fn stop(&self, id: u64) -> bool {
        let job = lock(&self.running).get(&id).cloned();
        job.map(|job| job.interrupt()).is_some()
    }

    /// The command has ended: what it left is removed.
    pub(crate) fn forget(&self, job: &Job) {
        lock(&self.running).remove(&job.id);
        let _ = fs::remove_dir_all(&job.folder);
    }

    /// Ends everything.
    pub(crate) fn clear(&self) {
        let all: Vec<Arc<Job>> = lock(&self.running).drain().map(|(_, job)| job).collect();
        all.iter().for_each(|job| job.interrupt());
        let due = Instant::now() + GRACE;
        for job in &all {
            job.asked.end_by(due);
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Job {
    /// How it ended, if it has.
    pub(crate) fn ended(&self) -> Option<ExitStatus> {
        self.asked.ended()
    }

    /// Asks it to end and to say what it knows.
    pub(crate) fn interrupt(&self) {
        self.asked.interrupt();
    }

    /// Waits for its end; if it does not come in time, it is killed.
    pub(crate) async fn end(&self) -> Option<ExitStatus> {
        const PAUSE: Duration = Duration::from_millis(5);
        let due = Instant::now() + GRACE;
        while Instant::now() < due {
            if let Some(status) = self.ended() {
                return Some(status);
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.asked.kill();
        self.ended()
    }

    /// The run that it wrote down.
    pub(crate) fn recorded(&self) -> Option<String> {
        fs::read_to_string(self.folder.join("trace")).ok()
    }
}

//! A question to weave as a process of its own: it answers with lines, holds its limits, and ends
//! when it is asked to. So who asks knows nothing of verification, and a search that goes wrong
//! does not take who asked with it.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs::{self, DirBuilder};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a command may take to answer when it is asked to end.
pub const GRACE: Duration = Duration::from_millis(2500);

/// How often it is looked whether a command has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// A command under way, in a process group of its own.
#[derive(Debug)]
pub struct Asked {
    child: Mutex<Child>,
}

impl Asked {
    /// Starts a command; its lines come from the pipe.
    pub fn start(command: &mut Command) -> io::Result<(Asked, ChildStdout)> {
        let mut child = command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let pipe = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok((Asked { child: Mutex::new(child) }, pipe))
    }

    /// Never poisoned in a way that matters: what is kept is whole after every statement.
    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How it ended, if it has.
    pub fn ended(&self) -> Option<ExitStatus> {
        self.child().try_wait().ok().flatten()
    }

    /// Asks it to end and to say what it knows, as `kill` does: weave hears it as Ctrl-C, which may
    /// be switched off where this process was started. A process that has ended is not asked: its
    /// number may be another's.
    pub fn interrupt(&self) {
        let mut child = self.child();
        if let Some(pid) = alive(&mut child) {
            let _ = kill_process(pid, Signal::TERM);
        }
    }

    /// Ends it, and what it started.
    pub fn kill(&self) {
        let mut child = self.child();
        if let Some(pid) = alive(&mut child) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Ends what it started and left behind, as long as that holds its pipe.
    fn kill_rest(&self) {
        if let Some(pid) = i32::try_from(self.child().id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// Waits until a time for its end; if that does not come, it is killed.
    pub fn end_by(&self, due: Instant) -> Option<ExitStatus> {
        while self.ended().is_none() && Instant::now() < due {
            std::thread::sleep(PAUSE);
        }
        self.ended().or_else(|| {
            self.kill();
            self.ended()
        })
    }
}

fn alive(child: &mut Child) -> Option<Pid> {
    let alive = matches!(child.try_wait(), Ok(None));
    i32::try_from(child.id()).ok().and_then(Pid::from_raw).filter(|_| alive)
}

/// How far a question may go.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// After this time it is asked to end, and after the grace killed.
    pub time: Duration,
    /// Longer answers are cut off, and the command with them.
    pub bytes: u64,
}

/// What came of a question.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// What the command wrote.
    pub text: String,
    /// Its exit code; none if it was killed.
    pub code: Option<i32>,
    /// The answer is not all there.
    pub cut: bool,
}

/// Asks and waits for the answer; whenever `stop` says so, the command is asked to end.
pub fn ask(command: &mut Command, bounds: Bounds, stop: &dyn Fn() -> bool) -> io::Result<Heard> {
    let (asked, mut pipe) = Asked::start(command)?;
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.by_ref().take(bounds.bytes + 1).read_to_end(&mut bytes);
        bytes
    });
    let mut due: Option<Instant> = None;
    let begun = Instant::now();
    while asked.ended().is_none() && !reader.is_finished() {
        if due.is_none() && (stop() || begun.elapsed() >= bounds.time) {
            asked.interrupt();
            due = Some(Instant::now() + GRACE);
        }
        if due.is_some_and(|due| Instant::now() >= due) {
            asked.kill();
        }
        std::thread::sleep(PAUSE);
    }
    // The reader is done when the pipe is closed or the answer too long.
    let status = asked.end_by(Instant::now() + GRACE);
    let due = Instant::now() + GRACE;
    while !reader.is_finished() && Instant::now() < due {
        std::thread::sleep(PAUSE);
    }
    if !reader.is_finished() {
        asked.kill_rest();
    }
    let mut bytes = reader.join().unwrap_or_default();
    let cut = bytes.len() as u64 > bounds.bytes;
    bytes.truncate(usize::try_from(bounds.bytes).unwrap_or(usize::MAX));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Heard { text, code: status.and_then(|s| s.code()), cut })
}

/// A folder for the files of questions, that no other user may look into; removed with it.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A new folder with this name among the temporary ones.
    pub fn new(name: &str) -> io::Result<Scratch> {
        let path = std::env::temp_dir().join(name);
        private_folder(&path)?;
        Ok(Scratch { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Makes a folder that no other user may look into.
pub fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// A folder in which a file has another text, and its neighbours are where they are: what it
/// includes is found.
pub fn drafted(root: &Path, file: &str, text: &str, folder: &Path) -> io::Result<PathBuf> {
    let tree = folder.join("tree");
    let (draft, real) = (tree.join(file), root.join(file));
    let (Some(beside), Some(neighbours)) = (draft.parent(), real.parent()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    fs::create_dir_all(beside)?;
    for neighbour in fs::read_dir(neighbours)?.flatten() {
        if neighbour.path() != real {
            symlink(neighbour.path(), beside.join(neighbour.file_name()))?;
        }
    }
    fs::write(&draft, text)?;
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    const BOUNDS: Bounds = Bounds { time: Duration::from_secs(600), bytes: 100 };

    #[test]
    fn an_answer_is_heard_and_cut_where_it_is_too_long() {
        let heard = ask(&mut shell("echo yes; exit 3"), BOUNDS, &|| false).unwrap();
        assert_eq!((heard.text.as_str(), heard.code, heard.cut), ("yes\n", Some(3), false));
        let heard = ask(&mut shell("yes"), BOUNDS, &|| false).unwrap();
        assert_eq!((heard.text.len(), heard.cut), (100, true));
    }

    #[test]
    fn a_question_ends_when_it_is_stopped() {
        let heard =
            ask(&mut shell("trap 'echo late; exit 7' TERM; echo now; while :; do :; done"), BOUNDS, &|| true);
        let heard = heard.unwrap();
        assert!(heard.code != Some(0) && !heard.cut);
        // Stopped before it could say how it ends: it is killed after the grace.
        let heard = ask(&mut shell("trap '' TERM; while :; do :; done"), BOUNDS, &|| true).unwrap();
        assert_eq!(heard.code, None);
    }

    #[test]
    fn a_draft_stands_among_its_neighbours() {
        let scratch = Scratch::new(&format!("weave-asking-{}", std::process::id())).unwrap();
        let root = scratch.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(root.join("a.pml"), "old").unwrap();
        fs::write(root.join("b.h"), "beside").unwrap();
        let tree = drafted(&root, "a.pml", "new", scratch.path()).unwrap();
        assert_eq!(fs::read_to_string(tree.join("a.pml")).unwrap(), "new");
        assert_eq!(fs::read_to_string(tree.join("b.h")).unwrap(), "beside");
    }
}

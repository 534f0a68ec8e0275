//! Standard input of the programs: read once, when a program first asks for it, and given to every
//! run from its beginning.
//!
//! It is kept in a file in memory. That the file may not be written any more tells programs that it
//! is complete. A terminal counts as empty: what is typed could not be typed again. A pipe has to
//! end: after a silence of [`SILENCE`] the search ends.

use super::checked;
use super::memory::memory_file;
use std::fs::{File, Permissions};
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// As long as nothing comes.
const SILENCE: Duration = Duration::from_secs(10);
/// How often to look whether the search is to end.
const LOOK: Duration = Duration::from_millis(200);
const MOST: usize = 64 << 20;

/// What programs read from their standard input.
pub struct Input {
    kept: File,
    state: Mutex<State>,
    go_on: Box<dyn Fn() -> bool + Send + Sync>,
}

#[derive(Clone, Debug)]
enum State {
    Unread,
    Read,
    /// The terminal counts as empty.
    Terminal,
    Failed(Arc<NoInput>),
}

/// Why there is no standard input.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoInput {
    /// The search ended while it was awaited.
    #[error("standard input was awaited when the search was to end")]
    Ended,
    /// A pipe that stays open.
    #[error("standard input does not end, and nothing came for {} s: give a file, or < /dev/null", SILENCE.as_secs())]
    Silent,
    /// More than is kept.
    #[error("standard input is longer than {} MB", MOST >> 20)]
    Long,
    /// It cannot be read or kept.
    #[error("standard input: {0}")]
    Unreadable(#[from] io::Error),
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("state", &self.state).finish()
    }
}

impl Input {
    /// Our own standard input. Waiting for it ends when `go_on` says so.
    pub fn standard(go_on: impl Fn() -> bool + Send + Sync + 'static) -> io::Result<Input> {
        let kept = File::from(memory_file("weave-input")?);
        kept.set_permissions(Permissions::from_mode(0o600))?;
        Ok(Input { kept, state: Mutex::new(State::Unread), go_on: Box::new(go_on) })
    }

    /// What was read before, in another search.
    pub fn of(bytes: &[u8]) -> io::Result<Input> {
        let input = Input::standard(|| true)?;
        input.complete(bytes)?;
        Ok(Input { state: Mutex::new(State::Read), ..input })
    }

    /// What was read so far; nothing if no program has asked.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let read = self.open().and_then(|file| File::from(file).read_to_end(&mut bytes));
        if read.is_ok() { bytes } else { Vec::new() }
    }

    /// For a program: with a position of its own.
    pub(super) fn open(&self) -> io::Result<OwnedFd> {
        File::open(format!("/proc/self/fd/{}", self.kept.as_raw_fd())).map(OwnedFd::from)
    }

    /// A program asks: reads all there is, the first time. What is to be said of it; or why there
    /// is none.
    pub(crate) fn fill(&self) -> Result<Option<&'static str>, Arc<NoInput>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Unread) {
            *state = self.read();
        }
        match &*state {
            State::Failed(why) => Err(why.clone()),
            State::Terminal => Ok(Some("standard input is empty: it is a terminal")),
            State::Read | State::Unread => Ok(None),
        }
    }

    fn read(&self) -> State {
        if io::stdin().is_terminal() {
            return self.complete(&[]).map_or_else(failed, |()| State::Terminal);
        }
        match self.gather() {
            Ok(bytes) => self.complete(&bytes).map_or_else(failed, |()| State::Read),
            Err(why) => State::Failed(Arc::new(why)),
        }
    }

    fn complete(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.kept).write_all(bytes)?;
        self.kept.set_permissions(Permissions::from_mode(0o400))
    }

    fn gather(&self) -> Result<Vec<u8>, NoInput> {
        let mut bytes = Vec::new();
        let mut part = vec![0; 1 << 16];
        let mut last = Instant::now();
        loop {
            if !(self.go_on)() {
                return Err(NoInput::Ended);
            }
            if !is_ready()? {
                if last.elapsed() > SILENCE {
                    return Err(NoInput::Silent);
                }
                continue;
            }
            // SAFETY: our own standard input, which is not closed here.
            #[allow(unsafe_code, reason = "see above")]
            let mut file = std::mem::ManuallyDrop::new(unsafe { File::from_raw_fd(0) });
            match file.read(&mut part) {
                Ok(0) => return Ok(bytes),
                Ok(n) => bytes.extend_from_slice(&part[..n]),
                // There is none: closed.
                Err(e) if e.raw_os_error() == Some(libc::EBADF) => return Ok(bytes),
                Err(e) if e.kind() == io::ErrorKind::Interrupted || e.kind() == io::ErrorKind::WouldBlock => {
                }
                Err(e) => return Err(e.into()),
            }
            last = Instant::now();
            if bytes.len() > MOST {
                return Err(NoInput::Long);
            }
        }
    }
}

fn failed(error: io::Error) -> State {
    State::Failed(Arc::new(error.into()))
}

/// Whether something, or the end, can be read now; waits a little for it.
fn is_ready() -> io::Result<bool> {
    let mut one = libc::pollfd { fd: 0, events: libc::POLLIN, revents: 0 };
    // SAFETY: one valid place.
    #[allow(unsafe_code, reason = "see above")]
    let ready = unsafe { libc::poll(&mut one, 1, LOOK.as_millis() as i32) };
    match checked(ready) {
        Ok(ready) => Ok(ready > 0),
        Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(false),
        Err(e) => Err(e),
    }
}

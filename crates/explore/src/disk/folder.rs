//! What a search on disk asks of the folder it writes to. The caller has the files and the clock.

use std::fmt;

/// What a search does while it should not be cut off, in words that follow "while".
pub const SAVING: &str = "writing a checkpoint";

/// A file of the folder, by number.
pub type FileId = u64;

/// Why the folder did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is no room left.
    Full,
    /// A file is not what was written: what is wrong, and where.
    Damaged(String),
    /// Anything else, in the words of the system.
    Failed(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Full => f.write_str("no room is left"),
            Trouble::Damaged(what) | Trouble::Failed(what) => f.write_str(what),
        }
    }
}

/// A folder of numbered files and one checkpoint. What was written is certain to be there after a
/// crash only if it was synced, or is in the checkpoint.
pub trait Folder {
    /// Writes to a file; makes it if there is none. What lies behind stays as it is.
    fn write(&mut self, file: FileId, at: u64, bytes: &[u8]) -> Result<(), Trouble>;

    /// Reads as many bytes as there is room for; a shorter file is damaged.
    fn read(&mut self, file: FileId, at: u64, into: &mut [u8]) -> Result<(), Trouble>;

    /// Waits until what was written to a file is safe.
    fn sync(&mut self, file: FileId) -> Result<(), Trouble>;

    /// Removes a file; it need not be there.
    fn remove(&mut self, file: FileId) -> Result<(), Trouble>;

    /// The files that are there.
    fn files(&mut self) -> Result<Vec<FileId>, Trouble>;

    /// The last checkpoint.
    fn checkpoint(&mut self) -> Result<Option<Vec<u8>>, Trouble>;

    /// Replaces the checkpoint: after a crash there is the old one or the new one, whole.
    fn commit(&mut self, checkpoint: &[u8]) -> Result<(), Trouble>;

    /// Whether the last checkpoint is old enough for another one. No result depends on it.
    fn is_due(&mut self) -> bool;

    /// What the search does now, in words that follow "while".
    fn phase(&mut self, _: &'static str) {}
}

/// Why a phase of the search did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A limit, a violation, the user.
    Stop(crate::limits::Stop),
    /// The folder.
    Trouble(Trouble),
}

impl From<Trouble> for End {
    fn from(trouble: Trouble) -> End {
        End::Trouble(trouble)
    }
}

impl From<crate::limits::Stop> for End {
    fn from(stop: crate::limits::Stop) -> End {
        End::Stop(stop)
    }
}

/// Called now and then in long phases; may end them.
pub(super) type Look<'l> = &'l mut dyn FnMut() -> Result<(), End>;

/// The folder, and what becomes of its files at the next checkpoint.
pub(super) struct Files<'f> {
    pub folder: &'f mut dyn Folder,
    /// The number of the next file.
    pub next: FileId,
    /// Written since the last checkpoint.
    unsynced: Vec<FileId>,
    /// Not needed any more, but the last checkpoint names them.
    dropped: Vec<FileId>,
}

impl<'f> Files<'f> {
    pub fn new(folder: &'f mut dyn Folder, next: FileId) -> Files<'f> {
        Files { folder, next, unsynced: Vec::new(), dropped: Vec::new() }
    }

    /// The number of a new file.
    pub fn create(&mut self) -> FileId {
        let file = self.next;
        self.next += 1;
        self.touch(file);
        file
    }

    /// Something was written to a file.
    pub fn touch(&mut self, file: FileId) {
        if !self.unsynced.contains(&file) {
            self.unsynced.push(file);
        }
    }

    /// A file is not needed any more: it goes at once if no checkpoint names it.
    pub fn drop(&mut self, file: FileId) -> Result<(), Trouble> {
        match self.unsynced.iter().position(|other| *other == file) {
            None => {
                self.dropped.push(file);
                Ok(())
            }
            Some(at) => {
                self.unsynced.swap_remove(at);
                self.folder.remove(file)
            }
        }
    }

    /// Makes a checkpoint of which all files are safe, then removes those it does not need.
    pub fn commit(&mut self, checkpoint: &[u8]) -> Result<(), Trouble> {
        for file in self.unsynced.drain(..) {
            self.folder.sync(file)?;
        }
        self.folder.commit(checkpoint)?;
        self.dropped.drain(..).try_for_each(|file| self.folder.remove(file))
    }

    /// Removes all files but these.
    pub fn sweep(&mut self, but: &[FileId]) -> Result<(), Trouble> {
        let all = self.folder.files()?;
        all.into_iter().filter(|file| !but.contains(file)).try_for_each(|file| self.folder.remove(file))
    }
}

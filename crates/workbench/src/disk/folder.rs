//! The folder of a search on disk. It has the checkpoint, files of states by number, and nothing
//! else of ours; what others put there is left alone, and a folder with files of others and no
//! checkpoint is not used.
//!
//! A lock on the folder itself keeps out a second search. It goes when the process does.

use super::damaged;
use super::seal::{Identity, MAGIC, Sealed};
use crate::failure::Failure;
use crate::job::Interrupt;
use crate::model::describe;
use crate::question::DiskStore;
use explore::disk::{FileId, Folder, Trouble};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CHECKPOINT: &str = "weave-checkpoint";
const NEW: &str = "weave-checkpoint.new";

/// Checkpoints take at most one part in as many of the time.
const SHARE: u32 = 10;

pub(super) struct OpenFolder {
    path: PathBuf,
    /// Locked; also to sync the names in it.
    handle: File,
    files: HashMap<FileId, File>,
    identity: Identity,
    /// The folder was made for this search.
    made: bool,
    last: Option<Vec<u8>>,
    every: Duration,
    /// When the last checkpoint was begun, when it was made, and how long the longest took.
    begun: Instant,
    saved: Instant,
    took: Duration,
    job: Interrupt,
}

fn name(file: FileId) -> String {
    format!("weave-{file}.states")
}

fn number(name: &str) -> Option<FileId> {
    let number = name.strip_prefix("weave-")?.strip_suffix(".states")?.parse().ok()?;
    (self::name(number) == name).then_some(number)
}

impl OpenFolder {
    /// Opens a folder, or makes it. It is new, or has the checkpoint of the same search.
    pub fn open(store: &DiskStore, identity: &Identity, job: &Interrupt) -> Result<OpenFolder, Failure> {
        let path = store.folder.clone();
        let fail = |message: String| Failure::File { path: path.clone(), message };
        let made = match fs::create_dir(&path) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
            Err(error) => return Err(fail(format!("cannot be made: {}", describe(&error)))),
        };
        if !path.is_dir() {
            return Err(fail("is not a folder".to_string()));
        }
        let handle = File::open(&path).map_err(|error| fail(describe(&error)))?;
        match handle.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(fail("is in use by another weave".to_string())),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let (identity, every, job) = (identity.clone(), store.every, job.clone());
        let now = Instant::now();
        let mut folder = OpenFolder {
            path,
            handle,
            files: HashMap::new(),
            identity,
            made,
            last: None,
            every,
            begun: now,
            saved: now,
            took: Duration::ZERO,
            job,
        };
        folder.look_into()?;
        Ok(folder)
    }

    /// Finds out what is there.
    fn look_into(&mut self) -> Result<(), Failure> {
        let path = self.path.clone();
        let fail = |error: io::Error| Failure::File { path: path.clone(), message: describe(&error) };
        match fs::read(self.path.join(CHECKPOINT)) {
            Ok(bytes) if !bytes.starts_with(MAGIC) => {
                Err(damaged(&self.path, "it does not begin as one of this version"))
            }
            Ok(bytes) => {
                let sealed = Sealed::open(&bytes, &self.identity, &self.path)?;
                self.made |= sealed.made;
                if sealed.done {
                    return self.remove_all().map_err(fail);
                }
                self.last = Some(sealed.body);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => match self.others().map_err(fail)? {
                None => Ok(()),
                Some(name) => Err(Failure::File {
                    path: self.path.clone(),
                    message: format!(
                        "has files of others ({name}) and no checkpoint; name a folder that is empty or not there yet"
                    ),
                }),
            },
            Err(error) => Err(fail(error)),
        }
    }

    /// A file that is not ours, if there is one where there is no checkpoint.
    fn others(&self) -> io::Result<Option<String>> {
        for entry in fs::read_dir(&self.path)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name != NEW || !is_begun(&self.path.join(NEW))? {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// Removes what is ours; the folder, too, if it was made for it and is empty.
    pub fn clear(mut self) {
        // What cannot be removed stays: the answer does not depend on it, and a search that comes
        // after finds out that this one is over.
        let done = Sealed { made: self.made, done: true, body: Vec::new() };
        let _ = self.put(&done).and_then(|()| self.remove_all());
        if self.made {
            let _ = fs::remove_dir(&self.path);
        }
    }

    fn remove_all(&mut self) -> io::Result<()> {
        self.files.clear();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name().to_str().and_then(number).is_some() {
                fs::remove_file(entry.path())?;
            }
        }
        fs::remove_file(self.path.join(CHECKPOINT))
    }

    fn put(&self, sealed: &Sealed) -> io::Result<()> {
        let new = self.path.join(NEW);
        let mut file = File::create(&new)?;
        file.write_all(&sealed.bytes(&self.identity))?;
        file.sync_all()?;
        // The files that it names have their names before.
        self.handle.sync_all()?;
        fs::rename(&new, self.path.join(CHECKPOINT))?;
        self.handle.sync_all()
    }

    fn file(&mut self, file: FileId, create: bool) -> Result<&File, Trouble> {
        if !self.files.contains_key(&file) {
            let path = self.path.join(name(file));
            let opened = OpenOptions::new().read(true).write(true).create(create).truncate(false).open(path);
            self.files.insert(file, opened.map_err(|error| trouble(&self.path, file, &error))?);
        }
        Ok(&self.files[&file])
    }

    fn on<T>(
        &mut self,
        file: FileId,
        create: bool,
        act: impl FnOnce(&File) -> io::Result<T>,
    ) -> Result<T, Trouble> {
        let done = act(self.file(file, create)?);
        done.map_err(|error| trouble(&self.path, file, &error))
    }
}

/// Whether this is the beginning of a checkpoint of ours.
fn is_begun(path: &Path) -> io::Result<bool> {
    let bytes = fs::read(path)?;
    Ok(bytes.starts_with(MAGIC) || MAGIC.starts_with(&bytes))
}

fn trouble(folder: &Path, file: FileId, error: &io::Error) -> Trouble {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Trouble::Full,
        ErrorKind::UnexpectedEof => Trouble::Damaged(format!("{} is too short", name(file))),
        ErrorKind::NotFound => Trouble::Damaged(format!("{} is not there", name(file))),
        _ => Trouble::Failed(format!("{}: {error}", folder.join(name(file)).display())),
    }
}

impl Folder for OpenFolder {
    fn write(&mut self, file: FileId, at: u64, bytes: &[u8]) -> Result<(), Trouble> {
        self.on(file, true, |file| file.write_all_at(bytes, at))
    }

    fn read(&mut self, file: FileId, at: u64, into: &mut [u8]) -> Result<(), Trouble> {
        self.on(file, false, |file| file.read_exact_at(into, at))
    }

    fn sync(&mut self, file: FileId) -> Result<(), Trouble> {
        self.on(file, true, File::sync_data)
    }

    fn remove(&mut self, file: FileId) -> Result<(), Trouble> {
        self.files.remove(&file);
        match fs::remove_file(self.path.join(name(file))) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(trouble(&self.path, file, &error)),
            _ => Ok(()),
        }
    }

    fn files(&mut self) -> Result<Vec<FileId>, Trouble> {
        let failed = |error: io::Error| Trouble::Failed(describe(&error));
        let mut all = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            all.extend(entry.map_err(failed)?.file_name().to_str().and_then(number));
        }
        Ok(all)
    }

    fn checkpoint(&mut self) -> Result<Option<Vec<u8>>, Trouble> {
        Ok(self.last.clone())
    }

    fn commit(&mut self, checkpoint: &[u8]) -> Result<(), Trouble> {
        let sealed = Sealed { made: self.made, done: false, body: checkpoint.to_vec() };
        self.put(&sealed).map_err(|error| match trouble(&self.path, 0, &error) {
            Trouble::Full => Trouble::Full,
            _ => Trouble::Failed(format!("the checkpoint cannot be written: {error}")),
        })?;
        self.last = Some(sealed.body);
        self.saved = Instant::now();
        self.took = self.took.max(self.begun.elapsed());
        Ok(())
    }

    fn is_due(&mut self) -> bool {
        self.saved.elapsed() >= self.every.max(self.took * SHARE)
    }

    fn phase(&mut self, phase: &'static str) {
        self.begun = Instant::now();
        self.job.phase(phase);
    }
}

//! Recorded runs: files of ours in a folder of ours, which clients know by a name.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use workbench::asking::Scratch;

/// How many runs are kept; the oldest goes first.
const MOST: usize = 64;

/// The runs that were recorded.
pub(crate) struct Runs {
    scratch: Scratch,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    next: u64,
    names: VecDeque<String>,
}

impl Runs {
    pub(crate) fn new() -> io::Result<Runs> {
        let scratch = Scratch::new(&format!("weave-mcp-{}", std::process::id()))?;
        Ok(Runs { scratch, kept: Mutex::default() })
    }

    /// Where they are.
    pub(crate) fn folder(&self) -> &Path {
        self.scratch.path()
    }

    /// A name for a run that may be recorded, and its file.
    pub(crate) fn begin(&self) -> (String, PathBuf) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.next += 1;
        let name = format!("run{}", kept.next);
        let path = self.scratch.path().join(&name);
        (name, path)
    }

    /// Keeps a run if it was recorded.
    pub(crate) fn keep(&self, name: String) -> Option<String> {
        if !self.scratch.path().join(&name).is_file() {
            return None;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.names.push_back(name.clone());
        if kept.names.len() > MOST
            && let Some(oldest) = kept.names.pop_front()
        {
            let _ = std::fs::remove_file(self.scratch.path().join(oldest));
        }
        Some(name)
    }

    /// The file of a run.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.names.iter().any(|known| known == name).then(|| self.scratch.path().join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_known_by_name_and_the_oldest_goes() {
        let runs = Runs::new().unwrap();
        let record = |_| {
            let (name, path) = runs.begin();
            std::fs::write(path, "{}").unwrap();
            runs.keep(name).unwrap()
        };
        let names: Vec<String> = (0..MOST + 1).map(record).collect();
        assert!(runs.find(&names[0]).is_none() && runs.find(&names[1]).is_some());
        assert!(runs.find("../etc/passwd").is_none());
        let (never, _) = runs.begin();
        assert_eq!(runs.keep(never), None);
    }
}

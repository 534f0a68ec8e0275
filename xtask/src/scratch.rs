//! A directory for the time of one job, removed when dropped.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

static NEXT: AtomicU64 = AtomicU64::new(0);

pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    pub fn new(purpose: &str) -> io::Result<Scratch> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("everyweave-{purpose}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Scratch { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing is lost when the operating system cleans up later.
        let _ = fs::remove_dir_all(&self.path);
    }
}

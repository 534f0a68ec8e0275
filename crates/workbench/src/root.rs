//! One folder, and nothing outside of it: for those who ask over a wire, and may see some files but
//! not all.
//!
//! A path is refused if it is absolute or goes up, and if what it means, symbolic links followed,
//! lies outside. A process that is started for such a question is held to folders itself, by the
//! variable [`CONFINED`]: what a model includes may be read inside of them alone.

use std::io;
use std::path::{Component, Path, PathBuf};

/// The variable of the environment that holds a process to folders, written as in `PATH`.
pub const CONFINED: &str = "WEAVE_ROOT";

/// A folder that may be seen.
#[derive(Clone, Debug)]
pub struct Root {
    path: PathBuf,
}

/// Why there is no such file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unseen {
    /// It lies elsewhere.
    #[error("this path leads out of the folder")]
    Outside,
    /// There is none.
    #[error("there is no such file")]
    Missing,
}

impl Root {
    /// A folder, symbolic links followed.
    pub fn new(path: &Path) -> io::Result<Root> {
        Ok(Root { path: path.canonicalize()? })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that a path from the folder means.
    pub fn find(&self, path: &str) -> Result<PathBuf, Unseen> {
        let inside = |c: Component<'_>| matches!(c, Component::Normal(_));
        if path.is_empty() || path.contains('\0') || !Path::new(path).components().all(inside) {
            return Err(Unseen::Outside);
        }
        let found = self.path.join(path).canonicalize().map_err(|_| Unseen::Missing)?;
        if !found.starts_with(&self.path) {
            return Err(Unseen::Outside);
        }
        if found.is_file() { Ok(found) } else { Err(Unseen::Missing) }
    }
}

/// Whether this process may read a file: any, unless it is held to folders.
pub(crate) fn may_read(path: &Path) -> bool {
    let Some(roots) = std::env::var_os(CONFINED) else { return true };
    // What is not there is said to be missing, which is no secret: its name was given.
    let Ok(path) = path.canonicalize() else { return true };
    std::env::split_paths(&roots)
        .filter_map(|root| root.canonicalize().ok())
        .any(|root| path.starts_with(root))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asking::Scratch;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn nothing_outside_is_found() {
        let scratch = Scratch::new(&format!("weave-root-{}", std::process::id())).unwrap();
        let folder = scratch.path().join("root");
        fs::create_dir_all(folder.join("deep")).unwrap();
        fs::write(scratch.path().join("secret"), "").unwrap();
        fs::write(folder.join("deep/a.pml"), "").unwrap();
        symlink(scratch.path(), folder.join("up")).unwrap();
        symlink("deep/a.pml", folder.join("link.pml")).unwrap();
        let root = Root::new(&folder).unwrap();
        for inside in ["deep/a.pml", "link.pml"] {
            assert!(root.find(inside).is_ok(), "{inside}");
        }
        for outside in
            ["../secret", "up/secret", "deep/../../secret", "/etc/passwd", "", "a\0b", "up/root/../secret"]
        {
            assert_eq!(root.find(outside), Err(Unseen::Outside), "{outside}");
        }
        assert_eq!((root.find("none.pml"), root.find("deep")), (Err(Unseen::Missing), Err(Unseen::Missing)));
    }
}

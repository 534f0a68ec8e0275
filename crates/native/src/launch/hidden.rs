//! Folders that programs have for themselves, and what of the real ones they see nevertheless: the
//! working folder, and that of the program.

use std::ffi::{CStr, CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Empty in each run, and gone behind it.
pub(super) const HIDDEN: [&CStr; 3] = [c"/dev/shm", c"/tmp", c"/var/tmp"];

/// A folder inside a hidden one that is seen.
pub(super) struct Kept {
    pub(super) path: CString,
    /// The folders on the way to it, and itself.
    pub(super) way: Vec<CString>,
}

fn hides() -> impl Iterator<Item = PathBuf> {
    // As the kernel sees them: /var/tmp may be a link.
    let path = |folder: &CStr| Path::new(OsStr::from_bytes(folder.to_bytes())).to_path_buf();
    HIDDEN.into_iter().map(path).filter_map(|folder| folder.canonicalize().ok())
}

/// Whether a folder is hidden, or lies in one that is.
pub(super) fn concerns(folder: &Path) -> bool {
    hides().any(|hidden| folder.starts_with(hidden))
}

/// Whether a program sees this folder empty.
pub fn is_hidden(folder: &Path) -> bool {
    hides().any(|hidden| hidden == folder)
}

fn c(path: &Path) -> Option<CString> {
    CString::new(path.as_os_str().as_bytes()).ok()
}

/// Those of these folders that would not be seen, each once; at most two.
pub(super) fn kept(folders: &[PathBuf]) -> Vec<Kept> {
    let inside = |folder: &&PathBuf| hides().any(|h| folder.starts_with(&h) && **folder != h);
    let mut folders: Vec<&PathBuf> = folders.iter().filter(inside).collect();
    folders.sort();
    folders.dedup();
    // What lies in another one is seen with it.
    let outer: Vec<&PathBuf> =
        folders.iter().filter(|f| !folders.iter().any(|o| o != *f && f.starts_with(o))).copied().collect();
    outer.iter().filter_map(|folder| keep(folder)).take(2).collect()
}

fn keep(folder: &Path) -> Option<Kept> {
    let hidden = hides().find(|h| folder.starts_with(h))?;
    let mut way: Vec<&Path> = folder.ancestors().take_while(|a| *a != hidden).collect();
    way.reverse();
    Some(Kept { path: c(folder)?, way: way.into_iter().map(c).collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inside_a_hidden_folder_is_kept() {
        let hidden = Path::new("/tmp");
        let (outer, inner) = (hidden.join("a"), hidden.join("a/b"));
        let all = kept(&[inner.clone(), inner.join("c"), hidden.to_path_buf(), PathBuf::from("/usr")]);
        assert_eq!(all.len(), 1);
        assert_eq!(Some(all[0].path.clone()), c(&inner));
        assert_eq!(all[0].way.iter().cloned().map(Some).collect::<Vec<_>>(), [c(&outer), c(&inner)]);
        assert!(is_hidden(hidden) && !is_hidden(&outer));
    }
}

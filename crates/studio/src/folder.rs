//! The files under one root, and no others. A path is refused if it is absolute or goes up, and if
//! what it means, symbolic links followed, lies outside the root.

use crate::head::Head;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;
use workbench::kind::{self, Kind};

/// A folder that the page may see.
pub(crate) struct Folder {
    root: PathBuf,
}

/// A file that weave can do something with.
#[derive(Debug, Serialize, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: String,
    #[serde(flatten)]
    pub(crate) about: About,
    /// What its first lines say is expected of it.
    pub(crate) expect: Option<String>,
}

/// What kind of file it is, and the commands for it, the first one first.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) kind: &'static str,
    pub(crate) commands: &'static [&'static str],
    /// To ask about it is to execute it.
    pub(crate) executes: bool,
}

/// A file with its text.
#[derive(Debug, Serialize)]
pub(crate) struct Opened {
    path: String,
    text: String,
    #[serde(flatten)]
    about: About,
    /// Changes whenever the file does.
    stamp: String,
}

/// Why there is no such file for the page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoFile {
    #[error("this path leads out of the folder of the studio")]
    Outside,
    #[error("there is no such file")]
    Missing,
    #[error("this is not a text of at most {} MB", LARGEST >> 20)]
    NoText,
    #[error("the file has changed on disk since it was opened")]
    Changed,
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Texts that are longer are nothing to look at.
const LARGEST: u64 = 4 << 20;
/// How many files are listed, and how many entries are looked at for them.
const MOST: usize = 2000;
const MOST_LOOKED_AT: usize = 50_000;
/// A line that says what is expected stands in the first bytes.
const HEAD: u64 = 2048;

impl Folder {
    pub(crate) fn new(root: &Path) -> io::Result<Folder> {
        Ok(Folder { root: root.canonicalize()? })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The file that a path of the page means.
    pub(crate) fn find(&self, path: &str) -> Result<PathBuf, NoFile> {
        let inside = |c: Component<'_>| matches!(c, Component::Normal(_));
        if path.is_empty() || path.contains('\0') || !Path::new(path).components().all(inside) {
            return Err(NoFile::Outside);
        }
        let found = self.root.join(path).canonicalize().map_err(|_| NoFile::Missing)?;
        if !found.starts_with(&self.root) {
            return Err(NoFile::Outside);
        }
        if found.is_file() { Ok(found) } else { Err(NoFile::Missing) }
    }

    pub(crate) fn open(&self, path: &str) -> Result<Opened, NoFile> {
        let file = self.find(path)?;
        let mut bytes = Vec::new();
        File::open(&file)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        let text = String::from_utf8(bytes).ok().filter(|text| text.len() as u64 <= LARGEST);
        let text = text.filter(|text| !text.contains('\0')).ok_or(NoFile::NoText)?;
        Ok(Opened { path: path.to_string(), text, about: About::of(&file), stamp: stamp(&file)? })
    }

    /// Replaces the text of a file, unless it has changed since it had this stamp.
    pub(crate) fn save(&self, path: &str, text: &str, before: &str) -> Result<String, NoFile> {
        let file = self.find(path)?;
        if stamp(&file)? != before {
            return Err(NoFile::Changed);
        }
        fs::OpenOptions::new().write(true).truncate(true).open(&file)?.write_all(text.as_bytes())?;
        Ok(stamp(&file)?)
    }

    pub(crate) fn about(&self, path: &str) -> Result<About, NoFile> {
        Ok(About::of(&self.find(path)?))
    }

    pub(crate) fn stamp(&self, path: &str) -> Result<String, NoFile> {
        Ok(stamp(&self.find(path)?)?)
    }

    /// The files under the root that weave can do something with, by their path; and whether these
    /// are all.
    pub(crate) fn list(&self) -> (Vec<Entry>, bool) {
        let (mut found, mut looked_at) = (Vec::new(), 0);
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for path in children(&folder) {
                looked_at += 1;
                if found.len() >= MOST || looked_at > MOST_LOOKED_AT {
                    return (sorted(found), false);
                }
                let is_link = path.is_symlink();
                match path.is_dir() {
                    // A link to a folder may lead into a circle.
                    true if is_link || is_apart(&path) => {}
                    true => folders.push(path),
                    false => found.extend(self.entry(&path)),
                }
            }
        }
        (sorted(found), true)
    }

    fn entry(&self, path: &Path) -> Option<Entry> {
        let about = About::of(path);
        let inside = path.strip_prefix(&self.root).ok()?.to_str()?.to_string();
        self.find(&inside).ok().filter(|_| !about.commands.is_empty())?;
        Some(Entry { path: inside, about, expect: expectation(path) })
    }
}

fn sorted(mut found: Vec<Entry>) -> Vec<Entry> {
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// What a folder has, but for hidden files.
fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let shown = entries.filter(|e| !e.file_name().to_string_lossy().starts_with('.'));
    shown.map(|e| e.path()).collect()
}

/// Folders of what tools make.
fn is_apart(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == "target" || name == "node_modules")
}

impl About {
    fn of(path: &Path) -> About {
        let kind = kind::of(path);
        let recorded = kind == Kind::Recorded;
        About {
            kind: kind.words(),
            commands: if recorded { &[] } else { kind.commands() },
            executes: matches!(kind, Kind::C | Kind::Cpp | Kind::Program),
        }
    }
}

/// `holds`, from a line `expect: holds` at the beginning; `p: violated`, from `expect p: violated`.
fn expectation(path: &Path) -> Option<String> {
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    let head = Head::of(&String::from_utf8_lossy(&head));
    let (name, verdict) = head.expected().first().copied()?;
    Some(if name.is_empty() { verdict.to_string() } else { format!("{name}: {verdict}") })
}

fn stamp(file: &Path) -> io::Result<String> {
    let about = fs::metadata(file)?;
    let changed = about.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(format!("{}-{}", changed.as_nanos(), about.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder(name: &str) -> (PathBuf, Folder) {
        let path = std::env::temp_dir().join(format!("weave-folder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("root/sub")).unwrap();
        fs::write(path.join("root/sub/a.pml"), "/* expect: holds */\ninit { skip }\n").unwrap();
        fs::write(path.join("root/notes.txt"), "nothing\n").unwrap();
        fs::write(path.join("secret.pml"), "init { skip }\n").unwrap();
        let folder = Folder::new(&path.join("root")).unwrap();
        (path, folder)
    }

    #[test]
    fn nothing_outside_the_root_is_found() {
        let (path, folder) = folder("outside");
        symlink(path.join("secret.pml"), path.join("root/link.pml")).unwrap();
        symlink(&path, path.join("root/up")).unwrap();
        symlink("sub/a.pml", path.join("root/inside.pml")).unwrap();
        let secret = path.join("secret.pml");
        for outside in ["../secret.pml", "sub/../../secret.pml", "link.pml", "up/secret.pml", "", "/", "a\0b"]
        {
            assert!(folder.open(outside).is_err(), "{outside}");
            assert!(folder.save(outside, "x", "").is_err(), "{outside}");
        }
        assert!(folder.open(secret.to_str().unwrap()).is_err());
        assert!(folder.open("sub/a.pml").is_ok() && folder.open("inside.pml").is_ok());
        let (files, all) = folder.list();
        let paths: Vec<&str> = files.iter().map(|f| f.path.as_str()).collect();
        assert_eq!((paths, all), (vec!["inside.pml", "sub/a.pml"], true));
        assert_eq!(files[1].expect.as_deref(), Some("holds"));
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn what_changed_on_disk_is_not_overwritten() {
        let (path, folder) = folder("save");
        let opened = folder.open("sub/a.pml").unwrap();
        let stamp = folder.save("sub/a.pml", "init { assert(false) }\n", &opened.stamp).unwrap();
        assert!(matches!(folder.save("sub/a.pml", "x", &opened.stamp), Err(NoFile::Changed)));
        assert_eq!(folder.stamp("sub/a.pml").unwrap(), stamp);
        assert!(matches!(folder.open("sub"), Err(NoFile::Missing)));
        fs::write(path.join("root/b.pml"), b"\xff\xfe").unwrap();
        assert!(matches!(folder.open("b.pml"), Err(NoFile::NoText)));
        fs::remove_dir_all(path).unwrap();
    }
}

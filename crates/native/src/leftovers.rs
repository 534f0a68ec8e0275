//! What must not stay behind if this process ends in the middle of its work, without unwinding:
//! processes it started, folders it made.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn folders() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder that is to go if its owner has no time to remove it.
pub fn add(folder: &Path) {
    folders().insert(folder.to_path_buf());
}

/// Its owner has removed it.
pub fn forget(folder: &Path) {
    folders().remove(folder);
}

/// Kills every process that descends from this one and removes every folder. For the last moment:
/// nothing works afterwards.
pub fn clear() {
    for _ in 0..ROUNDS {
        let alive = descendants(std::process::id());
        alive.iter().for_each(|process| kill(*process));
        if alive.is_empty() {
            break;
        }
    }
    for folder in std::mem::take(&mut *folders()) {
        // A control group is a folder of files that cannot be removed one by one.
        if fs::remove_dir(&folder).is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

/// A process that is killed may just have started another.
const ROUNDS: usize = 5;

/// Processes that have this one as an ancestor and still run.
fn descendants(ancestor: u32) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parents: Vec<(u32, u32)> = numbers.filter_map(|process| Some((process, parent(process)?))).collect();
    let mut found = vec![ancestor];
    let mut next = 0;
    while next < found.len() {
        let above = found[next];
        found.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(process, _)| *process));
        next += 1;
    }
    found.split_off(1)
}

/// Its parent, unless it has ended.
fn parent(process: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program stands in parentheses and may have any.
    let mut words = text.get(text.rfind(')')? + 1..)?.split_whitespace();
    let state = words.next()?;
    let parent = words.next()?.parse().ok()?;
    (!matches!(state, "Z" | "X")).then_some(parent)
}

fn kill(process: u32) {
    let Ok(process) = i32::try_from(process) else { return };
    // SAFETY: a system call on numbers.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        libc::kill(process, libc::SIGKILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_grandchild_is_found() {
        let mut child = Command::new("sh").args(["-c", "sleep 100 & wait"]).spawn().unwrap();
        let has_child = |process| !descendants(process).is_empty();
        while !has_child(child.id()) {
            std::thread::yield_now();
        }
        let found = descendants(std::process::id());
        let grandchild = descendants(child.id());
        assert!(found.contains(&child.id()) && grandchild.iter().all(|process| found.contains(process)));
        grandchild.iter().for_each(|process| kill(*process));
        kill(child.id());
        child.wait().unwrap();
    }
}

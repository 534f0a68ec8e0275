//! A control group (version 2) for the programs of one worker, where this machine has one that is
//! ours to divide: their memory, all processes together, and how many they are.
//!
//! A group that has processes cannot be divided, so ours is made below the one we are in if that
//! hands its controllers down, and beside us otherwise. Whatever is not possible is left to the
//! limits of each process.

use crate::leftovers;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Group(PathBuf);

impl Group {
    pub(crate) fn new(memory: u64, processes: u64) -> Option<Group> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
        Group::within(Path::new("/sys/fs/cgroup"), own, memory, processes)
    }

    fn within(root: &Path, own: &str, memory: u64, processes: u64) -> Option<Group> {
        let here = root.join(own);
        let hands_down = |folder: &Path| {
            let controllers = fs::read_to_string(folder.join("cgroup.subtree_control")).unwrap_or_default();
            ["memory", "pids"].iter().all(|wanted| controllers.split_whitespace().any(|c| c == *wanted))
        };
        let above = Some(here.as_path())
            .into_iter()
            .chain(here.parent())
            .find(|f| f.starts_with(root) && hands_down(f))?;
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = above.join(format!("weave-{}-{number}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        leftovers::add(&folder);
        let group = Group(folder);
        let set = |file: &str, limit: u64| fs::write(group.0.join(file), limit.to_string()).ok();
        set("memory.max", memory)?;
        set("pids.max", processes)?;
        let _ = set("memory.swap.max", 0); // there may be no swap to limit
        Some(group)
    }

    /// Whether the kernel has ended one of them because no memory was left.
    pub(crate) fn lacked_memory(&self) -> bool {
        let events = fs::read_to_string(self.0.join("memory.events")).unwrap_or_default();
        let ended = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
        ended.is_some_and(|count| count.trim() != "0")
    }

    /// The file to which a process writes 0 to belong to the group, with all that it will start.
    pub(crate) fn processes(&self) -> PathBuf {
        self.0.join("cgroup.procs")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
        leftovers::forget(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folders that look like control groups: files there are ordinary ones.
    #[test]
    fn beside_us_if_we_cannot_be_divided() {
        let root = std::env::temp_dir().join(format!("weave-group-{}", std::process::id()));
        fs::create_dir_all(root.join("user/app")).unwrap();
        let control = |folder: &str, text: &str| {
            fs::write(root.join(folder).join("cgroup.subtree_control"), text).unwrap();
        };
        control("user", "cpu memory pids\n");
        control("user/app", "");
        let group = Group::within(&root, "user/app", 1000, 7).unwrap();
        assert_eq!(group.0.parent().unwrap(), root.join("user"));
        assert_eq!(fs::read_to_string(group.0.join("memory.max")).unwrap(), "1000");
        assert_eq!(fs::read_to_string(group.0.join("pids.max")).unwrap(), "7");
        assert_eq!(group.processes().parent().unwrap(), group.0);
        let events = group.0.join("memory.events");
        fs::write(&events, "oom 0\noom_kill 0\n").unwrap();
        assert!(!group.lacked_memory());
        fs::write(&events, "oom 1\noom_kill 1\n").unwrap();
        assert!(group.lacked_memory());
        fs::remove_file(events).unwrap();
        control("user/app", "memory pids");
        let inner = Group::within(&root, "user/app", 1000, 7).unwrap();
        assert_eq!(inner.0.parent().unwrap(), root.join("user/app"));
        control("user", "cpu");
        control("user/app", "cpu");
        assert!(Group::within(&root, "user/app", 1000, 7).is_none());
        fs::remove_dir_all(&root).unwrap();
    }
}

//! What is kept for a whole process by the C library and the kernel, in words.

use crate::protocol as p;

/// As in the enumeration `weave_state` of the preloaded library, from its first.
const KEPT: [&str; 27] = [
    "random numbers (rand)",
    "random numbers (drand48)",
    "the environment",
    "the mask of new files (umask)",
    "limits (setrlimit)",
    "priority",
    "the buffer of localtime",
    "the locale",
    "the text of strtok",
    "names of threads",
    "texts of errors",
    "options (getopt)",
    "segments",
    "locks of streams",
    "users",
    "flags of descriptors",
    "actions of signals",
    "keys of threads",
    "handlers of exit",
    "open folders",
    "mappings",
    "the time zone",
    "the process (prctl)",
    "all streams",
    "handlers of fork",
    "handlers of quick_exit",
    "whether threads are detached",
];

/// Marks them among the names of files.
const STATES: u64 = 1 << 46;

/// The name of such an object.
pub(crate) fn of_process(name: u64) -> Option<&'static str> {
    let which = (name & STATES != 0).then_some(name & !STATES)?;
    KEPT.get(usize::try_from(which.checked_sub(1)?).ok()?).copied()
}

/// State that the C library does not lock, by the address that stands for it.
pub(crate) fn unlocked(address: u64) -> Option<&'static str> {
    match u32::try_from(address).ok()? {
        p::UNLOCKED_RANDOM48 => Some("the state of drand48"),
        p::UNLOCKED_ENVIRONMENT => Some("the environment"),
        p::UNLOCKED_TOKENS => Some("the state of strtok"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_words() {
        let header = include_str!("../../preload/files.h");
        let all = header.split("STATE_RANDOM = 1").nth(1).unwrap().split("STATE_STREAM =").next().unwrap();
        let count = 1 + all.matches("  STATE_").count();
        assert_eq!(count, KEPT.len());
        assert_eq!(of_process(STATES | 9), Some("the text of strtok"));
        assert_eq!(of_process(9), None);
    }
}

//! Memory and mapped files that calls change without a store: each way is a race with a reader of
//! the memory, or unknown (`replaced.inc`). Every system call that is modelled is used there, or
//! stands here as one that changes no content.

#[path = "support/calls.rs"]
mod calls;

use calls::{file, run, uses};
use explore::stateless::Kind;
use native::compile::build;
use native::system_calls::SYSTEM_CALLS;
use std::collections::BTreeSet;

const LIST: &str = "tests/replaced.inc";

#[test]
fn every_change_of_memory_is_seen() {
    let built = build(&file("tests/replaced.c"), &["-w".to_string()]).unwrap().unwrap();
    let uses = uses(LIST);
    assert!(uses.len() > 60);
    let missed = |(number, _): &&(usize, String)| {
        let found = run(&built, *number);
        let seen = found.report.violations.iter().any(|v| v.failure.kind == Kind::Race);
        !seen && found.uncontrolled.is_empty() && found.trouble.is_none()
    };
    let missed: Vec<&(usize, String)> = uses.iter().filter(missed).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// Modelled calls that change no content of a file.
const OTHERS: &str = "
read readv pread64 preadv preadv2 lseek close
fchdir chdir getcwd getdents64 rename renameat renameat2 mkdir mkdirat rmdir link linkat unlink unlinkat symlink symlinkat
readlink readlinkat chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat mknod mknodat access faccessat
faccessat2 utimensat newfstatat";

#[test]
fn every_modelled_call_is_used_or_changes_nothing() {
    let mut known: BTreeSet<String> = uses(LIST).into_iter().map(|(_, call)| call).collect();
    known.extend(OTHERS.split_whitespace().map(str::to_string));
    let modelled = SYSTEM_CALLS.iter().filter(|(_, _, class)| *class == "MODELLED");
    let unknown: Vec<&str> = modelled.map(|(_, name, _)| *name).filter(|n| !known.contains(*n)).collect();
    assert_eq!(unknown, Vec::<&str>::new());
}

/// What is in a file is touched in one function, which asks whether it is mapped.
#[test]
fn there_is_one_way_to_the_content() {
    let code = std::fs::read_to_string(file("preload/calls.c")).unwrap();
    assert_eq!(code.matches("weave_touch_range(").count(), 1);
    assert_eq!(code.matches("PART_CONTENT").count(), 0);
}

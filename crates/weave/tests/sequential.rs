//! The same program, of one thread at a time, with and without control: it must print the same.
//! What the model of an operation answers, down to the error, is compared with the C library and
//! the kernel, which share nothing with it.
//!
//! Each run appends to a file; those that end (a timed wait that is never woken does not) must be
//! what the program printed alone.

mod support;

use std::path::PathBuf;
use std::process::Command;

fn finished(text: &str) -> Vec<&str> {
    text.split("begin\n").filter(|run| run.ends_with("end\n")).collect()
}

fn check(name: &str) {
    let folder = support::Folder::new(&format!("sequential-{name}"));
    let source = support::root().join(format!("crates/weave/tests/sequential/{name}.c"));
    let program = folder.path(name);
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let number = std::process::id();
    let [alone, controlled] = ["alone", "controlled"]
        .map(|how| place.join(format!(".weave-{number}-{name}.{how}")).to_string_lossy().into_owned());
    let built =
        Command::new("cc").args(["-w", "-g", "-pthread", "-o", &program]).arg(source).arg("-lrt").status();
    assert!(built.unwrap().success(), "{name}");
    assert!(Command::new(&program).arg(&alone).status().unwrap().success(), "{name}");
    let options = [
        "run",
        "--threads",
        "1",
        "--keep-going",
        "--timeout",
        "600s",
        "--assume",
        "unseen-memory",
        "--assume",
        "library-calls",
    ];
    let answer = support::weave_in(&place, &[&options[..], &[&program, "--", &controlled]].concat());
    assert_eq!(answer.code, 0, "{answer:?}");
    let [alone, controlled] = [alone, controlled].map(|file| {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
        std::fs::remove_file(&file).unwrap();
        text
    });
    let runs = finished(&controlled);
    assert!(!runs.is_empty(), "{name}: no run ends");
    let expected = finished(&alone)[0];
    assert!(expected.lines().count() > 30, "{name}: {expected}");
    for run in runs {
        let differs = expected.lines().zip(run.lines()).find(|(real, model)| real != model);
        assert_eq!(differs, None, "{name}: what the kernel and the C library answer, and what we do");
        assert_eq!(expected.lines().count(), run.lines().count(), "{name}");
    }
}

#[test]
fn locks() {
    check("locks");
}

#[test]
fn c11_threads() {
    check("c11");
}

#[test]
fn system_v() {
    check("sysv");
}

#[test]
fn descriptors() {
    check("files");
}

#[test]
fn files_and_folders() {
    check("content");
}

#[test]
fn locks_on_files() {
    check("filelocks");
}

#[test]
fn signals_and_processes() {
    check("signals");
}

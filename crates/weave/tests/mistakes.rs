//! Forty typical mistakes, ten for each way in: models, programs, proofs, shapes. Each answer names
//! the place, the cause and the remedy.
//!
//! The files are as a beginner writes them, in `mistakes`; what is said of each is beside it, in a
//! file of the same name that ends in `.txt`. After a change: `UPDATE_EXPECT=1 cargo test -p
//! everyweave --test mistakes`, and read what changed.

mod support;

use expect_test::expect_file;
use std::path::{Path, PathBuf};
use support::{head, weave_in};

/// The ways in, each with the command for it.
const WAYS: [(&str, &str); 4] =
    [("models", "check"), ("programs", "run"), ("proofs", "prove"), ("shapes", "check")];

fn folder(way: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes").join(way)
}

/// The files of a way in, in order.
fn inputs(way: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(way)).unwrap().map(|entry| entry.unwrap().path());
    let mut inputs: Vec<PathBuf> = entries.filter(|path| path.extension().unwrap() != "txt").collect();
    inputs.sort();
    inputs
}

/// What is said of a file, without what depends on the machine.
fn said(way: &str, usual: &str, input: &Path) -> (String, i32) {
    let head = head(input);
    let mut words: Vec<&str> = head.get("run").unwrap_or(usual).split_whitespace().collect();
    if words[0] == "prove" {
        words.extend(["--threads", "1", "--solver", "embedded", "--timeout", "60s"]);
    }
    words.push(input.file_name().unwrap().to_str().unwrap());
    let answer = weave_in(&folder(way), &words);
    let machine = [" states/s", " runs/s", "solver: ", " of the tree of runs"];
    let lines = answer.stdout.lines().chain(answer.stderr.lines());
    let kept = lines.filter(|line| !machine.iter().any(|part| line.contains(part)));
    let shown: String = kept.map(|line| format!("{line}\n")).collect();
    (without_machine(&shown), answer.code)
}

/// The words of a compiler are its own; addresses on the stack depend on the environment.
fn without_machine(shown: &str) -> String {
    if shown.contains("the compiler refuses it") {
        let ours = |line: &&str| line.starts_with("weave: ") || line.starts_with("help: ");
        return shown.lines().filter(ours).map(|line| format!("{line}\n")).collect();
    }
    let mut out = String::new();
    let mut parts = shown.split("0x7f");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part.chars().take_while(char::is_ascii_hexdigit).count();
        out.push_str("ADDRESS");
        out.push_str(&part[digits..]);
    }
    out
}

fn every_answer_helps(way: &str, usual: &str) {
    let inputs = inputs(way);
    assert_eq!(inputs.len(), 10, "{inputs:?}");
    for input in inputs {
        let (said, code) = said(way, usual, &input);
        expect_file![input.with_extension("txt")].assert_eq(&format!("{said}exit code {code}\n"));
        helps(&input, &said, code);
    }
}

/// No mistake goes unnoticed; each answer has a place and a remedy.
fn helps(input: &Path, said: &str, code: i32) {
    let noticed = code == 1 || code == 2 || said.contains("warning[");
    assert!(noticed, "{}: ends with {code}\n{said}", input.display());
    let name = input.file_name().unwrap().to_str().unwrap();
    let place = [format!("{name}:"), "line ".to_string()];
    assert!(place.iter().any(|place| said.contains(place)), "{name}: no place\n{said}");
    let remedy = said.contains("help: ") || said.contains("`weave run ");
    assert!(remedy, "{name}: no remedy\n{said}");
    let folder = env!("CARGO_MANIFEST_DIR");
    assert!(!said.contains(folder), "{name}: the folder of the machine\n{said}");
}

#[test]
fn models() {
    every_answer_helps(WAYS[0].0, WAYS[0].1);
}

#[test]
fn programs() {
    every_answer_helps(WAYS[1].0, WAYS[1].1);
}

#[test]
fn proofs() {
    every_answer_helps(WAYS[2].0, WAYS[2].1);
}

#[test]
fn shapes() {
    every_answer_helps(WAYS[3].0, WAYS[3].1);
}

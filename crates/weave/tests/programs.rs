//! Every program of the corpus says what is expected of it; `weave run` must answer so.
//!
//! `expect: VERDICT`, and `run: run OPTIONS`. `reason: WORD` names how the reason begins. A program that is expected to hold
//! must have been seen completely.

mod support;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{result, valid, weave};

fn corpus() -> Vec<PathBuf> {
    let mut folders = vec![support::root().join("models/programs")];
    let mut programs = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            match entry.extension() {
                _ if entry.is_dir() => folders.push(entry),
                Some(extension) if extension == "c" || extension == "cpp" => programs.push(entry),
                _ => {}
            }
        }
    }
    programs.sort();
    programs
}

#[test]
fn every_program_is_answered_as_expected() {
    let programs = corpus();
    assert!(programs.len() >= 60, "the corpus is missing");
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut wrong = Vec::new();
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::SeqCst)) {
            wrong.extend(complaint(program).map(|c| format!("{}: {c}", program.display())));
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|w| w.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn complaint(program: &Path) -> Option<String> {
    let text = std::fs::read_to_string(program).unwrap();
    let lines =
        text.lines().take(15).map(|l| l.trim_start_matches([' ', '*', '/']).trim_end_matches("*/").trim());
    let lines: Vec<&str> = lines.collect();
    let said = |key: &str| lines.iter().find_map(|l| l.strip_prefix(key)).map(str::trim);
    let Some(expected) = said("expect:") else {
        return Some("no `expect` line among the first 15".to_string());
    };
    let Some(options) = said("run: run") else { return Some("no `run: run` line".to_string()) };
    let file = program.to_string_lossy();
    let mut arguments = vec!["run", "--json", "--timeout", "60s"];
    arguments.extend(options.split_whitespace());
    arguments.push(&file);
    let answer = weave(&arguments);
    if expected == "rejected" {
        return (answer.code != 2).then(|| format!("rejection expected, ended with {}", answer.code));
    }
    if !matches!(answer.code, 0 | 1 | 3) {
        return Some(format!("ended with {}: {answer:?}", answer.code));
    }
    valid(&answer);
    let result = result(&answer);
    if result["verdict"] != expected {
        return Some(format!("{expected} expected, {} found: {}", result["verdict"], result["reason"]));
    }
    let begins = |word: &str| result["reason"].as_str().is_some_and(|r| r.starts_with(word));
    said("reason:").filter(|word| !begins(word)).map(|word| format!("{word} expected: {}", result["reason"]))
}

#[test]
fn a_failing_run_is_recorded_and_executed_again() {
    let folder = support::Folder::new("run-replay");
    let record = folder.path("bug.run");
    let program = support::root().join("models/programs/philosophers_sysv.c");
    let answer = weave(&["run", "--trace", &record, &program.to_string_lossy()]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.first_line().starts_with("VIOLATED: deadlock"), "{answer:?}");
    let again = weave(&["replay", &record]);
    assert_eq!(again.code, 0, "{again:?}");
    assert!(again.first_line().contains("deadlock"), "{again:?}");
    let again = weave(&["replay", "--json", &record]);
    assert_eq!(valid(&again)[0]["trace"]["ending"]["kind"], "deadlock");
}

#[test]
fn what_cannot_be_controlled_is_refused() {
    let folder = support::Folder::new("run-refused");
    let source = folder.write("static.c", "int main(void) { return 0; }\n");
    let program = folder.path("static");
    let built = std::process::Command::new("cc").args(["-static", "-o", &program, &source]).status().unwrap();
    assert!(built.success());
    let answer = weave(&["run", &program]);
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(answer.stderr.contains("static"), "{answer:?}");
    assert_eq!(weave(&["run", &folder.path("missing")]).code, 2);
    let wrong = folder.write("wrong.c", "int main(void) { return x; }\n");
    assert_eq!(weave(&["run", &wrong]).code, 2);
}

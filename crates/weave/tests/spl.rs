//! Every SPL program and transition system of the corpus says what is expected of it, by `weave check` or `weave prove`.
//!
//! `run: COMMAND OPTIONS` says how it is asked, `expect NAME: VERDICT` what is expected of a property, `expect: VERDICT` of all.

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{result, valid, weave};

fn programs() -> Vec<PathBuf> {
    let folder = support::root().join("models/spl");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn every_program_is_answered_as_expected() {
    let programs = programs();
    assert!(programs.len() >= 40, "the corpus is missing");
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut wrong = Vec::new();
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::SeqCst)) {
            let all = complaints(program).into_iter();
            wrong.extend(all.map(|c| format!("{}: {c}", program.display())));
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|w| w.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn complaints(program: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(program).unwrap();
    let head: Vec<&str> = text.lines().take(15).filter_map(|l| l.strip_prefix("// ")).collect();
    let Some(run) = head.iter().find_map(|l| l.strip_prefix("run: ")) else {
        return vec!["no `run` line".to_string()];
    };
    let file = program.to_string_lossy();
    let mut arguments: Vec<&str> = run.split_whitespace().collect();
    arguments.extend(["--json", "--timeout", "120s", &file]);
    let answer = weave(&arguments);
    let expected = head.iter().filter_map(|l| l.strip_prefix("expect")?.split_once(':'));
    let expected: Vec<(&str, &str)> = expected.map(|(name, verdict)| (name.trim(), verdict.trim())).collect();
    if expected.is_empty() {
        return vec!["no `expect` line".to_string()];
    }
    if expected == [("", "rejected")] {
        return if answer.code == 2 { Vec::new() } else { vec![format!("ended with {}", answer.code)] };
    }
    valid(&answer);
    let result = result(&answer);
    expected.iter().filter_map(|(name, verdict)| disappointment(&result, name, verdict)).collect()
}

fn disappointment(result: &Value, name: &str, expected: &str) -> Option<String> {
    let empty = Vec::new();
    let properties = result["properties"].as_array().unwrap_or(&empty);
    let found = match name {
        "" => &result["verdict"],
        name => properties.iter().find(|p| p["name"] == name).map_or(&Value::Null, |p| &p["verdict"]),
    };
    let reason = &result["reason"];
    (found != expected).then(|| format!("{name}: {expected} expected, {found} found ({reason})"))
}

#[test]
fn counts_are_those_of_the_tutorial() {
    for (name, states, steps) in [("bakery_abstract.spl", 22, 38), ("mux_sem_check.spl", 12, 20)] {
        let file = support::root().join("models/spl").join(name).to_string_lossy().into_owned();
        let result = result(&weave(&["check", "--json", "--property", "mux", &file]));
        assert_eq!(result["states"], states, "{name}");
        // The initial state is counted among transitions.
        assert_eq!(result["transitions"], steps + 1, "{name}");
        if name == "bakery_abstract.spl" {
            assert_eq!(result["depth"], 6);
        }
    }
}

#[test]
fn a_failed_condition_shows_two_states() {
    let file = support::root().join("models/spl/token_n.spl").to_string_lossy().into_owned();
    let answer = weave(&["prove", "--ltl", "[] Forall i:[1..N]. ~l2[i]", &file]);
    assert_eq!(answer.code, 3, "{answer:?}");
    assert!(answer.first_line().starts_with("UNKNOWN"));
    for part in ["    from  N = ", " │ ", "    to    "] {
        assert!(answer.stdout.contains(part), "{part}: {}", answer.stdout);
    }
    assert!(answer.last_line().starts_with("reproduce: weave prove --ltl "));
}

/// Found by the property-directed search, replayed, shown as a run.
#[test]
fn what_is_false_is_shown_as_a_run() {
    let file = support::root().join("models/spl/bakery2.spl").to_string_lossy().into_owned();
    let answer = weave(&["prove", "--ltl", "l2 ==> ~m3 Awaits l3", &file]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.first_line().starts_with("VIOLATED"));
    assert!(answer.stdout.contains("m3"), "{}", answer.stdout);
    let answer = weave(&["prove", "--json", "--ltl", "[](y1 <= 2)", &file]);
    valid(&answer);
    assert_eq!(result(&answer)["trace"]["steps"].as_array().map(Vec::len), Some(9));
}

#[test]
fn inputs_that_no_program_allows_prove_nothing() {
    let file = support::root().join("models/spl/token_ring.spl").to_string_lossy().into_owned();
    for inputs in [&["-D", "N=0"][..], &[]] {
        let answer = weave(&[&["check", "--json"], inputs, &[&file]].concat());
        assert_eq!((answer.code, &result(&answer)["verdict"]), (3, &Value::from("unknown")), "{answer:?}");
    }
}

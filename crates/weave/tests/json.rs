//! `--json` of every command, on every kind of file, with every kind of answer: each line keeps to
//! the schema, the last one is the result, and its exit code is that of the process.

mod support;

use serde_json::Value;
use support::{Folder, valid, weave, weave_with_input};

fn file(path: &str) -> String {
    support::root().join("models").join(path).to_string_lossy().into_owned()
}

/// A command with its words; those that name a file of the corpus begin with `@`.
fn asked(line: &str) -> (i32, Value) {
    let words: Vec<String> =
        line.split_whitespace().map(|word| word.strip_prefix('@').map_or(word.to_string(), file)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).chain(["--json"]).collect();
    let answer = weave(&words);
    let result = valid(&answer).pop().unwrap();
    assert_eq!(result["exit_code"], answer.code, "{line}: {result}");
    (answer.code, result)
}

fn expected(all: &[(&str, &str, i32)]) {
    for (line, verdict, code) in all {
        let (ended, result) = asked(line);
        assert_eq!(
            (result["verdict"].as_str(), ended),
            (Some(*verdict), *code),
            "{line}: {}",
            result["reason"]
        );
    }
}

#[test]
fn check_of_every_kind_of_file() {
    expected(&[
        ("check @promela/peterson.pml", "holds", 0),
        ("check @promela/hyman.pml", "violated", 1),
        ("check @promela/semaphore_weak.pml", "violated", 1),
        ("check --fairness weak @promela/peterson_ltl.pml", "violated", 1),
        ("check --max-states 10 @promela/bakery.pml", "unknown", 3),
        ("check --engine symbolic @promela/peterson.pml", "holds", 0),
        ("check --engine symbolic @promela/hyman.pml", "violated", 1),
        ("check @spl/peterson.spl", "holds", 0),
        ("check @spl/flags_wrong.spl", "violated", 1),
        ("check --property acc --max-states 500 @spl/bakery2.spl", "unknown", 3),
        ("check @spl/justice.fts", "violated", 1),
        ("check @shapes/mutex.tvm", "holds", 0),
        ("check @shapes/mutex_broken.tvm", "violated", 1),
        ("check @shapes/Mutex.java", "holds", 0),
        ("check @shapes/LockOrder.java", "violated", 1),
    ]);
}

#[test]
fn prove_and_run() {
    expected(&[
        ("prove @spl/peterson.spl", "holds", 0),
        ("prove @spl/flags_wrong.spl", "violated", 1),
        ("prove --engine rules @spl/bakery2.spl", "unknown", 3),
        ("prove @spl/justice.fts", "violated", 1),
        ("prove @promela/peterson.pml", "holds", 0),
        ("run @programs/mutex_trylock.c", "holds", 0),
        ("run @programs/condition_lost.c", "violated", 1),
        ("run --races list @programs/race_counter.c", "violated", 1),
        ("run --max-runs 1 @programs/philosophers_mutex.c", "unknown", 3),
        ("run --sample random:3 @programs/mutex_trylock.c", "unknown", 3),
        ("run --estimate @programs/mutex_trylock.c", "unknown", 3),
    ]);
}

#[test]
fn simulate_and_replay_of_every_kind_of_file() {
    let folder = Folder::new("json-follow");
    for (at, line) in [
        "check @promela/hyman.pml",
        "check @promela/semaphore_weak.pml",
        "check @spl/flags_wrong.spl",
        "check @shapes/mutex_broken.tvm",
        "check @shapes/LockOrder.java",
        "run @programs/condition_lost.c",
    ]
    .iter()
    .enumerate()
    {
        let trace = folder.path(&format!("{at}.trace"));
        assert_eq!(asked(&format!("{line} --trace {trace}")).0, 1, "{line}");
        let (code, replayed) = asked(&format!("replay {trace}"));
        assert_eq!(code, 0, "{replayed}");
        assert!(replayed["trace"]["steps"].as_array().is_some_and(|s| !s.is_empty()), "{line}: {replayed}");
        let model = line.split(' ').next_back().unwrap();
        asked(&format!("simulate --seed 3 --steps 20 {model}"));
        asked(&format!("simulate --guide {trace} --steps 0 {model}"));
    }
}

#[test]
fn commands_without_a_model() {
    let (code, found) = asked("doctor");
    assert!(code == 0 && found["tools"].as_array().unwrap().len() > 5, "{found}");
    let (code, one) = asked("explain deadlock");
    assert_eq!((code, &one["words"][0]["word"]), (0, &"deadlock".into()));
    assert!(asked("explain").1["words"].as_array().unwrap().len() > 30);
    assert_eq!(asked("explain E0301").1["words"][0]["word"], "E0301");
    assert_eq!(asked("explain nonsense-word").0, 2);
    assert_eq!(asked("ltl []p").0, 0);
    assert_eq!(asked("ltl --is valid []p").0, 1);
    assert_eq!(asked("ltl []p&&").0, 2);
    assert_eq!(asked("replay no-such-trace").0, 2);
    assert_eq!(asked("check no-such-model.pml").0, 2);
    assert_eq!(asked("prove no-such-model.spl").0, 2);
    assert_eq!(asked("run no-such-program.c").0, 2);
}

#[test]
fn tests_of_a_list() {
    let folder = Folder::new("json-test");
    folder.write("a.pml", "active proctype P() { assert(false) }\n");
    let list = "[[test]]\nfiles = [\"a.pml\"]\nexpect = \"violated\"\n\n[[test]]\nfiles = [\"a.pml\"]\n";
    let list = folder.write("weave.toml", list);
    let answer = weave(&["test", &list, "--format", "json"]);
    let lines = valid(&answer);
    assert_eq!((answer.code, lines.len()), (1, 3), "{answer:?}");
    assert_eq!(weave(&["test", "no-such-list.toml", "--format", "json"]).code, 2);
}

#[test]
fn what_is_refused_is_json_too() {
    for line in [
        "check --kind spl @promela/peterson.pml",
        "check -D NOT_THERE=3 @promela/peterson.pml",
        "check --spurious-wakeups @promela/peterson.pml",
        "run --ltl []p @programs/mutex_trylock.c",
    ] {
        let (code, result) = asked(line);
        assert_eq!(code, 2, "{line}: {result}");
    }
    let wrong = weave_with_input(&["check", "-", "--json"], "active proctype P() { x = 1 }\n");
    assert_eq!((wrong.code, valid(&wrong).len()), (2, 2), "{wrong:?}");
}

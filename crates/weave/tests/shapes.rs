//! `weave check` on `.tvm` from outside: verdicts, exit codes, refusals. The whole corpus is answered in the tests of `shapes`.

mod support;

use support::{result, root, weave};

fn check(model: &str, options: &[&str]) -> support::Answer {
    let file = root().join("models/shapes").join(model).to_string_lossy().into_owned();
    let mut arguments = vec!["check"];
    arguments.extend(options);
    arguments.push(&file);
    weave(&arguments)
}

#[test]
fn holds_is_for_every_number_of_threads() {
    let answer = check("mutex.tvm", &["--json", "--cross-check"]);
    let found = result(&answer);
    assert_eq!((answer.code, &found["verdict"], &found["states"]), (0, &"holds".into(), &41.into()));
    assert!(!found["assumes"].as_array().unwrap().is_empty());
}

#[test]
fn a_violation_is_a_concrete_run() {
    let answer = check("buffer_notify.tvm", &["--json"]);
    let found = result(&answer);
    assert_eq!((answer.code, &found["verdict"]), (1, &"violated".into()));
    assert_eq!(found["trace"]["steps"].as_array().map(Vec::len), Some(7));
}

#[test]
fn a_broken_promise_is_refused() {
    let answer = check("mutex_refused.tvm", &[]);
    assert_eq!(answer.code, 2);
    assert!(answer.stderr.contains("E0920") && answer.stderr.contains("held_by"), "{}", answer.stderr);
}

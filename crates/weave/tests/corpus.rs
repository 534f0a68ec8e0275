//! Every model of the corpus says what is expected of it; weave must answer so.
//!
//! `expect: VERDICT` is about everything, `expect NAME: VERDICT` about one property (`safety` is
//! deadlocks, assertions and run-time errors together), `run: check OPTIONS` gives options. Each
//! model is asked three times: with everything that makes states fewer, without, and breadth-first;
//! the answers must be the same, and the counts of the second must be SPIN's.

mod support;

use std::path::Path;
use support::head::Head;
use support::{Answer, disappointment, result, uncertified, weave};

#[test]
fn every_model_is_answered_as_expected() {
    let models = support::corpus();
    assert!(models.len() >= 45, "the corpus is missing");
    support::without_complaint(&models, |model| {
        let modes = [&[][..], FULL, &["--search", "bfs"]].into_iter();
        modes
            .flat_map(|mode| complaints(model, mode).into_iter().map(move |c| format!("{mode:?}: {c}")))
            .collect()
    });
}

/// As SPIN counts.
const FULL: &[&str] = &["--raw", "--reduction", "none"];

fn complaints(model: &Path, mode: &[&str]) -> Vec<String> {
    let head = support::head(model);
    let file = model.to_string_lossy();
    let mut arguments = vec!["check", "--json", "--keep-going", "--timeout", "900s"];
    arguments.extend(mode);
    arguments.extend(head.options("check").unwrap_or_default());
    arguments.push(&file);
    let answer = weave(&arguments);
    let expected = head.expected();
    if expected.is_empty() {
        return vec!["no `expect` line among the first 15".to_string()];
    }
    let counts = if mode == FULL { other_counts(&head, &answer) } else { None };
    // States inside of atomic sequences are certified too: there may be many more.
    let again = || result(&weave(&[&arguments[..], &["--certify"]].concat()));
    let certified = (mode == FULL).then(|| uncertified(&result(&answer), again));
    let disappointed = |(name, verdict): &(&str, &str)| disappointment(&answer, name, verdict);
    expected.iter().filter_map(disappointed).chain(counts).chain(certified.flatten()).collect()
}

/// Counts that are not those SPIN's raw full search has, as the line `spin: STATES TRANSITIONS`
/// gives them.
fn other_counts(head: &Head, answer: &Answer) -> Option<String> {
    let line = head.get("spin")?;
    let spin: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).take(2).collect();
    let result = result(answer);
    let ours: Vec<u64> = ["states", "transitions"].iter().filter_map(|key| result[*key].as_u64()).collect();
    (spin.len() == 2 && spin != ours).then(|| format!("SPIN counts {spin:?}, weave {ours:?}"))
}

//! The embedded engine beside z3, which gets all conditions in one process.
//!
//! Where the two contradict each other, the one that shows a model is asked for it, and the
//! evaluator decides: a solver that calls a condition valid which a model refutes is wrong, and so
//! is one that shows a model that refutes nothing. z3 4.8.12 is, now and then.

use super::generate::{Condition, Theory, condition};
use solve::{Answer, Embedded, External, Options, Solver, smtlib};
use std::io::Write;
use std::ops::Range;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug, Default)]
pub struct Report {
    pub valid: usize,
    pub invalid: usize,
    /// Seeds on which the embedded engine could not tell, with its reasons.
    pub unknown: Vec<(u64, String)>,
    /// Conditions on which the two contradict each other.
    pub wrong: Vec<String>,
    /// Seeds on which z3 is wrong, by the evaluator.
    pub wrong_z3: Vec<u64>,
    /// Conditions on which z3 could not tell.
    pub unknown_to_z3: usize,
    pub slowest: (Duration, u64),
    pub total: Duration,
}

pub fn with_z3(theory: Theory, seeds: Range<u64>) -> Report {
    let mut scripts = String::new();
    for seed in seeds.clone() {
        let condition = condition(theory, seed);
        // One without names and cores: z3 is then free to simplify.
        let script = smtlib::script(&condition.assumptions, &condition.goal, Some(5_000));
        scripts.push_str(&script.replace("(set-option :produce-unsat-cores true)\n", ""));
        scripts.push_str("(reset)\n");
    }
    let answers = z3(&scripts);
    assert_eq!(answers.len(), seeds.clone().count(), "z3 answers each");
    let mut report = Report::default();
    for (seed, other) in seeds.zip(answers) {
        let begin = Instant::now();
        let condition = condition(theory, seed);
        let ours = Embedded::default().check(&condition.assumptions, &condition.goal, &Options::default());
        let time = begin.elapsed();
        report.total += time;
        report.slowest = report.slowest.max((time, seed));
        report.unknown_to_z3 += usize::from(other != "sat" && other != "unsat");
        let (contradiction, wrong) = match &ours {
            Answer::Valid { core } => {
                report.valid += 1;
                (
                    other == "sat",
                    core.iter().any(|n| *n >= condition.assumptions.len()) || refuted(&condition, &other),
                )
            }
            Answer::Invalid { model } => {
                report.invalid += 1;
                (other == "unsat", !model.confirmed)
            }
            Answer::Unknown { reason } => {
                report.unknown.push((seed, reason.clone()));
                (false, false)
            }
        };
        if contradiction && !wrong {
            report.wrong_z3.push(seed);
        }
        if wrong {
            let script = smtlib::script(&condition.assumptions, &condition.goal, None);
            report.wrong.push(format!("seed {seed}: {ours:?}, z3 answers {other}\n{script}"));
        }
    }
    report
}

/// Whether z3, which says that there is a countermodel, has one: asked for it, it does not say the
/// opposite, nor show one that is none.
fn refuted(condition: &Condition, answer: &str) -> bool {
    if answer != "sat" {
        return false;
    }
    let z3 = External::z3().expect("z3 is there");
    match z3.check(&condition.assumptions, &condition.goal, &Options::default()) {
        Answer::Invalid { .. } => true,
        Answer::Valid { .. } => false,
        Answer::Unknown { reason } => !reason.ends_with("does not refute the goal"),
    }
}

fn z3(scripts: &str) -> Vec<String> {
    let mut child = Command::new("z3")
        .args(["-in", "-smt2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 is installed by ./test");
    let mut input = child.stdin.take().expect("a pipe");
    let text = scripts.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("z3 ends");
    writer.join().expect("no panic").expect("z3 reads");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    lines.lines().map(str::to_owned).collect()
}

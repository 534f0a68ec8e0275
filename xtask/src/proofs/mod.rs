//! `xtask fuzz-prove`: random small systems, proved and searched by weave, and judged by an evaluator of our own.
//!
//! Each system is given to `weave prove`, to `weave check` with both engines, and to `truth`, which looks at every state. *Holds* and
//! *violated* must never meet, whoever says them. Weave is a black box here: its binary and its JSON.

mod model;
mod print;
mod random;
mod step;
mod truth;

use crate::process::{self, Limits};
use crate::scratch::Scratch;
use model::System;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};
use truth::{Graph, Truth};

/// The random system of a seed, as a file.
pub fn text(seed: u64) -> String {
    print::file(&random::system(seed))
}

pub struct FuzzProve {
    pub seed: u64,
    pub count: u64,
    pub weave: PathBuf,
    /// Where systems go that are answered wrongly.
    pub out: PathBuf,
}

#[derive(Debug, Default)]
pub struct Summary {
    pub programs: u64,
    /// Pairs of decided answers.
    pub comparisons: u64,
    pub contradictions: u64,
    /// Who decided how many properties.
    pub decided: BTreeMap<String, u64>,
    pub refused: u64,
    /// Systems that the evaluator gave up on.
    pub lost: u64,
}

/// One answer about one property.
struct Answer {
    who: &'static str,
    verdict: Truth,
}

const ASKED: [(&str, &[&str]); 3] = [
    ("prove", &["prove", "--json", "--timeout", "10s"]),
    ("explicit", &["check", "--json", "--keep-going", "--timeout", "10s", "--max-states", "3000"]),
    ("symbolic", &["check", "--json", "--keep-going", "--timeout", "10s", "--engine", "symbolic"]),
];

impl FuzzProve {
    pub fn run(&self) -> io::Result<Summary> {
        let weave = self.weave.canonicalize()?;
        let mut summary = Summary::default();
        for seed in self.seed..self.seed + self.count {
            let system = random::system(seed);
            let text = print::file(&system);
            let complaints = self.judge(&weave, &system, &text, &mut summary)?;
            summary.programs += 1;
            if complaints.is_empty() {
                continue;
            }
            summary.contradictions += complaints.len() as u64;
            fs::create_dir_all(&self.out)?;
            let name = format!("{seed}.{}", extension(&system));
            let head: String = complaints.iter().map(|c| format!("% {c}\n")).collect();
            fs::write(self.out.join(&name), format!("{head}{text}"))?;
            println!("{name}: {}", complaints.join("; "));
        }
        Ok(summary)
    }

    /// What is wrong with the answers about a system.
    fn judge(
        &self,
        weave: &Path,
        system: &System,
        text: &str,
        summary: &mut Summary,
    ) -> io::Result<Vec<String>> {
        let mut complaints = Vec::new();
        let mut answers: Vec<Vec<Answer>> = system.claims.iter().map(|_| Vec::new()).collect();
        for (who, arguments) in ASKED {
            match ask(weave, system, text, arguments)? {
                Asked::Refused(why) => {
                    summary.refused += 1;
                    println!("refused: {why}\n{text}");
                    return Ok(Vec::new());
                }
                Asked::Failed(why) => complaints.push(format!("{who}: {why}")),
                Asked::Verdicts(verdicts) => {
                    for (answers, verdict) in answers.iter_mut().zip(verdicts) {
                        answers.push(Answer { who, verdict });
                    }
                }
            }
        }
        for (n, claim) in system.claims.iter().enumerate() {
            match true_of(system, claim) {
                Some((searched, always)) => {
                    // What is searched is the system for one value of the constant.
                    let of = |a: &Answer| if a.who == "prove" { always } else { searched };
                    let wrong = answers[n].iter().filter(|a| contradict(a.verdict, of(a)));
                    complaints.extend(
                        wrong.map(|a| format!("p{n}: {} says {:?}, it is {:?}", a.who, a.verdict, of(a))),
                    );
                    let compared =
                        answers[n].iter().filter(|a| a.verdict != Truth::Open && of(a) != Truth::Open);
                    summary.comparisons += compared.count() as u64;
                    if always != Truth::Open {
                        *summary.decided.entry("evaluator".to_string()).or_default() += 1;
                    }
                }
                None => summary.lost += 1,
            }
            for (at, a) in answers[n].iter().enumerate() {
                if a.verdict != Truth::Open {
                    *summary.decided.entry(a.who.to_string()).or_default() += 1;
                }
                for b in &answers[n][..at] {
                    // A proof is about all values of the constant, a search about one.
                    let alike = system.constant.is_none() || (a.who == "prove") == (b.who == "prove");
                    summary.comparisons += u64::from(a.verdict != Truth::Open && b.verdict != Truth::Open);
                    if alike && contradict(a.verdict, b.verdict) {
                        complaints
                            .push(format!("p{n}: {} says {:?}, {} {:?}", a.who, a.verdict, b.who, b.verdict));
                    }
                }
            }
        }
        Ok(complaints)
    }
}

fn contradict(a: Truth, b: Truth) -> bool {
    a != b && a != Truth::Open && b != Truth::Open
}

fn extension(system: &System) -> &'static str {
    if system.is_program() { "spl" } else { "fts" }
}

/// The truth for the value of the constant that is searched, and for all that the axiom allows; none if the evaluator gives up.
fn true_of(system: &System, claim: &model::Claim) -> Option<(Truth, Truth)> {
    let Some((_, value)) = &system.constant else {
        let truth = Graph::of(system, 0).and_then(|g| g.truth(claim)).ok()?;
        return Some((truth, truth));
    };
    let searched = Graph::of(system, *value).and_then(|g| g.truth(claim)).ok()?;
    let mut always = searched;
    for other in value - 3..=value + 3 {
        let graph = Graph::of(system, other).ok()?;
        if allowed(system, other) && graph.truth(claim).ok()? == Truth::Broken {
            always = Truth::Broken;
        }
    }
    // Where the axiom leaves the constant open, not all of its values were looked at.
    let pinned = !allowed(system, value + 1);
    let always = if always == Truth::Holds && !pinned { Truth::Open } else { always };
    Some((searched, always))
}

fn allowed(system: &System, constant: i64) -> bool {
    let machine = step::Machine::new(system, constant);
    let (states, _) = machine.initial();
    let axiom = system.constant.as_ref().map(|(axiom, _)| axiom);
    match (axiom, states.first()) {
        (Some(axiom), Some(state)) => machine.here(state).test(axiom, 0).unwrap_or(false),
        _ => true,
    }
}

enum Asked {
    Verdicts(Vec<Truth>),
    /// The text is not accepted.
    Refused(String),
    Failed(String),
}

fn ask(weave: &Path, system: &System, text: &str, arguments: &[&str]) -> io::Result<Asked> {
    let scratch = Scratch::new("prove")?;
    let file = format!("system.{}", extension(system));
    fs::write(scratch.path().join(&file), text)?;
    let mut all: Vec<String> = arguments.iter().map(|a| (*a).to_string()).collect();
    if let (Some((_, value)), "check") = (&system.constant, arguments[0]) {
        all.extend(["-D".to_string(), format!("N={value}")]);
    }
    all.push(file);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let limits = Limits { time: Duration::from_secs(60), memory_mb: 6000 };
    let done = process::run(&weave.to_string_lossy(), &all, scratch.path(), limits)?;
    if done.code == 2 {
        return Ok(Asked::Refused(format!("{}{}", done.stdout, done.stderr)));
    }
    let last = done.stdout.lines().last().unwrap_or_default();
    let Ok(result) = serde_json::from_str::<Value>(last) else {
        return Ok(Asked::Failed(format!("no result, code {}: {}", done.code, done.stderr.trim())));
    };
    let verdict = |n: usize| {
        let name = format!("p{n}");
        let all = result["properties"].as_array()?;
        let found = all.iter().find(|p| p["name"] == name.as_str())?;
        Some(match found["verdict"].as_str()? {
            "holds" => Truth::Holds,
            "violated" => Truth::Broken,
            _ => Truth::Open,
        })
    };
    match (0..system.claims.len()).map(verdict).collect::<Option<Vec<_>>>() {
        Some(verdicts) => Ok(Asked::Verdicts(verdicts)),
        // Cut off at a limit, before any property was looked at.
        None if result["verdict"] == "unknown" => Ok(Asked::Verdicts(vec![Truth::Open; system.claims.len()])),
        None => Ok(Asked::Failed(format!("a result without the properties, code {}", done.code))),
    }
}

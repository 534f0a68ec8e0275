//! `xtask fuzz-prove`: random small systems, proved and searched by weave, and judged by an
//! evaluator of our own.
//!
//! Each system is given to `weave prove`, to some of its engines alone, to `weave check` with both
//! engines, and to `truth`, which looks at every state and says which answers are right. *Holds*
//! and
//! *violated* must never meet, whichever tool says them. Weave is a black box here: its binary and
//! its JSON.

mod acts;
mod control;
mod declare;
mod first;
mod model;
mod number;
mod print;
mod random;
mod smaller;
mod step;
mod terms;
#[cfg(test)]
mod tests;
mod truth;
mod value;
mod write;

use crate::process::{self, Limits};
use crate::scratch::Scratch;
use crate::seeds;
use model::System;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fs, io};
use truth::{Graph, Truth};

/// The random system of a seed, as a file.
pub fn text(seed: u64) -> String {
    print::file(&random::system(seed))
}

pub struct FuzzProve {
    pub seeds: Range<u64>,
    pub jobs: usize,
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
    /// The text of these, and why.
    pub refusals: Vec<String>,
    /// Systems that the evaluator gave up on.
    pub lost: u64,
}

impl Summary {
    fn add(&mut self, one: Summary) {
        self.programs += one.programs;
        self.comparisons += one.comparisons;
        self.contradictions += one.contradictions;
        self.refused += one.refused;
        self.lost += one.lost;
        for (who, n) in one.decided {
            *self.decided.entry(who).or_default() += n;
        }
    }
}

/// One answer about one property.
struct Answer {
    who: &'static str,
    proves: bool,
    verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Holds,
    Violated,
    Unknown,
}

/// How many smaller systems are tried.
const PATIENCE: usize = 80;

/// Who is asked, and how.
struct Asks {
    who: &'static str,
    /// Its answers are about all values of the constant.
    proves: bool,
    arguments: &'static [&'static str],
}

const ASKED: [Asks; 8] = [
    proves("prove", &["prove", "--json", "--timeout", "10s"]),
    proves("k-induction", &["prove", "--json", "--timeout", "1s", "--engine", "k-induction"]),
    proves("aided", &["prove", "--json", "--timeout", "1s", "--engine", "k-induction,invariants"]),
    proves("bmc", &["prove", "--json", "--timeout", "1s", "--engine", "bmc"]),
    proves("pdr", &["prove", "--json", "--timeout", "1s", "--engine", "pdr"]),
    checks("explicit", &["check", "--json", "--keep-going", "--timeout", "10s", "--max-states", "3000"]),
    checks("symbolic", &["check", "--json", "--keep-going", "--timeout", "10s", "--engine", "symbolic"]),
    checks(
        "reduced",
        &["check", "--json", "--keep-going", "--max-states", "3000", "--reduction", "persistent"],
    ),
];

const fn proves(who: &'static str, arguments: &'static [&'static str]) -> Asks {
    Asks { who, proves: true, arguments }
}

const fn checks(who: &'static str, arguments: &'static [&'static str]) -> Asks {
    Asks { who, proves: false, arguments }
}

impl FuzzProve {
    pub fn run(&self) -> io::Result<Summary> {
        let weave = self.weave.canonicalize()?;
        let summary = Mutex::new(Summary::default());
        seeds::each(self.seeds.clone(), self.jobs, |seed| {
            let one = self.work(&weave, seed)?;
            summary.lock().unwrap_or_else(PoisonError::into_inner).add(one);
            Ok(())
        })?;
        Ok(summary.into_inner().unwrap_or_default())
    }

    fn work(&self, weave: &Path, seed: u64) -> io::Result<Summary> {
        let mut summary = Summary { programs: 1, ..Summary::default() };
        let system = random::system(seed);
        let text = print::file(&system);
        let complaints = self.judge(weave, &system, &text, &mut summary)?;
        summary.refusals.drain(..).for_each(|text| println!("{text}"));
        if complaints.is_empty() {
            return Ok(summary);
        }
        summary.contradictions += complaints.len() as u64;
        fs::create_dir_all(&self.out)?;
        let name = format!("{seed}.{}", extension(&system));
        let head: String = complaints.iter().map(|c| format!("% {c}\n")).collect();
        fs::write(self.out.join(&name), format!("{head}{text}"))?;
        println!("{name}: {}", complaints.join("; "));
        self.shrink(weave, &system, &format!("{seed}.small.{}", extension(&system)))?;
        Ok(summary)
    }

    /// Writes a smaller system about which something is wrong.
    fn shrink(&self, weave: &Path, system: &System, name: &str) -> io::Result<()> {
        let complaints = |system: &System| {
            let found = self.judge(weave, system, &print::file(system), &mut Summary::default());
            found.unwrap_or_default()
        };
        let small = smaller::shrink(system, PATIENCE, |s| !complaints(s).is_empty());
        let head: String = complaints(&small).iter().map(|c| format!("% {c}\n")).collect();
        fs::write(self.out.join(name), format!("{head}{}", print::file(&small)))
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
        let names = names(system);
        let mut answers: Vec<Vec<Answer>> = names.iter().map(|_| Vec::new()).collect();
        for Asks { who, proves, arguments } in ASKED {
            match ask(weave, system, text, arguments)? {
                Asked::Refused(why) => {
                    summary.refused += 1;
                    summary.refusals.push(format!("refused: {why}\n{text}"));
                    return Ok(Vec::new());
                }
                Asked::Failed(why) => complaints.push(format!("{who}: {why}")),
                Asked::Verdicts(verdicts) => {
                    for (answers, verdict) in answers.iter_mut().zip(verdicts) {
                        answers.push(Answer { who, proves, verdict });
                    }
                }
            }
        }
        let truths = truths(system);
        for (n, name) in names.iter().enumerate() {
            match truths.as_ref().and_then(|all| all[n]) {
                Some(truth) => against_truth(name, &answers[n], truth, summary, &mut complaints),
                None => summary.lost += 1,
            }
            against_each_other(system, name, &answers[n], summary, &mut complaints);
        }
        Ok(complaints)
    }
}

/// What the evaluator knows of one property: for the value of the constant that is searched, and
/// for all that the axiom allows.
#[derive(Clone, Copy)]
struct Known {
    searched: Truth,
    always: Truth,
}

fn against_truth(
    name: &str,
    answers: &[Answer],
    known: Known,
    summary: &mut Summary,
    complaints: &mut Vec<String>,
) {
    for Answer { who, proves, verdict } in answers {
        let truth = if *proves { known.always } else { known.searched };
        let right = match verdict {
            Verdict::Holds => truth.holds,
            Verdict::Violated => truth.broken,
            Verdict::Unknown => true,
        };
        if !right {
            complaints.push(format!("{name}: {who} says {verdict:?}, it is {truth:?}"));
        }
        let compared = *verdict != Verdict::Unknown && truth != Truth::OPEN;
        summary.comparisons += u64::from(compared);
    }
    if known.always != Truth::OPEN {
        *summary.decided.entry("evaluator".to_string()).or_default() += 1;
    }
    if known.always == Truth::NEITHER {
        *summary.decided.entry("without a value".to_string()).or_default() += 1;
    }
}

fn against_each_other(
    system: &System,
    name: &str,
    answers: &[Answer],
    summary: &mut Summary,
    complaints: &mut Vec<String>,
) {
    for (at, a) in answers.iter().enumerate() {
        if a.verdict != Verdict::Unknown {
            *summary.decided.entry(a.who.to_string()).or_default() += 1;
        }
        for b in &answers[..at] {
            // A proof is about all values of the constant, a search about one.
            let alike = system.constant.is_none() || a.proves == b.proves;
            let both = a.verdict != Verdict::Unknown && b.verdict != Verdict::Unknown;
            summary.comparisons += u64::from(both);
            if alike && both && a.verdict != b.verdict {
                let (c, d) = (a.verdict, b.verdict);
                complaints.push(format!("{name}: {} says {c:?}, {} {d:?}", a.who, b.who));
            }
        }
    }
}

/// The properties that are asked about: the claims, and run-time errors.
fn names(system: &System) -> Vec<String> {
    let claims = (0..system.claims.len()).map(|n| format!("p{n}"));
    claims.chain(["runtime".to_string()]).collect()
}

fn extension(system: &System) -> &'static str {
    if system.is_program() { "spl" } else { "fts" }
}

/// What is true of the properties, in the order of `names`; none if the evaluator gives up.
fn truths(system: &System) -> Option<Vec<Option<Known>>> {
    let of = |constant: i64| -> Option<Vec<Option<Truth>>> {
        let graph = Graph::of(system, constant).ok()?;
        let claims = system.claims.iter().map(|claim| graph.truth(claim).ok());
        Some(claims.chain([Some(graph.runtime())]).collect())
    };
    let Some((_, value)) = &system.constant else {
        let same = |truth: Truth| Known { searched: truth, always: truth };
        return Some(of(0)?.into_iter().map(|t| t.map(same)).collect());
    };
    let allowed = (value - 3..=value + 3).filter(|other| allowed(system, *other));
    let all: Vec<Vec<Option<Truth>>> = allowed.map(of).collect::<Option<_>>()?;
    // Where the axiom leaves the constant open, not all of its values were looked at.
    let pinned = all.len() == 1;
    let known = |(n, searched): (usize, Option<Truth>)| {
        let each: Vec<Truth> = all.iter().map(|truths| truths[n]).collect::<Option<_>>()?;
        let holds = each.iter().all(|t| t.holds);
        let broken = each.iter().any(|t| t.broken) || !pinned;
        Some(Known { searched: searched?, always: Truth { holds, broken } })
    };
    Some(of(*value)?.into_iter().enumerate().map(known).collect())
}

fn allowed(system: &System, constant: i64) -> bool {
    let machine = step::Machine::new(system, constant);
    let axiom = system.constant.as_ref().map(|(axiom, _)| axiom);
    axiom.is_none_or(|axiom| machine.here(&machine.chaos()).test(axiom, 0).unwrap_or(false))
}

enum Asked {
    Verdicts(Vec<Verdict>),
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
    let verdict = |name: &String| {
        let all = result["properties"].as_array()?;
        let Some(found) = all.iter().find(|p| p["name"] == name.as_str()) else {
            // There is nothing that could fail, or nothing is said of it.
            return (name == "runtime").then_some(Verdict::Unknown);
        };
        Some(match found["verdict"].as_str()? {
            "holds" => Verdict::Holds,
            "violated" => Verdict::Violated,
            _ => Verdict::Unknown,
        })
    };
    let names = names(system);
    match names.iter().map(verdict).collect::<Option<Vec<_>>>() {
        Some(verdicts) => Ok(Asked::Verdicts(verdicts)),
        // Cut off at a limit, before the properties were looked at: nothing is said of them.
        None if result["verdict"] != "holds" => Ok(Asked::Verdicts(vec![Verdict::Unknown; names.len()])),
        None => Ok(Asked::Failed(format!("a result without the properties, code {}", done.code))),
    }
}

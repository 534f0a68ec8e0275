//! `xtask fuzz-calls`: random C programs of calls to the C library and the kernel. What `weave run`
//! finds with one reduction is compared with what it finds with others, and with what real runs
//! do. Contradictions are shrunk and saved.

use crate::calls::ask::{Effort, Subject};
use crate::calls::compare::{self, Judgement};
use crate::calls::groups::{GROUPS, Group};
use crate::calls::{Program, program, shrink::shrink};
use crate::outcomes::Found;
use crate::seeds;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;
use std::{fs, io};

/// What to do.
pub struct FuzzCalls {
    pub seeds: Range<u64>,
    pub weave: PathBuf,
    pub jobs: usize,
    pub out: Option<PathBuf>,
    /// Seconds for each search.
    pub time: u64,
    /// Real runs of each program.
    pub runs: usize,
    /// Only calls of these groups.
    pub groups: Vec<&'static Group>,
    /// Questions to ask while shrinking a contradiction.
    pub patience: usize,
}

#[derive(Debug, Default)]
pub struct Summary {
    pub programs: u64,
    pub comparisons: u64,
    counts: BTreeMap<String, u64>,
    /// Programs that have calls of a group.
    groups: BTreeMap<&'static str, u64>,
    pub wrong: Vec<u64>,
}

/// What dynamic reduction is compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Other {
    Search(&'static str),
    Reality,
}

/// The group of this name.
pub fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.name == name)
}

/// Full search and reality for all; the reductions that only tests use for some.
fn others(seed: u64) -> Vec<Other> {
    let mut others = vec![Other::Search("none"), Other::Reality];
    match seed % 8 {
        1 => others.push(Other::Search("sleep")),
        6 => others.push(Other::Search("persistent+sleep")),
        _ => {}
    }
    others
}

impl FuzzCalls {
    /// Compares every seed; prints contradictions as they are found.
    pub fn run(&self) -> io::Result<Summary> {
        let summary = Mutex::new(Summary::default());
        seeds::each(self.seeds.clone(), self.jobs, |seed| self.work(seed, &summary))?;
        Ok(summary.into_inner().unwrap_or_default())
    }

    fn work(&self, seed: u64, summary: &Mutex<Summary>) -> io::Result<()> {
        let program = program(seed, &self.groups);
        let judgements = self.judgements(&program, &others(seed))?;
        for (other, judgement) in &judgements {
            if let Judgement::Contradiction(message) = judgement {
                self.report(&program, *other, message)?;
            }
        }
        let mut summary = summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        summary.note(&program, &judgements);
        Ok(())
    }

    fn judgements(&self, program: &Program, others: &[Other]) -> io::Result<Vec<(Other, Judgement)>> {
        let all = |judgement: Judgement| Ok(vec![(others[0], judgement)]);
        let subject = match Subject::new(program, &self.weave)? {
            Ok(subject) => subject,
            Err(failed) => return all(Judgement::Contradiction(failed.to_string())),
        };
        let reduced = subject.ask(&self.weave, "dpor", self.time)?;
        let reduced = match compare::found(&reduced) {
            Ok(found) if found.is_complete() => found,
            Ok(found) => return all(Judgement::Open(why(found))),
            Err(judgement) => return all(judgement),
        };
        let judged = others.iter().map(|&other| {
            let judgement = match other {
                Other::Search(reduction) => {
                    let answer = subject.ask(&self.weave, reduction, self.time)?;
                    compare::found(&answer)
                        .map_or_else(|judgement| judgement, |found| compare::searches(reduced, found))
                }
                Other::Reality => {
                    let executed = subject.execute(self.effort(!reduced.deadlocks.is_empty()))?;
                    compare::reality(reduced, &executed)
                }
            };
            Ok((other, judgement))
        });
        judged.collect()
    }

    /// A run that hangs is waited for only if it may not.
    fn effort(&self, may_hang: bool) -> Effort {
        let patience = if may_hang { 0.4 } else { 20.0 };
        Effort { runs: self.runs, time: Duration::from_secs(4), patience }
    }

    /// Shrinks, prints and saves a contradiction.
    fn report(&self, program: &Program, other: Other, message: &str) -> io::Result<()> {
        println!("seed {}, {other:?}: {message}", program.seed);
        let contradicts = |candidate: &Program| {
            let judgements = self.judgements(candidate, &[other]).ok()?;
            match judgements.into_iter().next() {
                Some((_, Judgement::Contradiction(message))) => Some(message),
                _ => None,
            }
        };
        let still = |candidate: &Program| contradicts(candidate).is_some_and(|m| sort(&m) == sort(message));
        let small = shrink(program, self.patience, still);
        let message = contradicts(&small).unwrap_or_else(|| format!("{message} (not seen again)"));
        let tasks = small.tasks_as_text();
        println!("{message}\n{tasks}");
        let head = format!("/* seed {}, {other:?}: {message}\n{tasks}*/\n", program.seed);
        self.save(program.seed, other, &format!("{head}{small}"))
    }

    fn save(&self, seed: u64, other: Other, text: &str) -> io::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        fs::create_dir_all(out)?;
        let name = match other {
            Other::Search(reduction) => reduction.replace('+', "_"),
            Other::Reality => "reality".to_owned(),
        };
        fs::write(out.join(format!("calls_{seed}_{name}.c")), text)
    }
}

/// The sort of a contradiction: its message without the details.
fn sort(message: &str) -> &str {
    message.split(':').next().unwrap_or("")
}

/// Why a search decides nothing.
fn why(found: &Found) -> String {
    match found.uncontrolled.as_slice() {
        [] => "dpor: too large".to_owned(),
        calls => format!("dpor: uncontrolled: {}", calls.join(", ")),
    }
}

impl Summary {
    fn note(&mut self, program: &Program, judgements: &[(Other, Judgement)]) {
        self.programs += 1;
        for group in program.groups() {
            *self.groups.entry(group.name).or_default() += 1;
        }
        for (other, judgement) in judgements {
            let label = match judgement {
                Judgement::Agreed => "agreed".to_owned(),
                Judgement::Open(why) => why.clone(),
                Judgement::Contradiction(_) => "CONTRADICTION".to_owned(),
            };
            self.comparisons += u64::from(!matches!(judgement, Judgement::Open(_)));
            let what = match other {
                Other::Search(reduction) => *reduction,
                Other::Reality => "reality",
            };
            *self.counts.entry(format!("{what}: {label}")).or_default() += 1;
        }
        if judgements.iter().any(|(_, judgement)| matches!(judgement, Judgement::Contradiction(_))) {
            self.wrong.push(program.seed);
        }
    }

    pub fn print(&self) {
        let (programs, comparisons, wrong) = (self.programs, self.comparisons, self.wrong.len());
        println!("{programs} programs, {comparisons} comparisons, {wrong} programs contradict");
        self.counts.iter().for_each(|(label, count)| println!("{count:6} {label}"));
        let groups = self.groups.iter().map(|(name, count)| format!("{name} {count}"));
        println!("programs with: {}", groups.collect::<Vec<_>>().join(", "));
        if !self.wrong.is_empty() {
            println!("seeds that contradict: {:?}", self.wrong);
        }
    }
}

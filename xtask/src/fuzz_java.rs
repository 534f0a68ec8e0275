//! `xtask fuzz-java`: random Java programs, held against a brute-force interpreter and the JVM.
//!
//! weave's verdicts agree with the interpreter's; every outcome that the JVM shows is one of the
//! interpreter's; a violation is forced on the JVM by gates along the counterexample.

use crate::generate::rng::Rng;
use crate::java::answer::{About, Answer, Asked, Verdict};
use crate::java::ast::Program;
use crate::java::explore::{Truth, Wrong, explore};
use crate::java::follow::follow;
use crate::java::generate::generate;
use crate::java::judge::{judge, words};
use crate::java::jvm::{Jvm, Loaded, Seen};
use crate::java::{constructs, print, query, shrink};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

/// States that the interpreter follows.
const MOST: usize = 40_000;

/// Threads that do not move for this many milliseconds are blocked.
const QUIET: u64 = 40;

pub struct FuzzJava {
    pub seeds: std::ops::Range<u64>,
    pub asked: Asked,
    pub jobs: usize,
    pub out: Option<PathBuf>,
    /// Runs with random delays, of each program.
    pub runs: usize,
    /// Smaller programs to try for each contradiction.
    pub patience: usize,
}

#[derive(Default)]
pub struct Summary {
    pub programs: u64,
    pub comparisons: u64,
    pub contradictions: Vec<(u64, String)>,
    /// Programs whose overall verdict is unknown, refusals and time-outs included.
    pub unknown: u64,
    pub counts: BTreeMap<String, u64>,
    pub constructs: BTreeMap<&'static str, u64>,
}

/// A program with all that is known of it.
struct Case {
    program: Program,
    truth: Truth,
    answer: Answer,
}

/// What one program gave.
#[derive(Default)]
struct Report {
    comparisons: u64,
    contradictions: Vec<String>,
    unknown: bool,
    counts: Vec<String>,
}

impl FuzzJava {
    pub fn run(&self) -> io::Result<Summary> {
        let summary = Mutex::new(Summary::default());
        let next = AtomicU64::new(self.seeds.start);
        std::thread::scope(|threads| {
            let workers: Vec<_> =
                (0..self.jobs.max(1)).map(|_| threads.spawn(|| self.work(&next, &summary))).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().unwrap_or_else(|_| Err(io::Error::other("panic"))))
        })?;
        Ok(summary.into_inner().unwrap_or_default())
    }

    fn work(&self, next: &AtomicU64, summary: &Mutex<Summary>) -> io::Result<()> {
        let mut jvm = Jvm::start()?;
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if !self.seeds.contains(&seed) {
                return Ok(());
            }
            let program = with_question(generate(seed), seed);
            let (case, report) = self.look(program, seed, &mut jvm)?;
            if !report.contradictions.is_empty() {
                self.save(seed, &case, &report, &mut jvm)?;
            }
            let mut summary = summary.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            summary.programs += 1;
            summary.comparisons += report.comparisons;
            summary.unknown += u64::from(report.unknown);
            let found = report.contradictions.into_iter().map(|words| (seed, words));
            summary.contradictions.extend(found);
            for count in report.counts {
                *summary.counts.entry(count).or_default() += 1;
            }
            for construct in constructs::of(&case.program) {
                *summary.constructs.entry(construct).or_default() += 1;
            }
        }
    }

    /// Compares one program with the interpreter and with the JVM.
    fn look(&self, program: Program, seed: u64, jvm: &mut Jvm) -> io::Result<(Case, Report)> {
        let mut report = Report::default();
        let mut truth = explore(&program, true, MOST);
        if truth.has(Wrong::Range) {
            beyond(&mut truth, &explore(&program, false, MOST));
        }
        if truth.too_big {
            report.counts.push("too big for the interpreter: not compared".to_owned());
            return Ok((Case { program, truth, answer: Answer::TimeOut }, report));
        }
        let text = print::for_weave(&program);
        let answer = self.asked.ask(&program.name, &text.text)?;
        let case = Case { program, truth, answer };
        self.verdicts(&case, &mut report);
        match jvm.load(&case.program.name, &print::for_jvm(&case.program).text)? {
            Err(failed) => report.contradictions.push(format!("javac: {failed}")),
            Ok(loaded) => {
                let seen = self.outcomes((&case, &loaded), seed, jvm, &mut report)?;
                self.force((&case, &loaded), &seen, jvm, &mut report)?;
            }
        }
        Ok((case, report))
    }

    fn verdicts(&self, case: &Case, report: &mut Report) {
        let judgement = judge(&case.answer, &case.truth);
        report.comparisons += judgement.compared as u64;
        report.contradictions.extend(judgement.contradictions);
        let label = match &case.answer {
            Answer::Verdict { overall: Verdict::Holds, .. } => "weave: holds".to_owned(),
            Answer::Verdict { overall: Verdict::Violated, .. } => "weave: violated".to_owned(),
            Answer::Verdict { reason, .. } => {
                let short: String = reason.chars().take(70).collect();
                report.counts.push(format!("unknown: {short}"));
                report.unknown = true;
                "weave: unknown".to_owned()
            }
            Answer::Refused(said) => {
                report.counts.push(format!("refused: {said}"));
                report.unknown = true;
                "weave: refused".to_owned()
            }
            Answer::TimeOut => {
                report.unknown = true;
                "weave: time-out".to_owned()
            }
            Answer::Failed(_) => "weave: failed".to_owned(),
        };
        report.counts.push(label);
        for kind in case.truth.wrong.keys() {
            report.counts.push(format!("truth: {kind:?}"));
        }
        for name in &case.truth.uncaught {
            report.counts.push(format!("truth: uncaught {name}"));
        }
        if case.truth.wrong.is_empty() {
            report.counts.push("truth: holds".to_owned());
        }
    }

    /// Runs with random delays: each outcome is one of the interpreter's.
    fn outcomes(
        &self,
        (case, loaded): (&Case, &Loaded),
        seed: u64,
        jvm: &mut Jvm,
        report: &mut Report,
    ) -> io::Result<Vec<Seen>> {
        let free;
        let truth = if case.truth.has(Wrong::Range) {
            free = explore(&case.program, false, MOST);
            &free
        } else {
            &case.truth
        };
        let mut seen = jvm.random(loaded, self.runs, seed, QUIET)?;
        // On a busy machine a thread may seem blocked that is not: ask again, with patience.
        if seen.iter().any(|run| run.blocked() && !truth.outcomes.contains(&run.outcome)) {
            report.counts.push("blocked, and asked again with patience".to_owned());
            seen = jvm.random(loaded, self.runs, seed, 50 * QUIET)?;
        }
        for run in &seen {
            report.comparisons += 1;
            let known = run.endless() || truth.outcomes.contains(&run.outcome);
            if !known && truth.too_big {
                report.counts.push("too big without ranges: outcomes not compared".to_owned());
            } else if !known && truth.has(Wrong::Race) {
                report.counts.push("racy, and not sequentially consistent on the JVM".to_owned());
            } else if !known {
                let words = format!("the interpreter does not know an outcome of the JVM: {}", run.outcome);
                report.contradictions.push(words);
            }
            if holds(&case.answer) && (run.assertion() || run.uncaught() || run.blocked()) {
                let words = format!("weave says holds, and the JVM shows {}", run.outcome);
                report.contradictions.push(words);
            }
        }
        Ok(seen.into_iter().collect())
    }

    /// A claimed violation happens on the JVM.
    fn force(
        &self,
        (case, loaded): (&Case, &Loaded),
        seen: &[Seen],
        jvm: &mut Jvm,
        report: &mut Report,
    ) -> io::Result<()> {
        let Answer::Verdict { overall: Verdict::Violated, properties, trace, .. } = &case.answer else {
            return Ok(());
        };
        let violated = |about: &[About]| {
            properties.iter().any(|p| p.verdict == Verdict::Violated && about.contains(&p.about))
        };
        let mut kinds = Vec::new();
        if violated(&[About::Error]) {
            kinds.extend([Wrong::Uncaught, Wrong::Assertion]);
        }
        if violated(&[About::Deadlock, About::Partial]) {
            kinds.extend([Wrong::Deadlock, Wrong::Blocked]);
        }
        kinds.retain(|&kind| case.truth.has(kind));
        let Some(&first) = kinds.first() else {
            report.counts.push("violation that only the interpreter can see".to_owned());
            return Ok(());
        };
        let text = print::for_weave(&case.program);
        let along = follow(&case.truth, &text, trace, &kinds);
        let followed = if along.is_some() { "followed" } else { "not followed" };
        report.counts.push(format!("counterexample: {followed}"));
        let mut paths: Vec<_> = along.into_iter().collect();
        paths.push(case.truth.path(first));
        for path in paths {
            let run = jvm.force(loaded, &path)?;
            if run.is_some_and(|run| shows(&run, &kinds)) {
                report.comparisons += 1;
                report.counts.push("violation: forced on the JVM".to_owned());
                return Ok(());
            }
        }
        if seen.iter().any(|run| shows(run, &kinds)) {
            report.counts.push("violation: seen on the JVM, not forced".to_owned());
        } else if case.truth.has(Wrong::Range) {
            report.counts.push("violation: not forced, a range is left".to_owned());
        } else {
            report.contradictions.push(format!("{first:?} cannot be forced on the JVM"));
        }
        Ok(())
    }

    /// Shrinks a program for each of its contradictions, prints and saves it.
    fn save(&self, seed: u64, case: &Case, report: &Report, jvm: &mut Jvm) -> io::Result<()> {
        println!("seed {seed}: {}", report.contradictions.join("; "));
        let mut subjects: Vec<String> = report.contradictions.iter().map(|w| subject(w)).collect();
        // What is said of the whole program follows from what is said of a property.
        if !(subjects[0].starts_with("the program") || subjects[0].starts_with("weave")) {
            subjects.retain(|s| !(s.starts_with("the program") || s.starts_with("weave says")));
        }
        subjects.dedup();
        for (number, wanted) in subjects.iter().enumerate() {
            let (small, report) = self.shrunk(seed, &case.program, wanted, jvm)?;
            let text = head(seed, &small, &report) + &print::for_weave(&small.program).text;
            println!("{text}");
            if let Some(folder) = &self.out {
                let folder = folder.join(if number == 0 { "" } else { "more" });
                fs::create_dir_all(&folder)?;
                fs::write(folder.join(format!("{}.java", small.program.name)), text)?;
            }
        }
        Ok(())
    }

    fn shrunk(
        &self,
        seed: u64,
        program: &Program,
        wanted: &str,
        jvm: &mut Jvm,
    ) -> io::Result<(Case, Report)> {
        let mut still = |candidate: &Program| match self.look(candidate.clone(), seed, jvm) {
            Ok((_, report)) => {
                let words = &report.contradictions;
                words.iter().any(|words| subject(words) == wanted)
                    && !words.iter().any(|words| words.starts_with("javac"))
            }
            Err(_) => false,
        };
        let small = shrink::shrink(program, self.patience, &mut still);
        self.look(small, seed, jvm)
    }
}

/// A range that is left ends the interpreter's run. What happens in a run that goes on is true too:
/// the access itself may race, and another thread may be blocked already.
fn beyond(truth: &mut Truth, free: &Truth) {
    for kind in [Wrong::Race, Wrong::Deadlock, Wrong::Blocked] {
        if free.too_big || free.has(kind) {
            truth.wrong.entry(kind).or_default();
        }
    }
}

/// What a contradiction is about: shrinking does not slip from one to another.
fn subject(words: &str) -> String {
    words.split(':').next().unwrap_or("").split(" shows ").next().unwrap_or("").to_owned()
}

/// The truth, and what weave says instead.
fn head(seed: u64, case: &Case, report: &Report) -> String {
    let said = match &case.answer {
        Answer::Verdict { overall, reason, .. } => format!("{overall:?}: {reason}"),
        other => format!("{other:?}"),
    };
    format!(
        "// truth: {}\n// weave says: {said}\n// contradiction: {}\n\
         // found by: cargo xtask fuzz-java --seed {seed} --count 1 --weave PATH\n",
        words(&case.truth),
        report.contradictions.join("; ").replace('\n', " "),
    )
}

fn holds(answer: &Answer) -> bool {
    matches!(answer, Answer::Verdict { overall: Verdict::Holds, .. })
}

fn shows(run: &Seen, kinds: &[Wrong]) -> bool {
    kinds.iter().any(|kind| match kind {
        Wrong::Uncaught => run.uncaught(),
        Wrong::Assertion => run.assertion(),
        Wrong::Deadlock => run.blocked(),
        Wrong::Blocked => run.blocked() || run.waiting(),
        _ => false,
    })
}

/// Half of the programs in which nothing goes wrong are asked about their outcomes.
pub fn with_question(program: Program, seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x7175_6572);
    let truth = explore(&program, true, MOST);
    let wrong = [Wrong::Uncaught, Wrong::Assertion, Wrong::Range, Wrong::Blocked];
    if truth.too_big || truth.any(&wrong) || rng.chance(25) {
        return program;
    }
    query::ask(&program, &truth, &mut rng).unwrap_or(program)
}

impl Summary {
    pub fn print(&self) {
        println!("constructs, by the number of programs that use them:");
        let mut line = String::new();
        for (name, count) in &self.constructs {
            line.push_str(&format!("{name} {count}, "));
        }
        println!("  {}", line.trim_end_matches(", "));
        let missing: Vec<_> =
            constructs::ALL.iter().filter(|name| !self.constructs.contains_key(*name)).collect();
        if !missing.is_empty() {
            println!("  not generated this time: {missing:?}");
        }
        for (label, count) in &self.counts {
            println!("  {count:6} {label}");
        }
        for (seed, words) in &self.contradictions {
            println!("seed {seed}: {}", words.lines().next().unwrap_or(""));
        }
        let share = 100 * self.unknown / self.programs.max(1);
        println!(
            "programs {}, comparisons {}, contradictions {}, unknown {} ({share} %)",
            self.programs,
            self.comparisons,
            self.contradictions.len(),
            self.unknown
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use std::os::unix::fs::PermissionsExt;

    /// A weave that always gives the same answer.
    fn stand_in(folder: &Scratch, verdict: &str, code: u8) -> Asked {
        let binary = folder.path().join("weave");
        let property = |name: &str| format!(r#"{{"name":"{name}","kind":"x","verdict":"{verdict}"}}"#);
        let answer = format!(
            r#"{{"event":"result","verdict":"{verdict}","reason":"","properties":[{},{}]}}"#,
            property("deadlock"),
            property("error"),
        );
        fs::write(&binary, format!("#!/bin/sh\necho '{answer}'\nexit {code}\n")).unwrap();
        fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
        Asked::new(&binary, Vec::new())
    }

    fn fuzz(asked: Asked, out: &Scratch) -> Summary {
        let out = Some(out.path().to_owned());
        FuzzJava { seeds: 1..6, asked, jobs: 1, out, runs: 3, patience: 1 }.run().unwrap()
    }

    #[test]
    fn a_weave_that_always_holds_and_one_that_never_does_are_caught() {
        for (verdict, code) in [("holds", 0), ("violated", 1)] {
            let folder = Scratch::new("stand-in").unwrap();
            let summary = fuzz(stand_in(&folder, verdict, code), &folder);
            let (seed, _) = summary.contradictions.first().expect("it is wrong").clone();
            let saved = fs::read_to_string(folder.path().join(format!("P{seed}.java"))).unwrap();
            assert!(saved.starts_with("// truth: "), "{saved}");
        }
    }

    #[test]
    fn a_weave_that_knows_nothing_contradicts_nothing() {
        let folder = Scratch::new("stand-in").unwrap();
        let summary = fuzz(stand_in(&folder, "unknown", 3), &folder);
        assert_eq!(summary.contradictions, [], "the interpreter knows all that the JVM does");
        assert_eq!((summary.programs, summary.unknown), (5, 5));
    }

    #[test]
    fn every_construct_is_generated() {
        let found: Vec<_> = (1..800).map(|seed| constructs::of(&generate(seed))).collect();
        for name in constructs::ALL {
            assert!(found.iter().any(|all| all.contains(name)), "{name}");
        }
    }
}

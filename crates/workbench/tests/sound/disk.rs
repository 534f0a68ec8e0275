//! A search with states on disk reports what one in memory reports, in as little memory as there
//! can be, and also where it is stopped and goes on with another copy of the program; the certifier
//! accepts its runs. On the corpus and on generated programs.

use crate::subjects::{Subject, corpus, generated, judge_all};
use compile::Program;
use compile::simplify::Simplified;
use explore::disk::{FileId, Folder, Trouble};
use explore::{Limits, Listener, NoListener, Options, Order, Progress, Report, Stop};
use explore::{search, search_on_disk};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use system::Reference;

/// No more states than this are stored.
const STATES: u64 = 20_000;

/// Files in memory.
#[derive(Default)]
struct Plain {
    files: BTreeMap<FileId, Vec<u8>>,
    checkpoint: Option<Vec<u8>>,
    asked: u64,
}

impl Folder for Plain {
    fn write(&mut self, file: FileId, at: u64, bytes: &[u8]) -> Result<(), Trouble> {
        let content = self.files.entry(file).or_default();
        let end = at as usize + bytes.len();
        content.resize(content.len().max(end), 0);
        content[at as usize..end].copy_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, file: FileId, at: u64, into: &mut [u8]) -> Result<(), Trouble> {
        into.copy_from_slice(&self.files[&file][at as usize..][..into.len()]);
        Ok(())
    }

    fn sync(&mut self, _: FileId) -> Result<(), Trouble> {
        Ok(())
    }

    fn remove(&mut self, file: FileId) -> Result<(), Trouble> {
        self.files.remove(&file);
        Ok(())
    }

    fn files(&mut self) -> Result<Vec<FileId>, Trouble> {
        Ok(self.files.keys().copied().collect())
    }

    fn checkpoint(&mut self) -> Result<Option<Vec<u8>>, Trouble> {
        Ok(self.checkpoint.clone())
    }

    fn commit(&mut self, checkpoint: &[u8]) -> Result<(), Trouble> {
        self.checkpoint = Some(checkpoint.to_vec());
        Ok(())
    }

    fn is_due(&mut self) -> bool {
        self.asked += 1;
        self.asked.is_multiple_of(5)
    }
}

struct After(u64);

impl Listener for After {
    fn look(&mut self, progress: &Progress) -> ControlFlow<Stop> {
        if progress.transitions >= self.0 {
            ControlFlow::Break(Stop::Time)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// What does not depend on the order of states within a level.
fn words(report: &Report, program: &Program) -> String {
    let runs = report.violations.iter().map(|v| format!("{:?}", v.run.ending));
    let mut runs: Vec<String> = runs.collect();
    runs.sort();
    let counts = [report.states, report.transitions, report.depth];
    let errors = [report.deadlocks, report.assertions, report.faults];
    let uses: Vec<_> = program.uses().collect();
    format!("{counts:?} {errors:?} {runs:?} {:?} {uses:?}", program.reached())
}

fn complaints(subject: &Subject) -> Option<Vec<String>> {
    let mut complaints = Vec::new();
    for raw in [true, false] {
        let simplified = if raw { Simplified::raw(&subject.system) } else { Simplified::of(&subject.system) };
        let program = Program::new(simplified).ok()?;
        let limits = Limits { states: Some(STATES), ..Limits::default() };
        let order = Order::BreadthFirst;
        let options = Options { order, keep_going: true, limits, ..Options::default() };
        let mut other = program.clone();
        let expected = search(&mut other, &options, &mut NoListener);
        if expected.stopped.is_some() {
            return None;
        }
        let expected = (words(&expected, &other), expected);
        complaints.extend(whole(subject, &program, &options, &expected));
        complaints.extend(in_two(&program, &options, &expected));
    }
    Some(complaints)
}

/// A search without a break.
fn whole(
    subject: &Subject,
    program: &Program,
    options: &Options,
    (text, expected): &(String, Report),
) -> Vec<String> {
    let (mut program, mut folder) = (program.clone(), Plain::default());
    let found = search_on_disk(&mut program, options, &mut folder, 0, &mut NoListener);
    let report = found.expect("a folder in memory").report;
    let mut complaints = Vec::new();
    if words(&report, &program) != *text {
        complaints.push(format!("on disk {}, in memory {text}", words(&report, &program)));
    }
    for violation in &report.violations {
        if let Err(why) = certify::replay(&Reference::new(&subject.system), &violation.run) {
            complaints.push(format!("{:?} is refused: {why}", violation.run));
        }
    }
    let longest = |report: &Report| report.violations.iter().map(|v| v.run.steps.len()).max();
    if report.violations.len() == expected.violations.len() && longest(&report) != longest(expected) {
        complaints.push(format!("runs of {:?} and {:?} steps", longest(&report), longest(expected)));
    }
    complaints
}

/// One that is stopped in the middle.
fn in_two(program: &Program, options: &Options, (text, expected): &(String, Report)) -> Option<String> {
    let (mut first, mut second, mut folder) = (program.clone(), program.clone(), Plain::default());
    let mut half = After(expected.transitions / 2);
    let stopped = search_on_disk(&mut first, options, &mut folder, 0, &mut half).expect("a folder in memory");
    if stopped.finished {
        return None;
    }
    let found = search_on_disk(&mut second, options, &mut folder, 0, &mut NoListener);
    let report = found.expect("a folder in memory").report;
    let words = words(&report, &second);
    (words != *text).then(|| format!("in two parts {words}, in memory {text}"))
}

#[test]
fn a_search_on_disk_reports_what_one_in_memory_reports() {
    let mut subjects = corpus();
    subjects.extend(generated(0..120, ""));
    let (judged, complaints) = judge_all(&subjects, complaints);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged > 120, "{judged}");
}

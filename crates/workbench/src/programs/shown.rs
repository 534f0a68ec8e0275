//! Failing runs as they are shown: shortened, and executed once more. What does not fail again is not shown.

use super::{ProgramRequest, RunRecording, RunViolation, Subject, Unrepeated, options};
use crate::watch::Interrupt;
use native::explore::Explored;
use native::operation::Op;
use native::report::Violation;
use native::scenario::{self, Recorded, Scenario};
use native::search::{Transition, shorten};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// How long to try to leave more out of a run.
const PATIENCE: Duration = Duration::from_secs(20);

/// Failing runs: those that fail again, and those that do not.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) violations: Vec<RunViolation>,
    pub(super) unrepeated: Vec<Unrepeated>,
}

pub(super) fn shown(
    request: &ProgramRequest,
    subject: &Subject,
    explored: &Explored,
    job: &Interrupt,
) -> Shown {
    let mut shown = Shown::default();
    for violation in &explored.report.violations {
        let again = Again { request, subject, violation, job };
        match again.shortest() {
            Ok((steps, scenario)) => shown.violations.push(again.shown(steps, scenario)),
            Err(what) => shown.unrepeated.push(again.unrepeated(what)),
        }
    }
    for violation in &explored.report.unrepeated {
        let again = Again { request, subject, violation, job };
        shown.unrepeated.push(again.unrepeated("the same steps end otherwise".to_string()));
    }
    shown
}

/// Executes runs again that should fail.
struct Again<'a> {
    request: &'a ProgramRequest,
    subject: &'a Subject,
    violation: &'a Violation<Op>,
    job: &'a Interrupt,
}

impl Again<'_> {
    fn execute(&self, steps: &[Recorded]) -> Result<Scenario, String> {
        let (program, options) = (&self.subject.program, options(self.request));
        match scenario::replay(program, options, &self.violation.known, steps) {
            Ok(scenario) if scenario::confirms(&scenario, &self.violation.failure) => Ok(scenario),
            Ok(scenario) => Err(scenario.failure.map_or("nothing wrong".to_string(), |f| f.message)),
            Err(trouble) => Err(trouble.to_string()),
        }
    }

    /// The run in an equivalent order with few changes of thread; then without what threads did towards the end, as long as it fails.
    fn shortest(&self) -> Result<(Vec<Recorded>, Scenario), String> {
        let begun = Instant::now();
        let found = self.found();
        let tidy: Vec<Recorded> = shorten(self.violation).iter().map(recorded).collect();
        let (mut steps, mut scenario) = match self.execute(&tidy) {
            Ok(scenario) => (tidy, scenario),
            Err(_) => {
                let scenario = self.execute(&found)?;
                (found, scenario)
            }
        };
        self.job.phase("shortening a failing run");
        self.note(&steps, &scenario);
        let last = steps.last().map(|s| s.who);
        let mut threads: Vec<usize> = steps.iter().map(|s| s.who).filter(|w| Some(*w) != last).collect();
        threads.sort_unstable();
        threads.dedup();
        for who in threads.into_iter().rev() {
            let mut count = steps.iter().filter(|s| s.who == who).count();
            let mut leave = count;
            while leave > 0 {
                if begun.elapsed() > PATIENCE || self.job.is_raised() {
                    return Ok((steps, scenario));
                }
                let fewer = without_last(&steps, who, leave);
                match self.execute(&fewer) {
                    Ok(again) => {
                        (steps, scenario) = (fewer, again);
                        count -= leave;
                        leave = leave.min(count);
                    }
                    Err(_) => leave /= 2,
                }
            }
        }
        Ok((steps, scenario))
    }

    fn found(&self) -> Vec<Recorded> {
        self.violation.schedule.iter().map(recorded).collect()
    }

    /// It failed again: that is not lost if the rest takes too long.
    fn note(&self, steps: &[Recorded], scenario: &Scenario) {
        if self.job.board().failing.is_none() {
            let shown = self.shown(steps.to_vec(), scenario.clone());
            self.job.board().failing = Some(shown);
        }
    }

    fn shown(&self, steps: Vec<Recorded>, scenario: Scenario) -> RunViolation {
        let failure = scenario.failure.as_ref().unwrap_or(&self.violation.failure);
        let (kind, message) = (failure.kind.name(), failure.message.clone());
        let recording = self.recording(steps, &message);
        RunViolation { kind, message, scenario, recording }
    }

    fn unrepeated(&self, why: String) -> Unrepeated {
        let failure = &self.violation.failure;
        let why = format!("{} was not seen again: {why}", failure.kind.name());
        Unrepeated { why, recording: self.recording(self.found(), &failure.message) }
    }

    fn recording(&self, steps: Vec<Recorded>, message: &str) -> RunRecording {
        let text = |words: &[OsString]| words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
        let request = self.request;
        RunRecording {
            program: request.program.to_string_lossy().into_owned(),
            arguments: text(&request.arguments),
            defines: request.defines.clone(),
            flags: request.flags.clone(),
            spurious: request.spurious,
            ordered: request.ordered,
            input: self.subject.program.input.as_ref().map(|i| i.bytes()).unwrap_or_default(),
            known: self.violation.known.clone(),
            steps,
            kind: self.violation.failure.kind.name().to_string(),
            message: message.to_string(),
        }
    }
}

fn recorded(t: &Transition<Op>) -> Recorded {
    Recorded { who: t.who, outcome: t.outcome, operation: t.op.name().to_string() }
}

/// The steps without the last `leave` of one thread.
fn without_last(steps: &[Recorded], who: usize, leave: usize) -> Vec<Recorded> {
    let count = steps.iter().filter(|s| s.who == who).count();
    let mut seen = 0;
    let keep = |s: &&Recorded| {
        seen += usize::from(s.who == who);
        s.who != who || seen <= count - leave
    };
    steps.iter().filter(keep).cloned().collect()
}

//! Failing runs as they are shown: shortened, and executed once more. What does not fail again is not shown.

use super::{ProgramRequest, RunRecording, RunViolation, Subject, options};
use crate::watch::Interrupt;
use native::explore::Explored;
use native::operation::Op;
use native::report::{Failure, Violation};
use native::scenario::{self, Recorded, Scenario};
use native::search::{Transition, shorten};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// How long to try to leave more out of a run.
const PATIENCE: Duration = Duration::from_secs(20);

/// The violations that fail again, and what became of the others.
pub(super) fn confirmed(
    request: &ProgramRequest,
    subject: &Subject,
    explored: &Explored,
    job: &Interrupt,
) -> (Vec<RunViolation>, Vec<String>) {
    let mut violations = Vec::new();
    let mut unconfirmed = Vec::new();
    for violation in &explored.report.violations {
        let again = Again { request, subject, explored, failure: &violation.failure, job };
        match again.shortest(violation) {
            Ok((steps, scenario)) => violations.push(again.shown(steps, scenario)),
            Err(what) => {
                unconfirmed.push(format!("{} was not seen again: {what}", violation.failure.kind.name()))
            }
        }
    }
    (violations, unconfirmed)
}

/// Executes runs again that should fail.
struct Again<'a> {
    request: &'a ProgramRequest,
    subject: &'a Subject,
    explored: &'a Explored,
    failure: &'a Failure,
    job: &'a Interrupt,
}

impl Again<'_> {
    fn execute(&self, steps: &[Recorded]) -> Result<Scenario, String> {
        let (program, options) = (&self.subject.program, options(self.request));
        match scenario::replay(program, options, &self.explored.known, steps) {
            Ok(scenario) if scenario::confirms(&scenario, self.failure) => Ok(scenario),
            Ok(scenario) => Err(scenario.failure.map_or("nothing wrong".to_string(), |f| f.message)),
            Err(trouble) => Err(trouble.to_string()),
        }
    }

    /// The run in an equivalent order with few changes of thread; then without what threads did towards the end, as long as it fails.
    fn shortest(&self, violation: &Violation<Op>) -> Result<(Vec<Recorded>, Scenario), String> {
        let begun = Instant::now();
        let found: Vec<Recorded> = violation.schedule.iter().map(recorded).collect();
        let tidy: Vec<Recorded> = shorten(violation).iter().map(recorded).collect();
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

    /// It failed again: that is not lost if the rest takes too long.
    fn note(&self, steps: &[Recorded], scenario: &Scenario) {
        if self.job.board().failing.is_none() {
            let shown = self.shown(steps.to_vec(), scenario.clone());
            self.job.board().failing = Some(shown);
        }
    }

    fn shown(&self, steps: Vec<Recorded>, scenario: Scenario) -> RunViolation {
        let text = |words: &[OsString]| words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
        let (request, failure) = (self.request, self.failure);
        RunViolation {
            kind: failure.kind.name(),
            message: failure.message.clone(),
            scenario,
            recording: RunRecording {
                program: request.program.to_string_lossy().into_owned(),
                arguments: text(&request.arguments),
                defines: request.defines.clone(),
                flags: request.flags.clone(),
                spurious: request.spurious,
                ordered: request.ordered,
                known: self.explored.known.clone(),
                steps,
                kind: failure.kind.name().to_string(),
                message: failure.message.clone(),
            },
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

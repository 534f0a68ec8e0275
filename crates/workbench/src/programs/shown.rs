//! Failing runs as they are shown: shortened, and executed once more. What does not fail again is
//! not shown.

use super::{ProgramRequest, Subject, Unrepeated};
use crate::answer::{Kind, Violation};
use crate::executor::Executor;
use crate::executor::program::{ProgramExecutor, ending};
use crate::failure::Open;
use crate::listener::Interrupt;
use crate::recording::Recording;
use crate::report::{Failed, Report};
use explore::stateless::{self, Spot, Transition, Way, shorten};
use native::explore::Explored;
use native::operation::Pending;
use native::steps::{confirms, numbered};
use native::symbols::Symbols;
use space::Step;
use std::time::{Duration, Instant};

/// How long to try to leave more out of a run.
const PATIENCE: Duration = Duration::from_secs(20);

/// Failing runs: those that fail again, and those that do not.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) violations: Vec<Violation>,
    pub(super) unrepeated: Vec<Unrepeated>,
}

pub(super) fn shown(
    request: &ProgramRequest,
    subject: &Subject,
    explored: &Explored,
    job: &Interrupt,
) -> Shown {
    let mut shown = Shown::default();
    let symbols = Symbols::new(&subject.program.path, explored.base);
    let certain =
        |v: &&stateless::Violation<_, _>| uncertain_race(request, explored, &symbols, &v.failure).is_none();
    for violation in explored.report.violations.iter().filter(certain) {
        let again = Again { request, subject, violation, job };
        match again.shortest() {
            Ok((steps, executed)) => shown.violations.push(again.shown(steps, executed)),
            Err(what) => shown.unrepeated.push(again.unrepeated(what.0)),
        }
    }
    for violation in &explored.report.unrepeated {
        let again = Again { request, subject, violation, job };
        shown.unrepeated.push(again.unrepeated("the same steps end differently".to_string()));
    }
    shown
}

/// Why a race may be none: code that is not instrumented may order the two accesses, by atomic
/// instructions that it has; or a library counts the uses of what it frees.
pub(super) fn uncertain_race(
    request: &ProgramRequest,
    explored: &Explored,
    symbols: &Symbols,
    failure: &stateless::Failure,
) -> Option<String> {
    let race = failure.race.as_ref()?.race;
    let frees_unseen = |spot: &Spot| spot.way == Way::Free && !symbols.covers(spot.pc);
    if [race.first, race.second].iter().any(frees_unseen) {
        return Some("race: a library frees the memory, and may know that it is not used".to_string());
    }
    let function = explored.unseen.functions.first().filter(|_| explored.shares.any())?;
    let why = format!("race: `{function}`, which is not instrumented, may order the accesses");
    (!request.assume_unseen).then_some(why)
}

/// Executes runs again that should fail.
struct Again<'a> {
    request: &'a ProgramRequest,
    subject: &'a Subject,
    violation: &'a native::explore::Violation,
    job: &'a Interrupt,
}

impl Again<'_> {
    fn execute(&self, steps: &[Step]) -> Result<Executed, Open> {
        let (program, known) = (&self.subject.program, self.violation.known.clone());
        let races_matter = self.request.races_matter;
        let open = |trouble: stateless::Trouble| Open(trouble.to_string());
        let mut executor = ProgramExecutor::new(self.request, program, known, races_matter).map_err(open)?;
        executor.shows_race = self.violation.failure.kind == stateless::Kind::Race;
        executor.execute(steps).map_err(open)?;
        let failure = executor.failed();
        match confirms(failure.as_ref(), &self.violation.failure) {
            true => Ok(Executed {
                recording: executor.origin(),
                report: executor.report(None),
                steps: executor.steps().to_vec(),
            }),
            false => Err(Open(failure.map_or("nothing wrong".to_string(), |f| f.message))),
        }
    }

    /// The run in an equivalent order with few changes of thread; then without what threads did
    /// towards the end, as long as it fails.
    fn shortest(&self) -> Result<(Vec<Step>, Executed), Open> {
        let begun = Instant::now();
        let found = self.found();
        let tidy: Vec<Step> = shorten(self.violation).iter().map(step).collect();
        let mut executed = self.execute(&tidy).or_else(|_| self.execute(&found))?;
        let mut steps = executed.steps.clone();
        self.job.phase("shortening a failing run");
        self.note(&steps, &executed);
        let last = steps.last().map(|s| s.actor);
        let mut threads: Vec<usize> = steps.iter().map(|s| s.actor).filter(|w| Some(*w) != last).collect();
        threads.sort_unstable();
        threads.dedup();
        for who in threads.into_iter().rev() {
            let mut count = steps.iter().filter(|s| s.actor == who).count();
            let mut leave = count;
            while leave > 0 {
                if begun.elapsed() > PATIENCE || self.job.is_raised() {
                    return Ok((steps, executed));
                }
                let fewer = without_last(&steps, who, leave);
                match self.execute(&fewer) {
                    Ok(again) => {
                        (steps, executed) = (again.steps.clone(), again);
                        count = steps.iter().filter(|s| s.actor == who).count();
                        leave = leave.min(count);
                    }
                    Err(_) => leave /= 2,
                }
            }
        }
        Ok((steps, executed))
    }

    fn found(&self) -> Vec<Step> {
        self.violation.schedule.iter().map(step).collect()
    }

    /// It failed again: that is not lost if the rest takes too long.
    fn note(&self, steps: &[Step], executed: &Executed) {
        if self.job.board().violation.is_none() {
            let shown = self.shown(steps.to_vec(), executed.clone());
            self.job.board().violation = Some(shown);
        }
    }

    fn shown(&self, steps: Vec<Step>, executed: Executed) -> Violation {
        let failure = &self.violation.failure;
        let message = executed.report.failure.as_ref().map_or(&failure.message, |f| &f.message).clone();
        let kind = Kind::from(failure.kind);
        Violation {
            kind,
            property: kind.name().to_string(),
            location: None,
            recording: self.recording(steps, &message, executed.recording),
            message,
            trace: executed.report,
            shortest: false,
            at_end: Vec::new(),
            course: None,
        }
    }

    fn unrepeated(&self, why: String) -> Unrepeated {
        let failure = &self.violation.failure;
        let why = format!("{} was not seen again: {why}", failure.kind.name());
        let (program, known) = (&self.subject.program, self.violation.known.clone());
        let origin = crate::executor::program::origin(self.request, program, known);
        Unrepeated { why, recording: self.recording(self.found(), &failure.message, origin) }
    }

    fn recording(&self, steps: Vec<Step>, message: &str, origin: Recording) -> Recording {
        let kind = self.violation.failure.kind;
        Recording {
            steps,
            ending: ending(kind),
            failure: Some(Failed { kind: kind.name().to_string(), message: message.to_string() }),
            ..origin
        }
    }
}

/// A failing run that failed again.
#[derive(Clone)]
struct Executed {
    recording: Recording,
    report: Report,
    /// Those that were taken: a race is over before the run is.
    steps: Vec<Step>,
}

fn step(t: &Transition<Pending>) -> Step {
    numbered(t.who, t.outcome, t.op.name())
}

/// The steps without the last `leave` of one thread.
fn without_last(steps: &[Step], who: usize, leave: usize) -> Vec<Step> {
    let count = steps.iter().filter(|s| s.actor == who).count();
    let mut seen = 0;
    let keep = |s: &&Step| {
        seen += usize::from(s.actor == who);
        s.actor != who || seen <= count - leave
    };
    steps.iter().filter(keep).cloned().collect()
}

//! Real programs: what can be asked of `weave run`, and which verdict follows from what was found.

use crate::failure::Failure;
use crate::request::Define;
use crate::result::Verdict;
use crate::watch::Interrupt;
use native::compile::{Built, build, is_source};
pub use native::execution::{Known, SetName};
use native::execution::{Options, Race};
use native::explore::{Explored, Plan, explore};
use native::launch::Program;
use native::report::Trouble;
use native::scenario;
pub use native::scenario::{Recorded, Scenario, Scene};
use native::search::Bounds;
pub use native::search::Reduction;
pub use native::symbols::Place;
use native::symbols::Symbols;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Explore every interleaving of a program.
#[derive(Clone, Debug)]
pub struct ProgramRequest {
    /// A program, or a source file to be compiled first.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub defines: Vec<Define>,
    pub flags: Vec<String>,
    pub reduction: Reduction,
    pub depth: Option<usize>,
    pub max_runs: Option<u64>,
    pub timeout: Option<Duration>,
    pub divergence: Duration,
    pub livelock: Option<usize>,
    pub keep_going: bool,
    pub exit_matters: bool,
    pub races_matter: bool,
    pub trust: bool,
    pub memory: u64,
}

impl Default for ProgramRequest {
    fn default() -> ProgramRequest {
        ProgramRequest {
            program: PathBuf::new(),
            arguments: Vec::new(),
            defines: Vec::new(),
            flags: Vec::new(),
            reduction: Reduction::Dpor,
            depth: Some(10_000),
            max_runs: None,
            timeout: None,
            divergence: Duration::from_secs(2),
            livelock: None,
            keep_going: false,
            exit_matters: false,
            races_matter: false,
            trust: false,
            memory: 4 << 30,
        }
    }
}

/// Where a search stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunProgress {
    pub runs: u64,
    pub explored: u64,
    pub depth: u64,
    pub seconds: f64,
}

/// What went wrong, and the run that shows it, executed once more.
#[derive(Clone, Debug)]
pub struct RunViolation {
    pub kind: &'static str,
    pub message: String,
    pub scenario: Scenario,
    pub recording: RunRecording,
}

/// A run as it is written to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecording {
    pub program: String,
    pub arguments: Vec<String>,
    pub defines: Vec<Define>,
    pub flags: Vec<String>,
    pub known: Known,
    pub steps: Vec<Recorded>,
    pub kind: String,
    pub message: String,
}

#[derive(Clone, Debug)]
pub struct ProgramResult {
    pub verdict: Verdict,
    pub reason: String,
    pub exhausted: bool,
    pub interrupted: bool,
    pub runs: u64,
    pub terminated: u64,
    pub deadlocks: u64,
    pub failing: u64,
    pub blocked_runs: u64,
    pub explored: u64,
    pub executed: u64,
    pub depth: u64,
    pub races: Vec<String>,
    pub assumes: Vec<String>,
    pub uncontrolled: Vec<String>,
    pub violations: Vec<RunViolation>,
    pub contained: bool,
    pub seconds: f64,
}

impl ProgramResult {
    pub fn runs_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.runs as f64 / self.seconds } else { 0.0 }
    }
}

/// The program itself, compiled if it is a source file.
struct Subject {
    program: Program,
    _built: Option<Built>,
}

fn subject(request: &ProgramRequest) -> Result<Subject, Failure> {
    let file = |message: String| Failure::File { path: request.program.clone(), message };
    let path = request.program.canonicalize().map_err(|e| file(e.to_string()))?;
    let program = |path| Program {
        path,
        arguments: request.arguments.clone(),
        trust: request.trust,
        memory: request.memory,
    };
    if !is_source(&path) {
        return Ok(Subject { program: program(path), _built: None });
    }
    let defines = request.defines.iter().map(|d| format!("-D{}", d.text()));
    let flags: Vec<String> = request.flags.iter().cloned().chain(defines).collect();
    match build(&path, &flags).map_err(|e| file(e.to_string()))? {
        Ok(built) => Ok(Subject { program: program(built.program.clone()), _built: Some(built) }),
        Err(refusal) => Err(file(format!("the compiler refuses it\n{}", refusal.trim_end()))),
    }
}

fn options(request: &ProgramRequest) -> Options {
    Options {
        exit_matters: request.exit_matters,
        races_matter: request.races_matter,
        divergence: request.divergence,
    }
}

pub fn run_program(
    request: &ProgramRequest,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&RunProgress),
) -> Result<ProgramResult, Failure> {
    let subject = subject(request)?;
    let begun = Instant::now();
    let plan = Plan {
        program: subject.program.clone(),
        reduction: request.reduction,
        bounds: Bounds {
            depth: request.depth,
            runs: request.max_runs,
            keep_going: request.keep_going,
            livelock: request.livelock,
        },
        options: options(request),
    };
    let mut told = Instant::now();
    let mut go_on = |report: &native::report::Report<_>| {
        if told.elapsed() >= Duration::from_millis(200) {
            told = Instant::now();
            let seconds = begun.elapsed().as_secs_f64();
            let depth = report.depth as u64;
            tell(&RunProgress { runs: report.runs(), explored: report.explored, depth, seconds });
        }
        !interrupt.is_raised() && request.timeout.is_none_or(|most| begun.elapsed() < most)
    };
    let explored = explore(&plan, &mut go_on).map_err(|t| refused(request, &t))?;
    let seconds = begun.elapsed().as_secs_f64();
    let (violations, unconfirmed) = confirmed(request, &subject, &explored);
    let doubt = doubt(request, &explored, &unconfirmed, interrupt.is_raised());
    Ok(ProgramResult {
        interrupted: interrupt.is_raised(),
        ..result(&subject, explored, violations, doubt, seconds)
    })
}

fn refused(request: &ProgramRequest, trouble: &Trouble) -> Failure {
    Failure::File { path: request.program.clone(), message: trouble.to_string() }
}

/// Each violation, executed once more in a new process; what does not fail again is not shown.
fn confirmed(
    request: &ProgramRequest,
    subject: &Subject,
    explored: &Explored,
) -> (Vec<RunViolation>, Vec<String>) {
    let mut violations = Vec::new();
    let mut unconfirmed = Vec::new();
    for violation in &explored.report.violations {
        let step = |t: &native::search::Transition<native::operation::Op>| Recorded {
            who: t.who,
            outcome: t.outcome,
            operation: t.op.name().to_string(),
        };
        let steps: Vec<Recorded> = violation.schedule.iter().map(step).collect();
        let again = scenario::replay(&subject.program, options(request), &explored.known, &steps);
        let scenario = match again {
            Ok(scenario) if scenario::confirms(&scenario, &violation.failure) => scenario,
            Ok(scenario) => {
                let found = scenario.failure.map_or("nothing wrong".to_string(), |f| f.message);
                unconfirmed.push(format!("{} was not seen again: {found}", violation.failure.kind.name()));
                continue;
            }
            Err(trouble) => {
                unconfirmed.push(format!("{} was not seen again: {trouble}", violation.failure.kind.name()));
                continue;
            }
        };
        let text = |words: &[OsString]| words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
        violations.push(RunViolation {
            kind: violation.failure.kind.name(),
            message: violation.failure.message.clone(),
            scenario,
            recording: RunRecording {
                program: request.program.to_string_lossy().into_owned(),
                arguments: text(&request.arguments),
                defines: request.defines.clone(),
                flags: request.flags.clone(),
                known: explored.known.clone(),
                steps,
                kind: violation.failure.kind.name().to_string(),
                message: violation.failure.message.clone(),
            },
        });
    }
    (violations, unconfirmed)
}

fn result(
    subject: &Subject,
    explored: Explored,
    violations: Vec<RunViolation>,
    doubt: Option<String>,
    seconds: f64,
) -> ProgramResult {
    let report = &explored.report;
    let (verdict, reason) = match (violations.first(), doubt) {
        (Some(first), _) => (Verdict::Violated, format!("{}: {}", first.kind, first.message)),
        (None, Some(doubt)) => (Verdict::Unknown, doubt),
        (None, None) => (Verdict::Holds, format!("all {} runs end well", report.runs())),
    };
    ProgramResult {
        verdict,
        reason,
        exhausted: report.exhausted,
        interrupted: false,
        runs: report.runs(),
        terminated: report.terminated,
        deadlocks: report.deadlocks,
        failing: report.failing,
        blocked_runs: report.blocked + report.expired,
        explored: report.explored,
        executed: report.executed,
        depth: report.depth as u64,
        races: races(subject, &explored),
        assumes: assumes(&explored),
        uncontrolled: explored.uncontrolled,
        violations,
        contained: explored.contained,
        seconds,
    }
}

/// Why nothing found is not yet everything well.
fn doubt(
    request: &ProgramRequest,
    explored: &Explored,
    unconfirmed: &[String],
    interrupted: bool,
) -> Option<String> {
    let report = &explored.report;
    if let Some(trouble) = &explored.trouble {
        return Some(trouble.to_string());
    }
    if let Some(unconfirmed) = unconfirmed.first() {
        return Some(format!("nondeterminism: {unconfirmed}"));
    }
    if interrupted {
        return Some("interrupted".to_string());
    }
    if !explored.uncontrolled.is_empty() {
        return Some(format!("uncontrolled: {}", explored.uncontrolled.join(", ")));
    }
    if let Some(bound) = &report.bounded {
        let timeout = report.stopped && request.timeout.is_some();
        return Some(if timeout { "timeout".to_string() } else { format!("bounded: {bound}") });
    }
    if request.livelock.is_some() && request.reduction != Reduction::None {
        return Some("bounded: only --reduction none sees every livelock".to_string());
    }
    (!report.exhausted).then(|| "bounded: not everything was seen".to_string())
}

/// Both places of each race, by line.
fn races(subject: &Subject, explored: &Explored) -> Vec<String> {
    let symbols = Symbols::new(&subject.program.path, explored.base);
    let access = |pc: u64, write: bool| {
        let place = symbols
            .place(pc)
            .map_or(format!("{pc:#x}"), |p| format!("{}:{} in {}", p.file, p.line, p.function));
        format!("{} at {place}", if write { "write" } else { "read" })
    };
    let race =
        |r: &Race| format!("{}, {}", access(r.first, r.first_writes), access(r.second, r.second_writes));
    let mut all: Vec<String> = explored.races.iter().map(race).collect();
    all.sort();
    all.dedup();
    all
}

fn assumes(explored: &Explored) -> Vec<String> {
    let mut all = vec!["sequential consistency".to_string()];
    if !explored.instrumented {
        all.push("no data races: the program is not instrumented".to_string());
    }
    all.push("files and other system calls carry no information between threads".to_string());
    all.extend(explored.assumes.iter().cloned());
    all
}

/// Executes a recorded run again.
pub fn replay_program(recording: &RunRecording, request: &ProgramRequest) -> Result<Scenario, Failure> {
    let subject = subject(request)?;
    scenario::replay(&subject.program, options(request), &recording.known, &recording.steps)
        .map_err(|t| refused(request, &t))
}

//! Real programs: what can be asked of `weave run`, and the answer.
//!
//! `defined`: definitions that are not used. `verdict`: what follows from what was found. `shown`:
//! the failing runs, executed once more. A program is run step by step by
//! [`crate::executor::program`].

mod defined;
mod shown;
mod verdict;

use crate::answer::{Answer, Numbers};
use crate::failure::Failure;
use crate::listener::{Interrupt, Progress};
use crate::model::describe;
use crate::question::{Define, Question};
use crate::recording::{Launch, Recording};
use crate::reduction::ReductionKind;
use crate::report::Ending;
use crate::verdict::conclude;
use explore::Stop;
pub use explore::stateless::sample::{About, Estimate, Sampling};
use explore::stateless::{Bounds, Trouble};
pub use native::compile::is_source;
use native::compile::{Built, build};
use native::execution::Options;
pub use native::execution::{Known, SetName};
use native::explore::{Plan, explore};
pub use native::launch::is_hidden;
use native::launch::{Input, Program};
pub use native::steps::numbered;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A program, how it is started and what of it matters.
#[derive(Clone, Debug)]
pub struct ProgramRequest {
    /// A program, or a source file to be compiled first.
    pub program: PathBuf,
    /// The arguments of the program.
    pub arguments: Vec<OsString>,
    /// Macros for the compiler.
    pub defines: Vec<Define>,
    /// More options for the compiler.
    pub flags: Vec<String>,
    /// After this CPU time without a visible operation a thread diverges.
    pub divergence: Duration,
    /// After this many states in which a thread cannot move, it is a livelock.
    pub livelock: Option<usize>,
    /// Whether an exit status other than 0 is a failure.
    pub exit_matters: bool,
    /// Whether data races are failures.
    pub races_matter: bool,
    /// How often a thread's waits on condition variables may end by themselves.
    pub spurious: u32,
    /// Sleeping orders.
    pub ordered: bool,
    /// Whether the program runs even if it cannot be contained.
    pub trust: bool,
    /// Memory that is not seen carries nothing: what is shared is ordered by the operations seen.
    pub assume_unseen: bool,
    /// Threads share nothing through library functions that are not modelled.
    pub assume_calls: bool,
    /// Our own standard input is the program's.
    pub input: bool,
    /// Address space of each process.
    pub memory: u64,
    /// How often a thread that could go on may be put aside for another.
    pub preemptions: Option<usize>,
    /// Runs at random instead of a search.
    pub sampling: Option<Sampling>,
}

impl Default for ProgramRequest {
    fn default() -> ProgramRequest {
        ProgramRequest {
            program: PathBuf::new(),
            arguments: Vec::new(),
            defines: Vec::new(),
            flags: Vec::new(),
            divergence: Duration::from_secs(2),
            livelock: None,
            exit_matters: false,
            races_matter: true,
            spurious: 0,
            ordered: false,
            trust: false,
            assume_unseen: false,
            assume_calls: false,
            input: false,
            memory: 4 << 30,
            preemptions: None,
            sampling: None,
        }
    }
}

/// Where the exploration of a program stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunProgress {
    /// How many runs are complete.
    pub runs: u64,
    /// How many transitions the tree of runs has so far.
    pub explored: u64,
}

/// A run that failed once, and not when it was executed again.
#[derive(Clone, Debug)]
pub struct Unrepeated {
    /// What differed when it was executed again.
    pub why: String,
    /// The run, to be written to a file.
    pub recording: Recording,
}

/// The program itself, compiled if it is a source file.
pub(crate) struct Subject {
    pub(crate) program: Program,
    _built: Option<Built>,
}

/// The program of a recorded run: with the standard input that it had then.
pub(crate) fn subject_of(request: &ProgramRequest, launch: Option<&Launch>) -> Result<Subject, Failure> {
    let input = match launch.map_or(&[][..], |l| &l.input) {
        [] => None,
        bytes => {
            let kept = Input::of(bytes).map_err(|e| Failure::Request(format!("standard input: {e}")))?;
            Some(Arc::new(kept))
        }
    };
    subject_with(request, input)
}

fn subject_with(request: &ProgramRequest, input: Option<Arc<Input>>) -> Result<Subject, Failure> {
    let file = |message: String| Failure::File { path: request.program.clone(), message };
    let path = request.program.canonicalize().map_err(|e| file(describe(&e)))?;
    let program = |path, built| Program {
        path,
        arguments: request.arguments.clone(),
        trust: request.trust,
        memory: request.memory,
        input: input.clone(),
        built,
    };
    if !is_source(&path) {
        return Ok(Subject { program: program(path, false), _built: None });
    }
    let defines = request.defines.iter().map(|d| format!("-D{}", d.text()));
    let flags: Vec<String> = request.flags.iter().cloned().chain(defines).collect();
    match build(&path, &flags).map_err(|e| file(e.to_string()))? {
        Ok(built) => {
            let folder = built.program.parent().unwrap_or(&path);
            if let Some(idle) = defined::unused(&path, &request.defines, &flags, folder) {
                let (text, name) = (idle.text(), &idle.name);
                return Err(Failure::Request(format!("-D {text}: the program does not use `{name}`")));
            }
            Ok(Subject { program: program(built.program.clone(), true), _built: Some(built) })
        }
        Err(refusal) => Err(file(refused_by_compiler(&refusal))),
    }
}

/// What the compiler says, without the folder that everything stands in, and what to do.
fn refused_by_compiler(refusal: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let said = refusal.trim_end().replace(&format!("{}/", here.display()), "");
    let help = match said.contains("reference to `main'") {
        true => "a program begins with `int main(void)`, which starts the threads to be explored",
        false => "correct the first error that the compiler names; `--cflags` gives it options",
    };
    format!("the compiler refuses it\n{said}\nhelp: {help}")
}

/// Our own standard input, awaited as long as the search may last.
fn input(
    request: &ProgramRequest,
    time: Option<Duration>,
    interrupt: &Interrupt,
) -> Result<Option<Arc<Input>>, Failure> {
    if !request.input {
        return Ok(None);
    }
    let (interrupt, begun) = (interrupt.clone(), Instant::now());
    let go_on = move || !interrupt.is_raised() && time.is_none_or(|most| begun.elapsed() < most);
    let input = Input::standard(go_on).map_err(|e| Failure::Request(format!("standard input: {e}")))?;
    Ok(Some(Arc::new(input)))
}

pub(crate) fn options(request: &ProgramRequest) -> Options {
    Options {
        exit_matters: request.exit_matters,
        races_matter: request.races_matter,
        spurious: request.spurious,
        ordered: request.ordered,
        divergence: request.divergence,
    }
}

/// Explores the runs of a program.
pub fn check(
    request: &ProgramRequest,
    question: &Question,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Answer, Failure> {
    interrupt.phase("compiling the program");
    let time = question.limits.time;
    let subject = subject_with(request, input(request, time, interrupt)?)?;
    interrupt.phase("searching");
    let begun = Instant::now();
    let plan = Plan {
        program: subject.program.clone(),
        reduction: reduction(question),
        bounds: Bounds {
            limits: question.limits,
            keep_going: question.keep_going,
            livelock: request.livelock,
            preemptions: request.preemptions,
        },
        options: options(request),
        threads: question.threads.clamp(1, WORKERS),
        sampling: request.sampling,
        seed: question.seed,
    };
    let mut reported = Instant::now();
    let mut go_on = |report: &native::explore::Report| {
        if reported.elapsed() >= Duration::from_millis(200) {
            reported = Instant::now();
            let seconds = begun.elapsed().as_secs_f64();
            let depth = report.depth as u64;
            let now = RunProgress { runs: report.runs(), explored: report.explored };
            let reported = Progress { depth, seconds, runs: Some(now), ..Progress::default() };
            interrupt.board().progress = reported;
            tell(&reported);
        }
        !interrupt.is_raised() && time.is_none_or(|most| begun.elapsed() < most)
    };
    let explored = explore(&plan, &mut go_on).map_err(|t| refused(request, &t))?;
    let seconds = begun.elapsed().as_secs_f64();
    interrupt.phase("executing a failing run again");
    let shown = shown::shown(request, &subject, &explored, interrupt);
    let stopped = interrupt.asked().filter(|stop| *stop != Stop::Time);
    let unknown =
        verdict::why_unknown((request, question), (&subject, &explored), &shown.unrepeated, stopped);
    let found = verdict::found((request, question), &subject, explored, shown, unknown);
    let numbers = Numbers { seconds, ..found.numbers };
    Ok(conclude(Answer { interrupted: interrupt.is_interrupted(), numbers, ..found }))
}

/// More workers are of no use.
const WORKERS: usize = 64;

fn reduction(question: &Question) -> ReductionKind {
    question.reduction.kind.unwrap_or(ReductionKind::Dpor)
}

pub(crate) fn refused(request: &ProgramRequest, trouble: &Trouble) -> Failure {
    Failure::File { path: request.program.clone(), message: trouble.to_string() }
}

/// Executes a recorded run again and stops all its processes under gdb.
pub fn debug_program(recording: &Recording, request: &ProgramRequest) -> Result<(), Failure> {
    let launch = recording.program.as_ref();
    let subject = subject_of(request, launch)?;
    // A race is seen again only if it matters.
    let options = Options { races_matter: recording.ending == Ending::Race, ..options(request) };
    let known = launch.map(|l| l.known.clone()).unwrap_or_default();
    native::debug::debug(&subject.program, options, &known, &recording.steps)
        .map_err(|t| refused(request, &t))
}

/// Kills what was started and removes what was made, if this process is about to end in the middle
/// of its work.
pub fn clear_leftovers() {
    native::leftovers::clear();
}

/// Calls the compiler with what `weave run` needs besides; whether it was content.
pub fn compile(arguments: &[OsString]) -> Result<bool, Failure> {
    native::compile::cc(arguments)
        .map_err(|e| Failure::Request(format!("the compiler cannot be called: {e}")))
}

//! `weave run`: explore a real program.

use crate::cli::RunArgs;
use crate::exit::Exit;
use crate::output::{complain, event, line, out};
use crate::show::{self, program, run_chart};
use crate::style::Style;
use crate::{interrupt, json, reproduce, run_file};
use std::io::IsTerminal;
use std::path::PathBuf;
use workbench::programs::{
    ProgramRequest, ProgramResult, Reduction, RunProgress, RunRecording, Sampling, is_hidden, is_source,
    replay_program, run_program,
};
use workbench::{Failure, Limits};

pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let request = ProgramRequest { input: true, ..request(args) };
    if let Some(path) = &args.replay {
        let recording = run_file::read(path)?;
        return again(&recording, &request, args.gdb, &args.output);
    }
    warn_of_hidden(&request.program);
    let interrupt = interrupt::listen();
    let mut teller = Teller { json: args.output.json, quiet: args.output.quiet, told: 0.0, shown: false };
    let result = run_program(&request, &interrupt, &mut |p| teller.tell(p));
    teller.clear();
    let result = result?;
    interrupt.phase("writing the answer");
    if !result.contained && !args.output.json {
        complain("weave: warning: this machine has no user namespaces: the program was not contained");
    }
    let exit = Exit::of_program(&result);
    show(args, &result, exit);
    let exit = show::written(write(args, &result), exit);
    if let Some(violation) = result.violations.first().filter(|_| args.gdb) {
        interrupt.phase(super::IN_GDB);
        replay_program(&violation.recording, &request, true)?;
    }
    Ok(exit)
}

/// The failing run, or one that failed once, to a file if one is asked for.
pub(crate) fn write(args: &RunArgs, result: &ProgramResult) -> Result<(), Failure> {
    match (&args.question.trace, result.violations.first(), result.unrepeated.first()) {
        (Some(path), Some(failing), _) => run_file::write(path, &failing.recording, Some(&failing.scenario)),
        (Some(path), None, Some(once)) => run_file::write(path, &once.recording, None),
        _ => Ok(()),
    }
}

/// Address space of each process, unless another is given.
const MEMORY: u64 = 4 << 30;
/// More are of no use.
const WORKERS: u32 = 64;

pub(crate) fn request(args: &RunArgs) -> ProgramRequest {
    let (program, arguments) = args.words();
    ProgramRequest {
        program,
        arguments,
        defines: args.define.defines.clone(),
        flags: args.cflags.iter().flat_map(|f| f.split_whitespace()).map(str::to_string).collect(),
        reduction: match args.reduction() {
            "none" => Reduction::None,
            "sleep" => Reduction::Sleep,
            "persistent" => Reduction::Persistent,
            "persistent+sleep" => Reduction::PersistentSleep,
            _ => Reduction::Dpor,
        },
        limits: Limits { depth: Some(args.depth), runs: args.max_runs, ..args.question.limits.limits() },
        divergence: args.divergence,
        livelock: args.livelock,
        keep_going: args.question.keep_going,
        exit_matters: args.exit,
        races_matter: args.orders.races.as_deref() != Some("list"),
        spurious: args.orders.spurious_wakeups.unwrap_or(0),
        ordered: args.time == "ordered",
        trust: args.trust,
        assume_unseen: args.assume.iter().any(|what| what == "unseen-memory"),
        assume_calls: args.assume.iter().any(|what| what == "library-calls"),
        input: false,
        memory: args.question.limits.bounds.max_memory.unwrap_or(MEMORY),
        preemptions: args.preemptions,
        sampling: match args.estimate {
            true => Some(Sampling::Estimate { runs: args.max_runs.unwrap_or(400) }),
            false => args.sample,
        },
        seed: args.question.seed.unwrap_or(0),
        threads: args.question.threads.map(|n| n.min(WORKERS) as usize),
    }
}

/// Programs have some folders for themselves, empty at first.
fn warn_of_hidden(program: &std::path::Path) {
    let folder = program.canonicalize().ok().and_then(|p| p.parent().map(PathBuf::from));
    let of_program = folder.filter(|f| !is_source(program) && is_hidden(f));
    let working = std::env::current_dir().ok().filter(|f| is_hidden(f));
    for (what, folder) in [("the program's folder", of_program), ("the working folder", working)] {
        if let Some(folder) = folder {
            let folder = folder.display();
            complain(&format!("weave: warning: {what} is {folder}, which is empty for the program"));
        }
    }
}

pub(crate) fn show(args: &RunArgs, result: &ProgramResult, exit: Exit) {
    let reproduce = reproduce::command();
    let style = Style::of_stdout(args.output.full);
    if args.output.json {
        line(&json::program(result, args.reduction(), &reproduce, exit).to_string());
    } else if args.output.quiet {
        out(&program::headline(result, &style));
    } else {
        out(&program::result(result, args.reduction(), &reproduce, &style));
    }
}

/// Executes a recorded run again, and shows it.
pub(crate) fn again(
    recording: &RunRecording,
    request: &ProgramRequest,
    gdb: bool,
    output: &crate::cli::OutputArgs,
) -> Result<Exit, Failure> {
    interrupt::phase(if gdb { super::IN_GDB } else { "executing a recorded run" });
    let scenario = replay_program(recording, request, gdb)?;
    if gdb {
        return Ok(Exit::Good);
    }
    let style = Style::of_stdout(output.full);
    if output.json {
        line(&json::replayed(recording, &scenario, Exit::Good).to_string());
    } else {
        line(&format!("The run of {} steps ends with: {}", scenario.steps.len(), program::ending(&scenario)));
        if !output.quiet {
            out(&format!("\n{}", program::scenario(&scenario, &style)));
            out(&run_chart::chart(&scenario, &style));
        }
    }
    Ok(Exit::Good)
}

/// Tells of progress: a refreshed line for people, an event a second for programs.
struct Teller {
    json: bool,
    quiet: bool,
    told: f64,
    shown: bool,
}

impl Teller {
    fn tell(&mut self, p: &RunProgress) {
        if self.json {
            if p.seconds - self.told >= 1.0 {
                self.told = p.seconds;
                event(&format!("{}\n", json::run_progress(p)));
            }
        } else if !self.quiet && std::io::stderr().is_terminal() {
            self.shown = true;
            let rate = p.runs as f64 / p.seconds.max(0.001);
            let words =
                format!("{} runs, {} transitions, depth {}, {rate:.0} runs/s", p.runs, p.explored, p.depth);
            let _ =
                std::io::Write::write_all(&mut std::io::stderr(), format!("\r\u{1b}[K{words}").as_bytes());
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = std::io::Write::write_all(&mut std::io::stderr(), b"\r\x1b[K");
        }
    }
}

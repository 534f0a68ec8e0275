//! `weave run`: explore a real program.

use crate::cli::RunArgs;
use crate::commands::replay;
use crate::exit::Exit;
use crate::output::{complain, event, line, out};
use crate::shell::quote;
use crate::show::{self, program};
use crate::style::Style;
use crate::{interrupt, json, trace_file};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use workbench::Failure;
use workbench::executor::OpenRequest;
use workbench::programs::{
    ProgramRequest, ProgramResult, Reduction, RunProgress, Sampling, debug_program, is_hidden, is_source,
    run_program,
};

pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let request = ProgramRequest { input: true, ..request(args) };
    if let Some(path) = &args.replay {
        return replayed(args, path);
    }
    workbench::kind::fits("run", &request.program)?;
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
        debug_program(&violation.recording, &request)?;
    }
    Ok(exit)
}

/// The failing run, or one that failed once, to a file if one is asked for.
pub(crate) fn write(args: &RunArgs, result: &ProgramResult) -> Result<(), Failure> {
    match (&args.trace, result.violations.first(), result.unrepeated.first()) {
        (Some(path), Some(failing), _) => trace_file::write(path, &failing.recording, &failing.report),
        (Some(path), None, Some(once)) => trace_file::write(path, &once.recording, None),
        _ => Ok(()),
    }
}

/// Address space of each process, unless another is given.
const MEMORY: u64 = 4 << 30;

pub(crate) fn request(args: &RunArgs) -> ProgramRequest {
    let (program, arguments) = words(args);
    ProgramRequest {
        program,
        arguments,
        defines: args.defines.clone(),
        flags: args.cflags.iter().flat_map(|f| f.split_whitespace()).map(str::to_string).collect(),
        reduction: match args.reduction.as_str() {
            "none" => Reduction::None,
            "sleep" => Reduction::Sleep,
            "persistent" => Reduction::Persistent,
            "persistent+sleep" => Reduction::PersistentSleep,
            _ => Reduction::Dpor,
        },
        depth: Some(args.depth),
        max_runs: args.max_runs,
        timeout: args.timeout,
        divergence: args.divergence,
        livelock: args.livelock,
        keep_going: args.keep_going,
        exit_matters: args.exit,
        races_matter: args.races == "error",
        spurious: args.spurious_wakeups.unwrap_or(0),
        ordered: args.time == "ordered",
        trust: args.trust,
        assume_unseen: args.assume.iter().any(|what| what == "unseen-memory"),
        assume_calls: args.assume.iter().any(|what| what == "library-calls"),
        input: false,
        memory: args.max_memory.unwrap_or(MEMORY),
        preemptions: args.preemptions,
        sampling: match args.estimate {
            true => Some(Sampling::Estimate { runs: args.max_runs.unwrap_or(400) }),
            false => args.sample,
        },
        seed: args.seed,
        threads: args.threads.map(|n| n as usize),
    }
}

/// Programs have some folders for themselves, empty at first.
fn warn_of_hidden(program: &Path) {
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

/// The program and what it gets: `weave run PROGRAM -- ARGUMENTS` or `weave run -- PROGRAM ARGUMENTS`.
fn words(args: &RunArgs) -> (PathBuf, Vec<OsString>) {
    match (&args.program, args.arguments.split_first()) {
        (Some(program), _) => (program.clone(), args.arguments.clone()),
        (None, Some((program, arguments))) => (program.into(), arguments.to_vec()),
        (None, None) => (PathBuf::new(), Vec::new()),
    }
}

pub(crate) fn show(args: &RunArgs, result: &ProgramResult, exit: Exit) {
    let reproduce = reproduce(args);
    let style = Style::of_stdout(args.output.full);
    if args.output.json {
        line(&json::program(result, &args.reduction, &reproduce, exit).to_string());
    } else if args.output.quiet {
        out(&program::headline(result, &style));
    } else {
        out(&program::result(result, &args.reduction, &reproduce, &style));
    }
}

/// Executes a recorded run again, and shows it: `weave run --replay FILE PROGRAM`.
fn replayed(args: &RunArgs, path: &Path) -> Result<Exit, Failure> {
    let recording = trace_file::read(path)?;
    let (file, arguments) = words(args);
    let request = OpenRequest {
        file,
        arguments,
        defines: args.defines.clone(),
        flags: args.cflags.iter().flat_map(|f| f.split_whitespace()).map(str::to_string).collect(),
        trust: args.trust,
        guide: Some(recording.clone()),
    };
    if args.gdb {
        return replay::in_gdb(&recording, &request, None);
    }
    replay::again(&request, &recording, None, &args.output, &reproduce(args))
}

fn reproduce(args: &RunArgs) -> String {
    let mut words = vec!["weave run".to_string(), format!("--reduction {}", args.reduction)];
    let mut option = |name: &str, value: Option<String>| {
        words.extend(value.map(|v| format!("{name} {}", quote(&v))));
    };
    for define in &args.defines {
        option("-D", Some(define.text()));
    }
    option("--cflags", args.cflags.clone());
    option("--depth", (args.depth != 10_000).then(|| args.depth.to_string()));
    option("--races", (args.races != "error").then(|| args.races.clone()));
    option("--time", (args.time != "free").then(|| args.time.clone()));
    option("--livelock", args.livelock.map(|n| n.to_string()));
    option("--max-runs", args.max_runs.map(|n| n.to_string()));
    option("--preemptions", args.preemptions.map(|n| n.to_string()));
    option(
        "--sample",
        args.sample.map(|how| match how {
            Sampling::Pct { depth, runs } => format!("pct:{depth},{runs}"),
            Sampling::Random { runs } | Sampling::Estimate { runs } => format!("random:{runs}"),
        }),
    );
    option("--seed", (args.seed != 0).then(|| args.seed.to_string()));
    option("--timeout", args.timeout.map(|t| format!("{}s", t.as_secs_f64())));
    option("--max-memory", args.max_memory.map(workbench::verdict::size));
    option("--divergence", Some(format!("{}s", args.divergence.as_secs_f64())));
    let flags = [
        ("--keep-going", args.keep_going),
        ("--exit", args.exit),
        ("--trust", args.trust),
        ("--estimate", args.estimate),
    ];
    words.extend(args.assume.iter().map(|what| format!("--assume {what}")));
    words.extend(args.spurious_wakeups.map(|n| format!("--spurious-wakeups={n}")));
    words.extend(flags.iter().filter(|(_, given)| *given).map(|(name, _)| name.to_string()));
    let (program, arguments) = self::words(args);
    words.push(quote(&program.to_string_lossy()));
    if !arguments.is_empty() {
        words.push("--".to_string());
        words.extend(arguments.iter().map(|a| quote(&a.to_string_lossy())));
    }
    words.join(" ")
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

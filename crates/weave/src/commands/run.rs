//! `weave run`: explore a real program.

use super::answer;
use crate::cli::RunArgs;
use crate::commands::replay;
use crate::exit::Exit;
use crate::output::complain;
use crate::{interrupt, show, trace_file};
use std::path::{Path, PathBuf};
use workbench::programs::{ProgramRequest, Sampling, debug_program, is_hidden, is_source};
use workbench::shapes::Races;
use workbench::{Failure, Limits, Question, ReductionRequest, SubjectRequest};

pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let request = ProgramRequest { input: true, ..request(args) };
    if let Some(path) = &args.replay {
        return replayed(args, path);
    }
    warn_of_hidden(&request.program);
    let subject = SubjectRequest { program: Some(request.clone()), ..SubjectRequest::default() };
    let (subject, answer) = answer::ask(&subject, &question(args), args.output)?;
    let runs = answer.numbers.runs.as_ref();
    if runs.is_some_and(|runs| !runs.contained) && !args.output.json() {
        complain("weave: warning: this machine has no user namespaces: the program was not contained");
    }
    let exit = answer::show("run", &answer, &subject.map, args.output);
    let exit = show::written(answer::write(args.question.trace.as_deref(), &answer), exit);
    if let Some(failing) = answer.violations.first().filter(|_| args.gdb) {
        interrupt::phase(super::IN_GDB);
        debug_program(&failing.recording, &request)?;
    }
    Ok(exit)
}

/// Address space of each process, unless another is given.
const MEMORY: u64 = 4 << 30;

fn request(args: &RunArgs) -> ProgramRequest {
    let (program, arguments) = args.words();
    ProgramRequest {
        program,
        arguments,
        defines: args.define.defines.clone(),
        flags: args.cflags.iter().flat_map(|f| f.split_whitespace()).map(str::to_string).collect(),
        divergence: args.divergence,
        livelock: args.livelock,
        exit_matters: args.exit,
        races_matter: args.orders.races != Some(Races::List),
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
    }
}

fn question(args: &RunArgs) -> Question {
    let asked = args.question.question();
    Question {
        limits: Limits { depth: Some(args.depth), runs: args.max_runs, ..asked.limits },
        reduction: ReductionRequest { kind: args.orders.reduction, ..ReductionRequest::default() },
        ..asked
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

/// Executes a recorded run again, and shows it: `weave run --replay FILE PROGRAM`.
fn replayed(args: &RunArgs, path: &Path) -> Result<Exit, Failure> {
    let recording = trace_file::read(path)?;
    let program = Some(request(args));
    let request = SubjectRequest { program, ..SubjectRequest::default() }.after(&recording);
    if args.gdb {
        return replay::in_gdb(&recording, &request, None);
    }
    replay::again(&request, &recording, None, &args.output)
}

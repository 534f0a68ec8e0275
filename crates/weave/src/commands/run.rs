//! `weave run`: explore a real program.

use super::answer;
use crate::cli::RunArgs;
use crate::exit::Exit;
use crate::output::{complain, line, out};
use crate::show::{self, program, run_chart};
use crate::style::Style;
use crate::{interrupt, json, run_file};
use std::path::PathBuf;
use workbench::programs::{ProgramRequest, RunRecording, Sampling, is_hidden, is_source, replay_program};
use workbench::{Failure, Limits, Question, ReductionRequest, SubjectRequest};

pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let request = ProgramRequest { input: true, ..request(args) };
    if let Some(path) = &args.replay {
        let recording = run_file::read(path)?;
        return again(&recording, &request, args.gdb, &args.output);
    }
    warn_of_hidden(&request.program);
    let subject = SubjectRequest { program: Some(request.clone()), ..SubjectRequest::default() };
    let (subject, answer) = answer::ask(&subject, &question(args), args.output)?;
    let runs = answer.numbers.runs.as_ref();
    if runs.is_some_and(|runs| !runs.contained) && !args.output.json {
        complain("weave: warning: this machine has no user namespaces: the program was not contained");
    }
    let exit = answer::show("run", &answer, &subject.map, args.output);
    let exit = show::written(answer::write(args.question.trace.as_deref(), &answer), exit);
    let failing = runs.and_then(|runs| runs.failures.first()).filter(|_| args.gdb);
    if let Some(failing) = failing {
        interrupt::phase(super::IN_GDB);
        replay_program(&failing.recording, &request, true)?;
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
    }
}

fn question(args: &RunArgs) -> Question {
    let asked = args.question.question();
    Question {
        limits: Limits { depth: Some(args.depth), runs: args.max_runs, ..asked.limits },
        reduction: ReductionRequest { kind: args.orders.kind(), ..ReductionRequest::default() },
        ..asked
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

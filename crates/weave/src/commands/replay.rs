//! `weave replay`: execute a recorded run again and show it.

use crate::cli::{OutputArgs, ReplayArgs};
use crate::exit::Exit;
use crate::json::Shown;
use crate::output::{line, out};
use crate::style::Style;
use crate::units::plural;
use crate::{json, reproduce, show, trace_file};
use workbench::programs::debug_program;
use workbench::{Ending, Failure, Recording, Report, Session, Subject, SubjectRequest};

pub(crate) fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    crate::interrupt::phase("reading the trace");
    let recording = trace_file::read(&args.trace)?;
    let file = args.model.clone().unwrap_or_else(|| trace_file::model_path(&recording, &args.trace));
    let request = SubjectRequest::recorded(&recording, file);
    if args.gdb {
        return in_gdb(&recording, &request, args.step);
    }
    again(&request, &recording, args.step, &args.output)
}

/// Executes a recorded run again, and shows it.
pub(crate) fn again(
    request: &SubjectRequest,
    recording: &Recording,
    step: Option<usize>,
    output: &OutputArgs,
) -> Result<Exit, Failure> {
    crate::interrupt::phase("executing a recorded run");
    let reproduce = &reproduce::command();
    let subject = Subject::read(request)?;
    let mut session = Session::replay(subject.executor(Some(recording))?, recording)?;
    let mut report = session.report();
    let mut state = None;
    if let Some(step) = step {
        if !session.back_to(step)? {
            return Err(Failure::Request(format!("the run has only {}", plural(session.steps(), "step"))));
        }
        state = Some(session.variables());
        if recording.program.is_some() {
            report = session.report();
        }
    }
    let state = state.filter(|_| recording.program.is_none());
    if output.json() {
        let (state, exit) = (state.as_deref(), Exit::Good);
        let (command, report) = ("replay", &report);
        line(
            &json::run(&Shown { command, recording, report, state, moves: None, reproduce, exit })
                .to_string(),
        );
        return Ok(Exit::Good);
    }
    line(&headline(&report));
    if output.quiet {
        return Ok(Exit::Good);
    }
    match (&state, step) {
        (Some(state), Some(step)) => {
            line(&format!("\nAfter step {step}:"));
            out(&show::state(state));
        }
        _ => {
            out("\n");
            show::run(&report, &Style::of_stdout(output.full));
        }
    }
    line(&format!("\nreproduce: {reproduce}"));
    Ok(Exit::Good)
}

/// A program's run, up to its last step or the one asked for, in gdb.
pub(crate) fn in_gdb(
    recording: &Recording,
    request: &SubjectRequest,
    step: Option<usize>,
) -> Result<Exit, Failure> {
    let Some(program) = &request.program else {
        return Err(Failure::Request("--gdb is for runs of programs".to_string()));
    };
    crate::interrupt::phase(super::IN_GDB);
    let mut recording = recording.clone();
    recording.steps.truncate(step.unwrap_or(usize::MAX));
    debug_program(&recording, program)?;
    Ok(Exit::Good)
}

/// The first line: how the run ends.
pub(crate) fn headline(report: &Report) -> String {
    let steps = plural(report.steps.len(), "step");
    if let Some(failed) = &report.failure {
        return format!("The run of {steps} ends with: {}: {}", failed.kind, failed.message);
    }
    let fault = report.steps.last().and_then(|s| s.fault.as_deref());
    match report.ending {
        Ending::Fault => format!("The run of {steps} ends with: {}", fault.unwrap_or("an error")),
        Ending::Deadlock => format!("The run of {steps} ends in a deadlock"),
        Ending::Race => format!("The run of {steps} ends with a data race"),
        Ending::Lasso { loop_start } if loop_start == report.steps.len() => {
            format!("The run of {steps} idles in its last state without end")
        }
        Ending::Lasso { loop_start } => format!("The run of {steps} repeats from step {} on", loop_start + 1),
        Ending::End => format!("The run of {steps} ends with nothing wrong"),
        Ending::Open => format!("The run of {steps} could go on"),
    }
}

//! `weave replay`: show a recorded run again.

use crate::cli::ReplayArgs;
use crate::exit::Exit;
use crate::output::{line, out};
use crate::style::Style;
use crate::units::plural;
use crate::{commands, json, reproduce, run_file, show, trace_file};
use workbench::programs::ProgramRequest;
use workbench::prove::Source;
use workbench::simulate::state_at;
use workbench::transition;
use workbench::{Ending, Failure, Model, ModelRequest, Trace, Variable};

pub(crate) fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    crate::interrupt::phase("reading the trace");
    if run_file::is_run(&args.trace) {
        return program(args);
    }
    let recording = trace_file::read(&args.trace)?;
    let file = args.model.clone().unwrap_or_else(|| trace_file::model_path(&recording, &args.trace));
    crate::interrupt::phase("taking the run again");
    if workbench::prove::is_ours(&file) {
        let source = Source::read(std::slice::from_ref(&file), &[])?;
        let (trace, states) = transition::replay::replay(&source, &recording)?;
        let state = after(&trace, &states, args.step)?;
        return show_again(args, &trace, state.as_deref());
    }
    if workbench::shapes::is_ours(&file) {
        let (_, trace, states) = workbench::shapes::replay(&recording, &file)?;
        let state = after(&trace, &states, args.step)?;
        return show_again(args, &trace, state.as_deref());
    }
    let model =
        Model::read(&ModelRequest { file, defines: recording.defines.clone(), formulas: Vec::new() })?;
    let trace = recording.replay(&model)?;
    let state = args.step.map(|step| state_at(&model, &recording, step)).transpose()?;
    show_again(args, &trace, state.as_deref())
}

/// The state after a step, if one is asked for.
fn after(
    trace: &Trace,
    states: &[Vec<Variable>],
    step: Option<usize>,
) -> Result<Option<Vec<Variable>>, Failure> {
    let beyond = || Failure::Request(format!("the run has {} steps", trace.steps.len()));
    step.map(|step| states.get(step).cloned().ok_or_else(beyond)).transpose()
}

fn show_again(args: &ReplayArgs, trace: &Trace, state: Option<&[Variable]>) -> Result<Exit, Failure> {
    let style = Style::of_stdout(args.output.full);
    let reproduce = reproduce::command();
    if args.output.json {
        line(&json::run("replay", trace, state, &reproduce, Exit::Good).to_string());
        return Ok(Exit::Good);
    }
    line(&headline(trace));
    if args.output.quiet {
        return Ok(Exit::Good);
    }
    match state {
        Some(state) => {
            line(&format!("\nAfter step {}:", args.step.unwrap_or(0)));
            out(&show::state(state));
        }
        None => {
            out("\n");
            show::run(trace, &style);
        }
    }
    line(&format!("\nreproduce: {reproduce}"));
    Ok(Exit::Good)
}

/// A run of a program: executed again.
fn program(args: &ReplayArgs) -> Result<Exit, Failure> {
    let recording = run_file::read(&args.trace)?;
    let request = ProgramRequest {
        program: args.model.clone().unwrap_or_else(|| recording.program.clone().into()),
        arguments: recording.arguments.iter().map(Into::into).collect(),
        defines: recording.defines.clone(),
        flags: recording.flags.clone(),
        spurious: recording.spurious,
        ordered: recording.ordered,
        ..ProgramRequest::default()
    };
    let mut recording = recording;
    recording.steps.truncate(args.step.unwrap_or(usize::MAX));
    commands::run::again(&recording, &request, args.gdb, &args.output)
}

/// The first line: how the run ends.
pub(crate) fn headline(trace: &Trace) -> String {
    let steps = plural(trace.steps.len(), "step");
    let fault = trace.steps.last().and_then(|s| s.fault.as_deref());
    match trace.ending {
        Ending::Fault => format!("The run of {steps} ends with: {}", fault.unwrap_or("an error")),
        Ending::Deadlock => format!("The run of {steps} ends in a deadlock"),
        Ending::Race => format!("The run of {steps} ends with a data race"),
        Ending::Lasso { loop_start } if loop_start == trace.steps.len() => {
            format!("The run of {steps} rests in its last state for ever")
        }
        Ending::Lasso { loop_start } => format!("The run of {steps} repeats from step {} on", loop_start + 1),
        Ending::End => format!("The run of {steps} ends with every process at a valid end"),
        Ending::Open => format!("The run of {steps} could go on"),
    }
}

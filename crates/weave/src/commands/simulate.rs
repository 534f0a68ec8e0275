//! `weave simulate`: a run at random, step by step, or after a recorded one.

use crate::cli::SimulateArgs;
use crate::commands::{dialogue, interactive, replay};
use crate::exit::Exit;
use crate::json::Shown;
use crate::output::line;
use crate::style::Style;
use crate::{interrupt, json, reproduce, show, trace_file};
use workbench::executor::RunStatus;
use workbench::kind::{self, Language};
use workbench::programs::ProgramRequest;
use workbench::random::Random;
use workbench::{Choice, Failure, Recording, Session, Subject, SubjectRequest, Variable};

/// Every variable at the beginning, and what could have been chosen at each step.
type Choices = (Vec<Variable>, Vec<Choice>);

pub(crate) fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let interrupt = interrupt::listen();
    interrupt.phase("reading the model");
    let guide = args.guide.as_deref().map(trace_file::read).transpose()?;
    let subject = Subject::read(&request(args, guide.as_ref()))?;
    interrupt.phase("simulating");
    let mut session = Session::new(subject.executor(guide.as_ref())?)?;
    let mut random = Random::new(args.seed);
    begin(&mut session, &mut random, guide.as_ref(), args.interactive)?;
    if args.interactive && args.output.json() {
        dialogue::run(&mut session, &mut random, &interrupt)?;
        let exit = Exit::of_simulation(session.status(), interrupt.asked());
        let choices = session.choices()?;
        show(args, &session, Some(&choices), exit);
        return Ok(show::written(write(args, &session), exit));
    }
    if args.interactive {
        let style = Style::of_stdout(args.output.full);
        interactive::run(&mut session, &mut random, &style, &interrupt)?;
        return Ok(show::written(write(args, &session), Exit::Good));
    }
    session.wander(&mut random, args.steps, &|| !interrupt.is_raised())?;
    let exit = Exit::of_simulation(session.status(), interrupt.asked());
    show(args, &session, None, exit);
    Ok(show::written(write(args, &session), exit))
}

fn request(args: &SimulateArgs, guide: Option<&Recording>) -> SubjectRequest {
    let (file, defines) = (&args.model.file, &args.model.define.defines);
    let flags = args.cflags.iter().flat_map(|f| f.split_whitespace()).map(str::to_string).collect();
    let program = ProgramRequest {
        program: file.clone(),
        arguments: args.arguments.clone(),
        defines: defines.clone(),
        flags,
        trust: args.trust,
        ..ProgramRequest::default()
    };
    let request = SubjectRequest {
        files: vec![file.clone()],
        defines: defines.clone(),
        program: (kind::language(file) == Language::Program).then_some(program),
        ..SubjectRequest::default()
    };
    match guide {
        Some(guide) => request.after(guide),
        None => request,
    }
}

/// After the guide, or in some initial state.
fn begin(
    session: &mut Session<'_>,
    random: &mut Random,
    guide: Option<&Recording>,
    interactive: bool,
) -> Result<(), Failure> {
    match guide {
        Some(guide) => session.guide(guide),
        None if session.starts() > 1 && !interactive => {
            session.begin(random.below(session.starts())).map(|_| ())
        }
        None => Ok(()),
    }
}

fn write(args: &SimulateArgs, session: &Session<'_>) -> Result<(), Failure> {
    match &args.trace {
        Some(path) => trace_file::write(path, &session.recording(), &session.report()),
        None => Ok(()),
    }
}

/// What could have been chosen is shown to programs alone.
fn show(args: &SimulateArgs, session: &Session<'_>, choices: Option<&Choices>, exit: Exit) {
    let reproduce = &reproduce::command();
    let report = session.report();
    if args.output.json() {
        let (recording, state, moves) = (session.recording(), session.variables(), session.offers());
        let shown = Shown {
            command: "simulate",
            recording: &recording,
            report: &report,
            state: Some(&state),
            moves: Some(&moves),
            reproduce,
            exit,
        };
        let mut result = json::run(&shown);
        if let Some((beginning, choices)) = choices {
            json::add_choices(&mut result, beginning, choices);
        }
        return line(&result.to_string());
    }
    line(&replay::headline(&report));
    if args.output.quiet {
        return;
    }
    line("");
    show::run(&report, &Style::of_stdout(args.output.full));
    if session.status() == RunStatus::Enabled {
        let command = if session.recording().program.is_some() { "run" } else { "check" };
        line(&format!("\nThis is one run of many; `weave {command}` looks at all of them."));
    }
    line(&format!("\nreproduce: {reproduce}"));
}

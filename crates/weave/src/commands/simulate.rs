//! `weave simulate`: a run at random, step by step, or after a recorded one.

use crate::cli::SimulateArgs;
use crate::commands::{interactive, replay};
use crate::exit::Exit;
use crate::json::Shown;
use crate::output::line;
use crate::style::Style;
use crate::{interrupt, json, reproduce, show, trace_file};
use workbench::executor::{OpenRequest, Opened, Standing};
use workbench::random::Random;
use workbench::{Failure, Session};

pub(crate) fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    if args.interactive && args.output.json {
        return Err(Failure::Request("--interactive and --json do not go together".to_string()));
    }
    workbench::kind::fits("simulate", &args.model.file)?;
    let interrupt = interrupt::listen();
    interrupt.phase("reading the model");
    let opened = Opened::read(&request(args)?)?;
    interrupt.phase("simulating");
    let mut session = Session::new(opened.executor()?)?;
    let mut random = Random::new(args.seed);
    begin(&mut session, &mut random, args)?;
    let guided = session.steps();
    if args.interactive {
        let style = Style::of_stdout(args.output.full);
        interactive::run(&mut session, &mut random, &style, &interrupt)?;
        return Ok(show::written(write(args, &session), Exit::Good));
    }
    session.wander(&mut random, args.steps, &|| !interrupt.is_raised())?;
    let exit = Exit::of_simulation(session.standing(), interrupt.asked());
    let reproduce = reproduce::simulate(args, (session.steps() - guided).max(args.steps));
    show(args, &session, &reproduce, exit);
    Ok(show::written(write(args, &session), exit))
}

fn request(args: &SimulateArgs) -> Result<OpenRequest, Failure> {
    Ok(OpenRequest {
        file: args.model.file.clone(),
        defines: args.model.defines.clone(),
        guide: args.guide.as_deref().map(trace_file::read).transpose()?,
        arguments: args.arguments.clone(),
        flags: args.cflags.iter().flat_map(|f| f.split_whitespace()).map(str::to_string).collect(),
        trust: args.trust,
    })
}

/// After the guide, or in some initial state.
fn begin(session: &mut Session<'_>, random: &mut Random, args: &SimulateArgs) -> Result<(), Failure> {
    match &args.guide {
        Some(guide) => session.guide(&trace_file::read(guide)?),
        None if session.starts() > 1 && !args.interactive => {
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

fn show(args: &SimulateArgs, session: &Session<'_>, reproduce: &str, exit: Exit) {
    let report = session.report();
    if args.output.json {
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
        return line(&json::run(&shown).to_string());
    }
    line(&replay::headline(&report));
    if args.output.quiet {
        return;
    }
    line("");
    show::run(&report, &Style::of_stdout(args.output.full));
    if session.standing() == Standing::Enabled {
        let command = if session.recording().program.is_some() { "run" } else { "check" };
        line(&format!("\nThis is one run of many; `weave {command}` looks at all of them."));
    }
    line(&format!("\nreproduce: {reproduce}"));
}

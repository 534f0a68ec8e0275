//! `weave simulate`: a run at random, step by step, or after a recorded one.

use crate::cli::SimulateArgs;
use crate::commands::{interactive, replay, simulate_program};
use crate::exit::Exit;
use crate::output::line;
use crate::style::Style;
use crate::{interrupt, json, reproduce, show, trace_file};
use workbench::random::Random;
use workbench::simulate::Standing;
use workbench::{Failure, Model, Session};

pub(crate) fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    if args.interactive && args.output.json {
        return Err(Failure::Request("--interactive and --json do not go together".to_string()));
    }
    workbench::kind::fits("simulate", &args.model.file)?;
    if workbench::programs::is_program(&args.model.file) {
        return simulate_program::run(args);
    }
    let interrupt = interrupt::listen();
    interrupt.phase("reading the model");
    let model = Model::read(&args.model.request())?;
    interrupt.phase("simulating");
    let mut session = Session::new(&model)?;
    if let Some(guide) = &args.guide {
        session.guide(&trace_file::read(guide)?)?;
    }
    let style = Style::of_stdout(args.output.full);
    let mut random = Random::new(args.seed);
    if args.interactive {
        interactive::run(&mut session, &mut random, &style, &interrupt)?;
    } else {
        session.wander(&mut random, args.steps, &|| !interrupt.is_raised());
    }
    let trace = session.trace()?;
    let write = || match &args.trace {
        Some(path) => trace_file::write(path, &session.recording(&trace), &trace),
        None => Ok(()),
    };
    if args.interactive {
        return Ok(show::written(write(), Exit::Good));
    }
    let exit = Exit::of_simulation(session.standing(), interrupt.asked());
    let reproduce = reproduce::command();
    if args.output.json {
        line(&json::run("simulate", &trace, Some(&session.variables()), &reproduce, exit).to_string());
        return Ok(show::written(write(), exit));
    }
    line(&replay::headline(&trace));
    if !args.output.quiet {
        line("");
        show::run(&trace, &style);
        if session.standing() == Standing::Moves {
            line("\nThis is one run of many; `weave check` looks at all of them.");
        }
        line(&format!("\nreproduce: {reproduce}"));
    }
    Ok(show::written(write(), exit))
}

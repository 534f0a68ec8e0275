//! `weave prove`: invariants, rules and proof scripts for SPL programs and transition systems.

use crate::cli::ProveArgs;
use crate::exit::Exit;
use crate::output::{line, out};
use crate::show::{self, proof};
use crate::style::Style;
use crate::{interrupt, json, reproduce};
use workbench::Failure;
use workbench::prove::{ProveRequest, ProveResult, Source, prove};

pub(crate) fn run(args: &ProveArgs) -> Result<Exit, Failure> {
    let interrupt = interrupt::listen();
    interrupt.phase("reading the program");
    let source = Source::read(&args.files, &args.question.ltl)?;
    let answer = prove(&source, &request(args), &interrupt)?;
    interrupt.phase("writing the answer");
    let exit = Exit::of_proof(&answer);
    show(args, &source, &answer, exit);
    Ok(show::written(super::check::write(args.question.trace.as_deref(), &answer.violations), exit))
}

pub(crate) fn show(args: &ProveArgs, source: &Source, answer: &ProveResult, exit: Exit) {
    let reproduce = reproduce::command();
    if args.output.json {
        answer.warnings.iter().for_each(|w| line(&json::diagnostic(&source.map, w).to_string()));
        line(&json::proof::result(source, answer, &reproduce, exit).to_string());
        return;
    }
    let style = Style::of_stdout(args.output.full);
    if args.output.quiet {
        out(&proof::headline(answer, &style));
    } else {
        show::complain_all(&source.map, &answer.warnings);
        out(&proof::result(source, answer, &reproduce, &style));
    }
}

fn request(args: &ProveArgs) -> ProveRequest {
    ProveRequest {
        files: args.files.clone(),
        formulas: args.question.ltl.clone(),
        selected: args.question.property.clone(),
        auto: args.auto,
        rules_only: args.rules_only,
        solver: args.solver.choice(),
        limits: args.question.limits.limits(),
        threads: super::check::threads(args.question.threads),
        condition_time: args.condition_timeout,
    }
}

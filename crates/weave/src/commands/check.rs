//! `weave check`: verify a model.

use super::answer;
use crate::cli::{self, CheckArgs};
use crate::exit::Exit;
use crate::show;
use workbench::shapes::Reading;
use workbench::{Answer, Failure, Question, ShapeOptions, SubjectRequest};

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let question = question(args)?;
    if let Some(sample) = args.audit {
        return super::audit::run(args, sample);
    }
    if let Some(at) = &args.explain_reduction {
        return super::explain_reduction::run(args, &question, at);
    }
    let (subject, answer) = answer::ask(&subject(args), &question, args.output)?;
    let exit = answer::show("check", &answer, &subject.map, args.output);
    let exit = show::written(answer::write(args.question.trace.as_deref(), &answer), exit);
    Ok(show::written(pictures(args, &answer), exit))
}

fn subject(args: &CheckArgs) -> SubjectRequest {
    let spurious = args.orders.spurious_wakeups.is_some_and(|n| n > 0);
    SubjectRequest {
        files: vec![args.model.file.clone()],
        defines: args.model.define.defines.clone(),
        formulas: args.question.ltl.clone(),
        reading: Reading { spurious, interrupts: args.shapes.interrupts },
        program: None,
    }
}

fn question(args: &CheckArgs) -> Result<Question, Failure> {
    Ok(Question {
        order: args.search,
        raw: args.raw,
        certify: args.certify,
        fairness: args.fairness,
        engine: args.engine,
        invariants: args.invariant.clone(),
        reduction: args.reduction(),
        keep: cli::keep(args)?,
        disk: cli::disk(args)?,
        swarm: args.swarm,
        shapes: ShapeOptions {
            partial_join: args.shapes.join,
            cross_check: args.shapes.cross_check || args.certify,
            individuals: args.shapes.individuals,
            ignore_population_fairness: args.shapes.no_population_fairness,
            races: args.orders.races.unwrap_or_default(),
            whole_space: args.shapes.kripke.is_some(),
        },
        ..args.question.question()
    })
}

/// Pictures of the counterexample and of the space, if they are asked for.
fn pictures(args: &CheckArgs, answer: &Answer) -> Result<(), Failure> {
    let Some(pictures) = &answer.pictures else { return Ok(()) };
    if let Some(path) = &args.shapes.picture
        && let Some((dot, svg)) = &pictures.run
    {
        crate::written::write(path, if path.extension().is_some_and(|e| e == "svg") { svg } else { dot })?;
    }
    match &args.shapes.kripke {
        Some(path) => crate::written::write(path, &pictures.space),
        None => Ok(()),
    }
}

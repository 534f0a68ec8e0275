//! `weave check` on `.tvm` and `.java`: any number of threads and objects.

use crate::cli::{CheckArgs, JoinArg};
use crate::exit::Exit;
use crate::output::{line, out};
use crate::show::progress::ProgressLine;
use crate::show::{self, result};
use crate::style::Style;
use crate::{interrupt, json, reproduce};
use workbench::Failure;
use workbench::shapes::{Races, Reading, ShapesRequest, ShapesResult, check};

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let interrupt = interrupt::listen();
    interrupt.phase("reading the model");
    let mut progress = ProgressLine::new(!args.output.json && !args.output.quiet);
    let answer = check(&request(args), &interrupt, &mut |p| progress.show(p));
    progress.clear();
    let answer = answer?;
    let exit = Exit::of_check(&answer.check);
    show(args, &answer, exit);
    let exit =
        show::written(super::check::write(args.question.trace.as_deref(), &answer.check.violations), exit);
    Ok(show::written(pictures(args, &answer), exit))
}

/// Pictures of the counterexample and of the space, if they are asked for.
fn pictures(args: &CheckArgs, answer: &ShapesResult) -> Result<(), Failure> {
    if let Some(path) = &args.shapes.picture
        && let Some((dot, svg)) = &answer.picture
    {
        crate::written::write(path, if path.extension().is_some_and(|e| e == "svg") { svg } else { dot })?;
    }
    match &args.shapes.kripke {
        Some(path) => crate::written::write(path, &answer.space),
        None => Ok(()),
    }
}

fn request(args: &CheckArgs) -> ShapesRequest {
    ShapesRequest {
        file: args.model.file.clone(),
        formulas: args.question.ltl.clone(),
        selected: args.question.property.clone(),
        limits: args.question.limits.limits(),
        partial_join: args.shapes.join.map(|join| join == JoinArg::Partial),
        cross_check: args.shapes.cross_check,
        individuals: args.shapes.individuals,
        ignore_population_fairness: args.shapes.no_population_fairness,
        unreduced: args.orders.reduction.is_some(),
        races: match args.orders.races.as_deref() {
            Some("list") => Races::List,
            _ => Races::Error,
        },
        reading: Reading {
            spurious: args.orders.spurious_wakeups.is_some_and(|n| n > 0),
            interrupts: args.shapes.interrupts,
        },
        whole_space: args.shapes.kripke.is_some(),
        threads: args.question.threads.map(|n| n as usize),
    }
}

fn show(args: &CheckArgs, answer: &ShapesResult, exit: Exit) {
    let reproduce = reproduce::command();
    let style = Style::of_stdout(args.output.full);
    let warnings = &answer.check.warnings;
    if args.output.json {
        warnings.iter().for_each(|w| line(&json::diagnostic(&answer.model.map, w).to_string()));
        line(&json::result(&answer.check, &reproduce, exit).to_string());
    } else if args.output.quiet {
        out(&result::headline(&answer.check, &style));
    } else {
        show::complain_all(&answer.model.map, warnings);
        let whole = result::result(&answer.model, &answer.check, &reproduce, &style);
        let (before, last) = whole.split_at(whole.rfind("reproduce:").unwrap_or(whole.len()));
        out(before);
        out(&doubts(answer, style.full));
        out(last);
    }
}

/// Abstract runs that may be bad, and what the cross-check saw.
fn doubts(answer: &ShapesResult, full: bool) -> String {
    let mut text = String::new();
    for (name, lines) in &answer.doubts {
        text.push_str(&format!(
            "an abstract run that may violate {name}; `*` marks summary nodes, `?` is 1/2:\n"
        ));
        let shown = if full { lines.len() } else { lines.len().min(24) };
        lines[..shown].iter().for_each(|l| text.push_str(&format!("  {l}\n")));
        if shown < lines.len() {
            text.push_str(&format!("  ... {} more lines; --full shows all\n", lines.len() - shown));
        }
    }
    if let Some(words) = &answer.cross_check {
        text.push_str(&format!("cross-check: {words}\n"));
    }
    text
}

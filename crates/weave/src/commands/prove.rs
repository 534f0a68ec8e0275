//! `weave prove`: invariants, rules and proof scripts for SPL programs and transition systems.

use super::{answer, outline};
use crate::cli::ProveArgs;
use crate::exit::Exit;
use crate::show;
use std::path::Path;
use workbench::{Answer, Derive, Engine, Failure, ProofOptions, Question, SubjectRequest};

pub(crate) fn run(args: &ProveArgs) -> Result<Exit, Failure> {
    if args.outline {
        return outline::run(args);
    }
    if args.write_diagram.is_some() && args.diagram.iter().all(|d| derive(d).is_none()) {
        let message = "--write-diagram writes what is derived: add --diagram auto or --diagram first";
        return Err(Failure::Request(message.to_string()));
    }
    let subject = SubjectRequest {
        files: args
            .files
            .iter()
            .chain(args.diagram.iter().filter(|d| derive(d).is_none()))
            .cloned()
            .collect(),
        formulas: args.question.ltl.clone(),
        ..SubjectRequest::default()
    };
    let (subject, answer) = answer::ask(&subject, &question(args), args.output)?;
    let exit = answer::show("prove", &answer, &subject.map, args.output);
    let exit = show::written(export(args.export.as_deref(), &answer), exit);
    let exit = show::written(pictures(args.pictures.as_deref(), &answer), exit);
    let exit = show::written(diagrams(args.write_diagram.as_deref(), &answer), exit);
    let exit = show::written(abstraction(args.write_abstraction.as_deref(), &answer), exit);
    Ok(show::written(answer::write(args.question.trace.as_deref(), &answer), exit))
}

/// Writes each condition as an SMT-LIB script: PROPERTY-NUMBER-RULE-NAME.smt2.
fn export(folder: Option<&Path>, answer: &Answer) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    make(folder)?;
    for property in &answer.properties {
        let obligations = property.proof.iter().flat_map(|proof| &proof.obligations);
        for (number, obligation) in obligations.enumerate() {
            let Some(asked) = &obligation.asked else { continue };
            let name = format!("{}-{:03}-{}-{}", property.name, number + 1, obligation.rule, obligation.name);
            let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
            let path = folder.join(format!("{}.smt2", name.chars().map(plain).collect::<String>()));
            let text = format!("; {name}\n; unsat: the condition is valid\n{}", asked.smtlib());
            crate::written::write(&path, &text)?;
        }
    }
    Ok(())
}

/// A folder for files.
fn make(folder: &Path) -> Result<(), Failure> {
    let fail = |e: std::io::Error| Failure::File { path: folder.to_path_buf(), message: e.to_string() };
    std::fs::create_dir_all(folder).map_err(fail)
}

/// The words that ask for a diagram to be derived.
fn derive(name: &Path) -> Option<Derive> {
    match name.to_str() {
        Some("auto") => Some(Derive::Abstraction),
        Some("first") => Some(Derive::Tableau),
        _ => None,
    }
}

/// The diagrams that were derived.
fn diagrams(path: Option<&Path>, answer: &Answer) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let derived = answer.numbers.proof.iter().flat_map(|n| &n.derived);
    let texts: Vec<&str> = derived.filter_map(|d| d.text.as_deref().ok()).collect();
    if texts.is_empty() {
        let message = "no diagram was derived".to_string();
        return Err(Failure::File { path: path.to_path_buf(), message });
    }
    crate::written::write(path, &texts.join("\n"))
}

/// The abstraction that was made.
fn abstraction(path: Option<&Path>, answer: &Answer) -> Result<(), Failure> {
    let made = answer.numbers.proof.as_ref().and_then(|n| n.abstraction.as_ref());
    match (path, made) {
        (Some(path), Some(made)) => crate::written::write(path, &made.text),
        _ => Ok(()),
    }
}

/// A picture of each diagram, twice.
fn pictures(folder: Option<&Path>, answer: &Answer) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    make(folder)?;
    let all = workbench::prove::drawn(answer);
    for drawn in &all {
        let alone = all.iter().filter(|d| d.name == drawn.name).count() == 1;
        let name = if alone { drawn.name.clone() } else { format!("{}-{}", drawn.name, drawn.property) };
        crate::written::write(&folder.join(format!("{name}.svg")), &drawn.svg)?;
        crate::written::write(&folder.join(format!("{name}.dot")), &drawn.dot)?;
    }
    Ok(())
}

fn question(args: &ProveArgs) -> Question {
    Question {
        engine: Engine::Prove,
        proofs: ProofOptions {
            auto: args.auto,
            rules_only: args.rules_only,
            engines: args.engines.clone(),
            solver: args.solver,
            condition_time: args.condition_timeout,
            basis: args.basis.clone(),
            refines: args.refines.clone(),
            derive: args.diagram.iter().find_map(|d| derive(d)),
        },
        ..args.question.question()
    }
}

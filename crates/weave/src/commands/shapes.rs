//! `weave check` on `.tvm` and `.java`: any number of threads and objects.

use crate::cli::{CheckArgs, Search};
use crate::exit::Exit;
use crate::output::{line, out};
use crate::show::progress::ProgressLine;
use crate::show::{self, result};
use crate::style::Style;
use crate::{interrupt, json, reproduce};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use workbench::Failure;
use workbench::shapes::{Races, Reading, ShapesRequest, ShapesResult, check};

/// Options for `.tvm` and `.java` alone.
#[derive(Debug, Default, Args)]
pub(crate) struct ShapesArgs {
    /// .tvm, .java: hold every abstract state against concrete runs with few individuals
    #[arg(long)]
    pub(crate) cross_check: bool,
    /// .tvm, .java: which abstract states are one (default: relational for .tvm, partial for .java, where only what the exact search
    /// leaves open is asked of them)
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) join: Option<JoinArg>,
    /// .tvm, .java: how many individuals may stand behind summary nodes in concrete runs (default 5)
    #[arg(long, value_name = "N")]
    pub(crate) individuals: Option<usize>,
    /// .tvm, .java: write the counterexample as a picture, .dot or .svg
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
    /// .tvm, .java: write the three-valued Kripke structure, .dot
    #[arg(long, value_name = "FILE")]
    pub(crate) kripke: Option<PathBuf>,
    /// .java: data races are violations, or are listed
    #[arg(long, value_name = "HOW", value_parser = ["error", "list"])]
    pub(crate) races: Option<String>,
    /// .java: waits may end without a notification
    #[arg(long)]
    pub(crate) spurious_wakeups: bool,
    /// .java: any thread may be interrupted where it waits, sleeps or joins
    #[arg(long)]
    pub(crate) interrupts: bool,
    /// .tvm, .java: do not use that a name which loses individuals for ever must gain some
    #[arg(long)]
    pub(crate) no_population_fairness: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JoinArg {
    Relational,
    Partial,
}

impl ShapesArgs {
    /// An option that other kinds of files do not have.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let all = [
            (self.cross_check, "--cross-check"),
            (self.join.is_some(), "--join"),
            (self.individuals.is_some(), "--individuals"),
            (self.picture.is_some(), "--picture"),
            (self.kripke.is_some(), "--kripke"),
            (self.races.is_some(), "--races"),
            (self.spurious_wakeups, "--spurious-wakeups"),
            (self.interrupts, "--interrupts"),
            (self.no_population_fairness, "--no-population-fairness"),
        ];
        all.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }
}

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    refuse(args)?;
    let interrupt = interrupt::listen();
    interrupt.phase("reading the model");
    let mut progress = ProgressLine::new(!args.output.json && !args.output.quiet);
    let answer = check(&request(args), &interrupt, &mut |p| progress.show(p));
    progress.clear();
    let answer = answer?;
    let exit = Exit::of_check(&answer.check);
    show(args, &answer, exit);
    let exit = show::written(super::check::write(args, &answer.check), exit);
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
        formulas: args.ltl.clone(),
        selected: args.property.clone(),
        limits: args.limits.limits(),
        partial_join: args.shapes.join.map(|join| join == JoinArg::Partial),
        cross_check: args.shapes.cross_check,
        individuals: args.shapes.individuals,
        ignore_population_fairness: args.shapes.no_population_fairness,
        unreduced: args.reduction.is_some(),
        races: match args.shapes.races.as_deref() {
            Some("list") => Races::List,
            _ => Races::Error,
        },
        reading: Reading { spurious: args.shapes.spurious_wakeups, interrupts: args.shapes.interrupts },
        whole_space: args.shapes.kripke.is_some(),
        threads: args.threads.map(|n| n as usize),
    }
}

/// Options that mean nothing here are refused, never ignored.
fn refuse(args: &CheckArgs) -> Result<(), Failure> {
    let alien = [
        (!args.model.defines.is_empty(), "-D"),
        (args.reduction.as_ref().is_some_and(|r| r != "none"), "--reduction"),
        (args.store.as_ref().is_some_and(|s| s != "exact"), "--store"),
        (args.limits.max_depth.is_some(), "--max-depth"),
        (args.audit.is_some(), "--audit"),
        (args.explain_reduction.is_some(), "--explain-reduction"),
        (args.persistent_sets.is_some(), "--persistent-sets"),
        (args.relation.is_some(), "--relation"),
        (args.proviso.is_some(), "--proviso"),
        (args.engine.is_symbolic(), "--engine symbolic"),
        (!args.invariant.is_empty(), "--invariant"),
        (args.fairness.is_some(), "--fairness"),
        (args.raw, "--raw"),
        (args.search == Search::Bfs, "--search bfs"),
    ];
    let java = args.model.file.extension().is_some_and(|e| e == "java");
    let of_java = [
        (args.shapes.races.is_some(), "--races"),
        (args.shapes.spurious_wakeups, "--spurious-wakeups"),
        (args.shapes.interrupts, "--interrupts"),
    ];
    if let Some((_, name)) = of_java.into_iter().find(|(given, _)| *given && !java) {
        return Err(Failure::Request(format!("{name} is not for .tvm files: their actions are atomic")));
    }
    match alien.into_iter().find(|(given, _)| *given) {
        Some((_, name)) => {
            let help = match name {
                "--fairness" if java => "; write `//@ fair weak|strong THREAD` in the file",
                "--fairness" => "; write `fair` in the file",
                "--invariant" if java => "; write `//@ inv NAME: FORMULA` in the file",
                "--invariant" => "; write `invariant NAME = FORMULA` in the file",
                "--raw" => "; --reduction none takes every step as one",
                "--search bfs" => "; their runs are shortest ones anyway, as far as the answer says so",
                _ => "",
            };
            Err(Failure::Request(format!("{name} is not for .tvm and .java files{help}")))
        }
        None => Ok(()),
    }
}

fn show(args: &CheckArgs, answer: &ShapesResult, exit: Exit) {
    let reproduce = reproduce::check(args);
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

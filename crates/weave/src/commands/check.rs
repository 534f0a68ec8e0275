//! `weave check`: verify a model.

use crate::cli::{self, CheckArgs};
use crate::exit::Exit;
use crate::output::{event, line, out};
use crate::show::progress::ProgressLine;
use crate::show::{self, result};
use crate::style::Style;
use crate::{interrupt, json, reproduce, trace_file};
use source::Diagnostic;
use std::path::Path;
use workbench::kind::{self, Language};
use workbench::prove::Source;
use workbench::transition;
use workbench::{
    CheckRequest, CheckResult, Failure, Fairness, Model, ModelRequest, Progress, Selection, Violation, check,
};

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let language = kind::language(&args.model.file);
    if matches!(language, Language::Tvm | Language::Java) {
        return super::shapes::run(args);
    }
    let request = request(args)?;
    if language == Language::Relation {
        return transition_system(args, &request);
    }
    if let Some(sample) = args.audit {
        return super::audit::run(args, sample);
    }
    if let Some(at) = &args.explain_reduction {
        return super::explain_reduction::run(args, &request, at);
    }
    let interrupt = interrupt::listen();
    interrupt.phase("reading the model");
    let model = Model::read(&model_request(args))?;
    let mut teller = Teller::new(args);
    let answer = check(&model, &request, &interrupt, &mut |p| teller.tell(p));
    teller.line.clear();
    let answer = answer?;
    interrupt.phase("writing the answer");
    warn(args, &model, &answer.warnings);
    let exit = Exit::of_check(&answer);
    show(args, &model, &answer, exit);
    Ok(show::written(write(args.question.trace.as_deref(), &answer.violations), exit))
}

/// The counterexample, to a file if one is asked for.
pub(crate) fn write(path: Option<&Path>, violations: &[Violation]) -> Result<(), Failure> {
    match (path, violations.first()) {
        (Some(path), Some(violation)) => trace_file::write(path, &violation.recording, &violation.trace),
        _ => Ok(()),
    }
}

/// SPL programs and transition systems.
fn transition_system(args: &CheckArgs, request: &CheckRequest) -> Result<Exit, Failure> {
    let interrupt = interrupt::listen();
    interrupt.phase("reading the program");
    let source = Source::read(std::slice::from_ref(&args.model.file), &args.question.ltl)?;
    let mut teller = Teller::new(args);
    let answer = transition::check(&source, request, &interrupt, &mut |p| teller.tell(p));
    teller.line.clear();
    let answer = answer?;
    interrupt.phase("writing the answer");
    let file = args.model.file.to_string_lossy().into_owned();
    let model = Model { file, map: source.map, ..Model::default() };
    warn(args, &model, &answer.warnings);
    let exit = Exit::of_check(&answer);
    show(args, &model, &answer, exit);
    Ok(show::written(write(args.question.trace.as_deref(), &answer.violations), exit))
}

fn model_request(args: &CheckArgs) -> ModelRequest {
    ModelRequest { formulas: args.question.ltl.clone(), ..args.model.request() }
}

fn request(args: &CheckArgs) -> Result<CheckRequest, Failure> {
    let formulas = (0..args.question.ltl.len()).map(|k| Selection::Named(ModelRequest::formula_name(k)));
    Ok(CheckRequest {
        model: model_request(args),
        order: args.search.order(),
        raw: args.raw,
        keep_going: args.question.keep_going,
        selected: args.question.property.iter().map(|p| Selection::parse(p)).chain(formulas).collect(),
        fairness: args.fairness.map_or(Fairness::None, Into::into),
        weakened: args.fairness.map(Into::into),
        engine: args.engine.into(),
        invariants: args.invariant.clone(),
        threads: threads(args.question.threads),
        limits: args.question.limits.limits(),
        reduction: args.reduction(),
        cache: cli::cache(args.store.as_deref())?,
    })
}

/// As many as asked for, or as the machine has.
pub(crate) fn threads(asked: Option<u32>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(all, |n| n as usize)
}

pub(crate) fn show(args: &CheckArgs, model: &Model, answer: &CheckResult, exit: Exit) {
    let reproduce = reproduce::command();
    let style = Style::of_stdout(args.output.full);
    if args.output.json {
        line(&json::result(answer, &reproduce, exit).to_string());
    } else if args.output.quiet {
        out(&result::headline(answer, &style));
    } else {
        out(&result::result(model, answer, &reproduce, &style));
    }
}

fn warn(args: &CheckArgs, model: &Model, warnings: &[Diagnostic]) {
    if args.output.json {
        warnings.iter().for_each(|w| line(&json::diagnostic(&model.map, w).to_string()));
    } else if !args.output.quiet {
        show::complain_all(&model.map, warnings);
    }
}

/// Tells of progress: a refreshed line for people, an event a second for programs.
struct Teller {
    line: ProgressLine,
    json: bool,
    told: f64,
}

impl Teller {
    fn new(args: &CheckArgs) -> Teller {
        let output = args.output;
        Teller { line: ProgressLine::new(!output.json && !output.quiet), json: output.json, told: 0.0 }
    }

    fn tell(&mut self, progress: &Progress) {
        self.line.show(progress);
        if self.json && progress.seconds - self.told >= 1.0 {
            self.told = progress.seconds;
            event(&format!("{}\n", json::progress(progress)));
        }
    }
}

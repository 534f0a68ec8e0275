//! The one place that calls the language, the engines and the certifier.

use crate::answer::Kind;
use crate::disk::DiskNumbers;
use crate::exclusive::Uses;
use crate::failure::Failure;
use crate::formula;
use crate::listener::ProgressListener;
use crate::model::{self, Model, Stated};
use crate::question::{ModelRequest, Question};
use crate::reduction::{Plan, ReductionRequest};
use crate::words;
use compile::Program;
use compile::simplify::Simplified;
use explore::{Keep, Options, Patience, Reduction, Report, Swarm};
use independence::selective::Selective;
use promela::lower::properties::Statement;
use promela::{Files, Unreadable};
use source::{CodeTable, Diagnostic, FileId, SourceMap};
use space::{Ending, Run};
use std::collections::HashSet;
use std::path::Path;
use system::{Fault, Reference, System};

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// What the search counted.
    pub report: Report,
    /// By process type, then by transition: whether some run executes it.
    pub reached: Vec<Vec<bool>>,
    /// Who used which channel, if the model has channel assertions.
    pub uses: Uses,
    pub(crate) plan: Plan,
    /// Why the reduction asked for was not used.
    pub dropped: Option<String>,
    /// If states were kept on disk.
    pub disk: Option<DiskNumbers>,
}

/// Reads a model.
pub fn load(file: &str, text: String, request: &ModelRequest) -> Result<Model, Failure> {
    let mut map = SourceMap::new();
    let mut texts = vec![map.add(file, text)];
    let (given, mut warnings) = match formula::read_all(request, &mut map, &mut texts) {
        Ok(read) => read,
        Err(diagnostics) => return Err(Failure::Rejected { map, diagnostics }),
    };
    let defines: Vec<_> = request.defines.iter().map(|d| promela::Define::parse(&d.text())).collect();
    let (read, diagnostics) = promela::read_all(&mut map, &texts, &Disk, &defines);
    let Some(read) = read else { return Err(Failure::Rejected { map, diagnostics }) };
    let diagnostics = match shadowed(&mut map, &texts, &defines, &given) {
        shadowed if shadowed.is_empty() => diagnostics,
        diagnostics => return Err(Failure::Rejected { map, diagnostics }),
    };
    warnings.extend(diagnostics.into_iter().filter(|d: &Diagnostic| !d.is_error()));
    let (system, mut statements) = promela::lower::lower_all(&read, file);
    for formula in &given {
        let statement = formula.state(&mut statements);
        statements.extend(statement);
    }
    tell_apart(&statements)?;
    Ok(Model {
        words: words::of(&read, &system),
        claims: words::claims(&statements),
        properties: statements.into_iter().map(|statement| stated(statement, &map)).collect(),
        system,
        map,
        warnings,
        ..Model::default()
    })
}

/// Operators of formulas that are macros of the model, too.
fn shadowed(
    map: &mut SourceMap,
    texts: &[FileId],
    defines: &[promela::Define],
    given: &[formula::Pending],
) -> Vec<Diagnostic> {
    let mut operators = given.iter().flat_map(formula::Pending::operators).peekable();
    if operators.peek().is_none() {
        return Vec::new();
    }
    let macros = promela::macros_among(map, texts, (&Disk, defines), operators);
    given.iter().flat_map(|formula| macros.iter().filter_map(|name| formula.shadowed(name))).collect()
}

fn stated(statement: Statement, map: &SourceMap) -> Stated {
    let claim = words::claim(&statement);
    let Statement { text, property, tracked, .. } = statement;
    let written = property.as_ref().ok().and_then(|p| braced(map.snippet(p.span)));
    let text = text.map(|tokens| written.map_or(tokens, str::to_string));
    Stated { claim, text, property, tracked }
}

/// What stands between the braces of an `ltl` block.
fn braced(block: &str) -> Option<&str> {
    let inside = block.strip_prefix("ltl")?.split_once('{')?.1;
    Some(inside.rsplit_once('}')?.0.trim())
}

/// No two properties of one kind have one name: an answer would be about either.
fn tell_apart(statements: &[Statement]) -> Result<(), Failure> {
    let mut names = HashSet::new();
    match statements.iter().find(|s| !names.insert(words::claim(s))) {
        None => Ok(()),
        Some(twice) => {
            let name = &twice.name;
            let help = "a formula of --ltl is called `formula`, the rule for accept labels `acceptance`";
            Err(Failure::Request(format!("two properties are called `{name}`; rename yours ({help})")))
        }
    }
}

/// Files as the operating system has them; the preprocessor knows where an include is looked for.
struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, Unreadable> {
        let read = model::read_text(Path::new(path));
        read.map_err(|failure| match failure {
            Failure::File { message, .. } => Unreadable(message),
            other => Unreadable(other.message()),
        })
    }
}

/// The diagnostic codes of the languages.
pub fn codes() -> [CodeTable; 8] {
    [
        promela::codes::CODES,
        logic::ltl::codes::CODES,
        logic::automata::codes::CODES,
        spl::codes::CODES,
        java::codes::CODES,
        structures::codes::CODES,
        tvm::codes::CODES,
        shapes::codes::CODES,
    ]
}

/// Searches everything reachable; `wanted` are the kinds of violation looked for.
pub fn search(
    system: &System,
    request: &Question,
    wanted: &[Kind],
    watcher: &mut ProgressListener<'_>,
) -> Result<Found, Failure> {
    let mut program = program(system, request, watcher)?;
    let options = options(request, wanted);
    let mut plan = Plan::of(request, wanted)?;
    let mut dropped = None;
    watcher.phase("setting up the reduction");
    if plan.reduction.is_some()
        && let Err(refusal) = program.prepare()
    {
        dropped = Some(refusal.to_string());
        plan = Plan::default();
    }
    watcher.phase("searching");
    let report = match plan.reduction {
        reduction if let Some(searches) = request.swarm => {
            let swarm = Swarm { searches, seed: request.seed };
            let how = (reduction.unwrap_or(Reduction::NONE), swarm);
            let mut workers = vec![program; threads(system, request)];
            let report = explore::swarm(&mut workers, &options, how, watcher);
            program = united(workers)?;
            report
        }
        None if request.keep != Keep::All => {
            explore::selective_search(&mut program, &options, Reduction::NONE, watcher)
        }
        None => {
            let options = Options { order: plan.order(request.order), ..options };
            let mut workers = vec![program; threads(system, request)];
            let report = explore::parallel_search(&mut workers, &options, watcher);
            program = united(workers)?;
            report
        }
        Some(reduction) => explore::selective_search(&mut program, &options, reduction, watcher),
    };
    Ok(Found { dropped, ..found(system, report, plan, &program) })
}

/// A model, simplified and compiled.
pub(crate) fn program(
    system: &System,
    request: &Question,
    watcher: &ProgressListener<'_>,
) -> Result<Program, Failure> {
    watcher.phase("simplifying the model");
    let simplified = if request.raw { Simplified::raw(system) } else { Simplified::of(system) };
    watcher.phase("compiling the model");
    compiled(simplified)
}

/// How a model is searched for violations of these kinds.
pub(crate) fn options(request: &Question, wanted: &[Kind]) -> Options {
    Options {
        keep_going: request.keep_going,
        limits: request.limits,
        deadlocks: wanted.contains(&Kind::Deadlock),
        assertions: wanted.contains(&Kind::Assertion),
        faults: wanted.contains(&Kind::Runtime),
        keep: request.keep,
        patience: (request.reduction == ReductionRequest::default()).then_some(Patience::USUAL),
        ..Options::default()
    }
}

/// What a search reported, and what the program saw on the way.
pub(crate) fn found(system: &System, mut report: Report, plan: Plan, program: &Program) -> Found {
    report.violations.iter_mut().for_each(|v| tell_whole_loop(system, &mut v.run));
    let (reached, uses) = (program.reached(), program.uses().collect());
    Found { report, reached, uses, plan, ..Found::default() }
}

/// Who uses which channel is reported of a search that stopped as well, and then depends on what
/// several threads have seen.
fn threads(system: &System, request: &Question) -> usize {
    if system.exclusive.is_empty() { request.threads.max(1) } else { 1 }
}

/// What each copy of a program has seen, in one.
fn united(workers: Vec<Program>) -> Result<Program, Failure> {
    let unite = |mut all: Program, one| {
        all.unite(&one);
        all
    };
    workers.into_iter().reduce(unite).ok_or_else(|| Failure::Internal("nothing searches".to_string()))
}

/// A d_step that never ends comes back to a state sooner without the variables that do not matter;
/// the run is given in terms of the system with all of them.
fn tell_whole_loop(system: &System, run: &mut Run) {
    let Some((last, before)) = run.steps.split_last() else { return };
    if run.ending != Ending::Fault(Fault::StepDiverges.into()) {
        return;
    }
    let prefix = Run::new(before.to_vec(), Ending::Open);
    let Ok(replayed) = certify::replay(&Reference::new(system), &prefix) else { return };
    let moves = replayed.states.last().map(|state| Reference::new(system).moves(state)).unwrap_or_default();
    let whole = moves.into_iter().find(|m| {
        m.fault == Some(Fault::StepDiverges)
            && m.step.actor == last.actor
            && m.step.path.first() == last.path.first()
            && m.step.partner.as_ref().map(|p| p.0) == last.partner.as_ref().map(|p| p.0)
    });
    if let (Some(whole), Some(last)) = (whole, run.steps.last_mut()) {
        *last = whole.step;
    }
}

/// Takes a run again, step by step, with the reference stepper.
pub fn certify(system: &System, run: &Run) -> Result<(), Failure> {
    certify::replay(&Reference::new(system), run).map(drop).map_err(Failure::refused)
}

/// A system as it is searched.
pub(crate) fn compiled(simplified: Simplified) -> Result<Program, Failure> {
    let refused = |e: compile::NotFinite| Failure::Request(format!("the model cannot be searched: {e}"));
    Program::new(simplified).map_err(refused)
}

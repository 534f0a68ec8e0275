//! `weave check` on `.tvm` and `.java`: any number of threads and objects, by three-valued structures.
//!
//! The answer has the same shape as that of other models: states are abstract ones, a violation is a concrete run that the two-valued
//! semantics has taken step by step, and what was believed without proof stands under `assumes`.

mod pictures;
mod races;

pub use races::Races;
pub use shapes::java::Reading;

use crate::executor::structures::{StructuresExecutor, names};
use crate::failure::Failure;
use crate::model::{Model, read_text};
use crate::recording::Recording;
use crate::report::{Ending, Report};
use crate::request::Limits;
use crate::result::{CheckResult, Errors, Kind, Numbers, Property, Unreached, Verdict, Violation};
use crate::simulate::Session;
use crate::verdict;
use crate::watch::{Interrupt, Progress, Watcher};
use shapes::answer::{self, Answer, Answered, Request};
use shapes::concrete::Step;
use shapes::obligation::{self, Standing};
use shapes::picture;
use shapes::promise::Broken;
use source::{CodeTable, Diagnostic, SourceMap, Span};
use std::path::{Path, PathBuf};

/// What can be asked.
#[derive(Clone, Debug, Default)]
pub struct ShapesRequest {
    pub file: PathBuf,
    /// Formulas instead of the properties of the file.
    pub formulas: Vec<String>,
    /// Names of properties; nothing selected means everything.
    pub selected: Vec<String>,
    pub limits: Limits,
    /// Default: for Java.
    pub partial_join: Option<bool>,
    pub cross_check: bool,
    /// How many individuals behind summary nodes concrete runs may have; 5 if nothing is said.
    pub individuals: Option<usize>,
    pub ignore_population_fairness: bool,
    /// Every step of a thread is one of its own.
    pub unreduced: bool,
    pub races: Races,
    /// How Java is read.
    pub reading: Reading,
    /// The abstract space is written down.
    pub whole_space: bool,
    /// Threads of the machine that search; all if nothing is said.
    pub threads: Option<usize>,
}

/// What is answered besides.
#[derive(Clone, Debug)]
pub struct ShapesResult {
    /// The texts, for places.
    pub model: Model,
    pub check: CheckResult,
    /// For each property in doubt, the abstract run: lines.
    pub doubts: Vec<(String, Vec<String>)>,
    /// The first violation or doubt as pictures: DOT and SVG.
    pub picture: Option<(String, String)>,
    /// The abstract space in DOT.
    pub space: String,
    /// What the cross-check looked at, in words.
    pub cross_check: Option<String>,
}

/// Whether a file is one of ours, by its ending.
pub fn is_ours(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "tvm" || e == "java")
}

/// The diagnostic codes.
pub fn codes() -> CodeTable {
    shapes::codes::CODES
}

fn is_java(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "java")
}

/// A file that was read.
pub struct Read {
    pub(crate) map: SourceMap,
    pub(crate) model: shapes::model::Model,
    warnings: Vec<Diagnostic>,
    pub(crate) fingerprint: String,
}

pub(crate) fn read(path: &Path, reading: Reading) -> Result<Read, Failure> {
    let mut map = SourceMap::new();
    let file = map.add(&*path.to_string_lossy(), read_text(path)?);
    let fingerprint = crate::model::fingerprint(&map, &[]);
    let (model, diagnostics) = if is_java(path) {
        shapes::java::read_as(&map, file, reading)
    } else {
        shapes::tvm::read(&map, file)
    };
    match model {
        Some(model) => Ok(Read { map, model, warnings: diagnostics, fingerprint }),
        None => Err(Failure::Rejected { map, diagnostics }),
    }
}

pub fn check(
    request: &ShapesRequest,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<ShapesResult, Failure> {
    let Read { mut map, mut model, warnings, fingerprint } = read(&request.file, request.reading)?;
    let name = request.file.to_string_lossy().into_owned();
    let java = is_java(&request.file);
    let mut selected = request.selected.clone();
    for (number, formula) in request.formulas.iter().enumerate() {
        selected.push(ltl(&mut map, &mut model, number, formula)?);
    }
    refuse_unknown(&model, &selected)?;
    if request.races == Races::List && selected.iter().any(|name| name == shapes::race::RACE) {
        let message =
            "--property race asks for data races, and --races list only lists them; leave one of the two";
        return Err(Failure::Request(message.to_string()));
    }
    let mut watcher = Watcher::new(request.limits.time, interrupt, tell);
    let asked = Request {
        join: match request.partial_join.unwrap_or(java) {
            true => shapes::abstracted::Join::Partial,
            false => shapes::abstracted::Join::Relational,
        },
        concrete_first: java,
        whole_space: request.whole_space,
        reduce: !request.unreduced,
        all_races: request.races == Races::List,
        population_fairness: !request.ignore_population_fairness,
        cross_check: request.cross_check,
        selected,
        max_states: request.limits.states,
        max_memory: request.limits.memory,
        individuals: request.individuals.unwrap_or(5),
        workers: request.threads.unwrap_or(Request::default().workers),
        ..Request::default()
    };
    interrupt.phase("searching abstract and concrete states");
    let answer = answer::answer(&model, &asked, &mut watcher);
    let seconds = watcher.seconds();
    let reduction = if answer.reduced { "movers" } else { "none" };
    let teller =
        Teller { model: &model, map: &map, reduction, races: request.races, reading: request.reading };
    if let Some(diagnostics) = teller.refusal(&answer) {
        return Err(Failure::Rejected { map, diagnostics });
    }
    teller.result((&name, &fingerprint), &answer, warnings, seconds)
}

/// Adds a formula of the command line.
fn ltl(
    map: &mut SourceMap,
    model: &mut shapes::model::Model,
    number: usize,
    formula: &str,
) -> Result<String, Failure> {
    let name = if number == 0 { "--ltl".to_string() } else { format!("--ltl {}", number + 1) };
    let file = map.add(&*name, formula);
    let place = Span::new(file, 0, formula.len() as u32);
    match shapes::tvm::lower::temporal(&model.vocabulary, &Default::default(), formula, place) {
        Ok((claim, _)) => {
            model.properties.push(shapes::model::Property { name: name.clone(), span: place, claim });
            Ok(name)
        }
        Err(diagnostics) => Err(Failure::Rejected { map: map.clone(), diagnostics }),
    }
}

fn refuse_unknown(model: &shapes::model::Model, selected: &[String]) -> Result<(), Failure> {
    let name = |(name, kind): (String, answer::Kind)| match kind {
        answer::Kind::Race => shapes::race::RACE.to_string(),
        _ => name,
    };
    let mut known: Vec<String> = answer::properties(model).into_iter().map(name).collect();
    known.dedup();
    match selected.iter().find(|name| !known.contains(name)) {
        None => Ok(()),
        Some(name) => {
            let message = format!("no property `{name}` in the model; there are: {}", known.join(", "));
            Err(Failure::Request(message))
        }
    }
}

struct Teller<'a> {
    model: &'a shapes::model::Model,
    map: &'a SourceMap,
    reduction: &'static str,
    races: Races,
    reading: Reading,
}

impl Teller<'_> {
    fn snippet(&self, span: Span) -> String {
        self.map.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Why the model cannot be believed.
    fn refusal(&self, answer: &Answer) -> Option<Vec<Diagnostic>> {
        if answer.tried.nothing {
            let span = self.model.initial.first().map(|i| i.span).unwrap_or_default();
            let message = "the initial structures stand for no concrete state";
            let told =
                Diagnostic::error("E0921", span, message).label("contradicts the constraints or definitions");
            return Some(vec![told]);
        }
        if answer.tried.broken.is_empty() {
            return None;
        }
        Some(answer.tried.broken.iter().map(|broken| self.broken(broken)).collect())
    }

    fn broken(&self, broken: &Broken) -> Diagnostic {
        let text = broken.promise.text(self.model, &|span| self.snippet(span));
        let message = match broken.promise {
            shapes::promise::Promise::Update(..) => format!("{text} is not what its definition says"),
            _ => format!("{text} is promised, but a run breaks it"),
        };
        let mut told =
            Diagnostic::error("E0920", broken.promise.span(self.model), message).label("the promise");
        if let Some(last) = broken.steps.last() {
            told = told.also(self.model.actions[last.action].span, "the step that breaks it");
        }
        let names = names(self.model, &broken.states[0]);
        let who = |step: &Step| {
            step.part.get(&0).and_then(|u| names.get(*u)).map(|n| format!("{n}: ")).unwrap_or_default()
        };
        let steps: Vec<String> =
            broken.steps.iter().map(|s| format!("{}{}", who(s), self.model.actions[s.action].name)).collect();
        told.note(format!("the run, with {} individuals: {}", broken.states[0].individuals, steps.join("; ")))
            .help("repair the action, or do not promise it")
    }

    fn result(
        &self,
        (file, fingerprint): (&str, &str),
        answer: &Answer,
        mut warnings: Vec<Diagnostic>,
        seconds: f64,
    ) -> Result<ShapesResult, Failure> {
        let cross_check = match &answer.checked {
            Some(Err(uncovered)) => {
                let message = format!(
                    "no abstract state stands for a concrete one after {} steps",
                    uncovered.steps.len()
                );
                return Err(Failure::Internal(message));
            }
            Some(Ok(c)) => Some(format!(
                "{} concrete states of {} populations are covered, {} of these completely",
                c.states, c.populations, c.complete
            )),
            None => None,
        };
        let host = Model {
            file: file.to_string(),
            fingerprint: fingerprint.to_string(),
            map: self.map.clone(),
            ..Model::default()
        };
        let space = &answer.space;
        for symbol in &space.notes.declined {
            let predicate = self.model.vocabulary.get(*symbol);
            let message =
                format!("focus declined to make `{}` definite between two summary nodes", predicate.name);
            warnings.push(Diagnostic::warning("W0901", predicate.span, message).label("stays 1/2 there"));
        }
        let counts = |p: &&Answered| p.kind != answer::Kind::Race || self.races == Races::Error;
        let others = answer.properties.iter().filter(|p| p.kind != answer::Kind::Race);
        let race = races::merged(&answer.properties).filter(|_| self.races == Races::Error);
        let properties: Vec<Property> = others.map(property).chain(race).collect();
        let violations: Vec<Violation> = answer
            .properties
            .iter()
            .filter(counts)
            .filter_map(|p| self.violation(&host, p))
            .collect::<Result<_, _>>()?;
        let races = if self.races == Races::List { self.listed(&host, answer) } else { Vec::new() };
        let overall = verdict::overall(&properties);
        let reason = match violations.first() {
            Some(v) => format!("{}: {}, after {} steps", v.property, v.message, v.trace.steps.len()),
            None => verdict::reason(&properties, &crate::reduction::Plan::default()),
        };
        let doubts: Vec<(String, Vec<String>)> =
            answer.properties.iter().filter_map(|p| self.doubt(p)).collect();
        let looked = answer.looked.as_ref().filter(|_| space.is_empty());
        let (states, transitions) = looked.map_or((space.len() as u64, space.steps), |l| (l.states, l.steps));
        let check = CheckResult {
            cache: None,
            verdict: overall,
            reason,
            diagrams: None,
            numbers: Numbers {
                states,
                transitions,
                matched: transitions.saturating_sub(states),
                depth: space.depth,
                memory_bytes: space.bytes(),
                seconds,
            },
            errors: errors(&properties),
            unreached: space.is_complete().then(|| self.unreached(&host, &space.taken)),
            exhausted: space.is_complete(),
            reduction: crate::result::ReductionUsed {
                name: self.reduction.to_string(),
                ..Default::default()
            },
            interrupted: space.stopped == Some(explore::Stop::Interrupt),
            violations,
            races,
            warnings,
            assumes: self.assumes(answer),
            properties,
        };
        let picture = answer.properties.iter().find_map(|p| self.picture(p));
        let drawn = answer.drawn.as_ref().unwrap_or(space);
        let kripke = picture::space(self.model, &self.model.vocabulary, drawn);
        Ok(ShapesResult { model: host, check, doubts, picture, space: kripke, cross_check })
    }

    fn assumes(&self, answer: &Answer) -> Vec<String> {
        let tried = &answer.tried;
        let mut all: Vec<String> = answer
            .relied_on
            .iter()
            .map(|(p, standing)| {
                let text = p.text(self.model, &|span| self.snippet(span));
                match standing {
                    Standing::Small => format!("{text} (proved for up to {} individuals)", obligation::SMALL),
                    Standing::Open { action, individuals } => format!(
                        "{text} (`{}` may break it with {individuals} individuals, but not in {} concrete states of runs)",
                        self.model.actions[*action].name, tried.states
                    ),
                }
            })
            .collect();
        if answer.properties.iter().any(|p| p.fairness_used && matches!(p.verdict, answer::Verdict::Holds)) {
            all.extend(
                self.model.fairness.iter().map(|f| format!("the scheduler: {}", self.snippet(f.span))),
            );
        }
        if self.races == Races::List {
            all.extend(self.relied_on_order(answer));
        }
        all.extend(self.model.assumed.iter().cloned());
        all
    }

    fn unreached(&self, host: &Model, taken: &[bool]) -> Vec<Unreached> {
        let idle = self.model.actions.iter().zip(taken);
        let idle = idle.filter(|(a, taken)| !**taken && a.error.is_none() && !a.weak);
        idle.map(|(action, _)| Unreached {
            process: action
                .thread
                .map_or_else(|| "environment".to_string(), |t| self.model.threads[t].name.clone()),
            statement: action.name.clone(),
            location: host.location(action.span),
        })
        .collect()
    }

    fn violation(&self, host: &Model, answered: &Answered) -> Option<Result<Violation, Failure>> {
        let answer::Verdict::Violated(run) = &answered.verdict else { return None };
        let (recording, trace) = match self.executed(host, run, answered.kind) {
            Ok(executed) => executed,
            Err(failure) => return Some(Err(failure)),
        };
        let location = match answered.kind {
            answer::Kind::Deadlock => None,
            _ => trace.steps.last().and_then(|s| s.statements.last()).and_then(|s| s.location.clone()),
        };
        Some(Ok(Violation {
            kind: kind(answered.kind),
            property: match answered.kind {
                answer::Kind::Race => shapes::race::RACE.to_string(),
                _ => answered.name.clone(),
            },
            message: match answered.kind {
                answer::Kind::Race => self.race(host, run),
                _ => run.message.clone(),
            },
            location,
            recording,
            trace,
            shortest: run.shortest,
        }))
    }

    /// The run that was found, executed again in the two-valued semantics.
    fn executed(
        &self,
        host: &Model,
        run: &answer::Run,
        kind: answer::Kind,
    ) -> Result<(Recording, Report), Failure> {
        let internal =
            |f: Failure| Failure::Internal(format!("a counterexample was refused: {}", f.message()));
        let (file, fingerprint) = (host.file.clone(), host.fingerprint.clone());
        let origin = Recording { file, fingerprint, ..Recording::default() };
        let executor = StructuresExecutor::new(self.model, self.map, origin, self.reading);
        let ending = match (kind, run.loop_start) {
            (answer::Kind::Deadlock, _) => Ending::Deadlock,
            (answer::Kind::Error, _) => Ending::Fault,
            (answer::Kind::Race, _) => Ending::Race,
            (_, Some(loop_start)) => Ending::Lasso { loop_start },
            _ => Ending::Open,
        };
        let first = run.states.first().cloned().unwrap_or_default();
        let recording = executor.recording(&first, &run.steps, ending);
        let session = Session::execute(Box::new(executor), &recording).map_err(internal)?;
        let report = session.report();
        Ok((recording, report))
    }
}

fn kind(kind: answer::Kind) -> Kind {
    match kind {
        answer::Kind::Deadlock => Kind::Deadlock,
        answer::Kind::Invariant => Kind::Assertion,
        answer::Kind::Error => Kind::Runtime,
        answer::Kind::Race => Kind::Race,
        answer::Kind::Ltl => Kind::Ltl,
        answer::Kind::Never => Kind::Claim,
    }
}

fn property(answered: &Answered) -> Property {
    let (verdict, reason) = match &answered.verdict {
        answer::Verdict::Holds => (Verdict::Holds, None),
        answer::Verdict::Violated(_) => (Verdict::Violated, None),
        answer::Verdict::Unknown { reason, .. } => (Verdict::Unknown, Some(reason.clone())),
    };
    let temporal = matches!(answered.kind, answer::Kind::Ltl | answer::Kind::Never);
    Property {
        name: answered.name.clone(),
        kind: kind(answered.kind),
        verdict,
        reason,
        vacuous: answered.vacuous.clone(),
        product: temporal.then_some((answered.states, answered.transitions)),
        reduction: None,
    }
}

fn errors(properties: &[Property]) -> Errors {
    let count = |kind: Kind| {
        properties.iter().filter(|p| p.kind == kind && p.verdict == Verdict::Violated).count() as u64
    };
    Errors {
        deadlock: count(Kind::Deadlock),
        assertion: count(Kind::Assertion),
        runtime: count(Kind::Runtime),
    }
}

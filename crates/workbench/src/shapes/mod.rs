//! `weave check` on `.tvm` and `.java`: any number of threads and objects, by three-valued
//! structures.
//!
//! The answer has the same shape as that of other models: states are abstract ones, a violation is
//! a concrete run that the two-valued semantics has taken step by step, and what was believed
//! without proof stands under `assumes`.

pub mod certified;
pub(crate) mod heap;
pub(crate) mod java_meaning;
mod pictures;
mod races;
mod violated;

pub use java::Reading;
pub use races::Races;

use crate::answer::{
    Answer, Certificate, Decided, Numbers, Pictures, ReductionUsed, SearchNumbers, Unreached, Verdict,
    Violation,
};
use crate::executor::structures::{StructuresExecutor, names};
use crate::failure::Failure;
use crate::kind::{self, Language};
use crate::listener::{Interrupt, Progress, ProgressListener};
use crate::model::read_text;
use crate::question::Question;
use crate::recording::Recording;
use crate::reduction::ReductionKind;
use crate::report::{Ending, Location, Report};
use crate::simulate::Session;
use crate::verdict;
use shapes::answer::{self, Outcome, Request};
use shapes::concrete::Step;
use shapes::integrity::{Broken, Integrity};
use shapes::obligation::{self, Evidence};
use shapes::picture;
use source::{Diagnostic, SourceMap, Span};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use structures::vocabulary::Attribute;

pub(crate) fn is_java(file: &Path) -> bool {
    kind::language(file) == Language::Java
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// As it was named.
    pub(crate) file: PathBuf,
    pub(crate) map: SourceMap,
    pub(crate) model: structures::model::Model,
    warnings: Vec<Diagnostic>,
    pub(crate) fingerprint: String,
    pub(crate) reading: Reading,
    /// The names of the formulas that were added.
    formulas: Vec<String>,
}

impl Read {
    /// The file, as recordings name it.
    pub(crate) fn origin(&self) -> Recording {
        let (file, fingerprint) = (self.file.to_string_lossy().into_owned(), self.fingerprint.clone());
        Recording { file, fingerprint, ..Recording::default() }
    }
}

/// Reads a file, and formulas as if they stood in it.
pub(crate) fn read_with(path: &Path, reading: Reading, formulas: &[String]) -> Result<Read, Failure> {
    let mut read = read(path, reading)?;
    for (number, formula) in formulas.iter().enumerate() {
        read.formulas.push(ltl(&mut read.map, &mut read.model, number, formula)?);
    }
    Ok(read)
}

pub(crate) fn read(path: &Path, reading: Reading) -> Result<Read, Failure> {
    let mut map = SourceMap::new();
    let file = map.add(&*path.to_string_lossy(), read_text(path)?);
    let fingerprint = crate::model::fingerprint(&map, &[]);
    let (model, diagnostics) =
        if is_java(path) { java::read_as(&map, file, reading) } else { tvm::read(&map, file) };
    match model {
        Some(model) => {
            let (file, formulas) = (path.to_path_buf(), Vec::new());
            Ok(Read { file, map, model, warnings: diagnostics, fingerprint, reading, formulas })
        }
        None => Err(Failure::Rejected { map, diagnostics }),
    }
}

/// Checks a model of structures.
pub fn check(
    read: &Read,
    question: &Question,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Answer, Failure> {
    let Read { map, model, reading, .. } = read;
    let options = &question.shapes;
    let selected = question.selected.iter().map(|s| s.word().to_string());
    let selected: Vec<String> = selected.chain(read.formulas.iter().cloned()).collect();
    refuse_unknown(model, &selected)?;
    if options.races == Races::List && selected.iter().any(|name| name == structures::race::RACE) {
        let message =
            "--property race checks for data races, --races list only lists them: give one of the two";
        return Err(Failure::Request(message.to_string()));
    }
    let mut watcher = ProgressListener::new(question.limits.time, interrupt, tell);
    interrupt.phase("searching abstract and concrete states");
    let asked = asked(question, selected, is_java(&read.file));
    let mut answer = answer::answer(model, &asked, &mut watcher);
    interrupt.phase("certifying");
    certified::confirm(model, &mut answer)?;
    let seconds = watcher.seconds();
    let reduction = if answer.reduced { "movers" } else { "none" };
    let reporter = Reporter { model, map, reduction, races: options.races, reading: *reading };
    if let Some(diagnostics) = reporter.refusal(&answer) {
        return Err(Failure::Rejected { map: map.clone(), diagnostics });
    }
    reporter.result(read, &answer, seconds)
}

fn asked(question: &Question, selected: Vec<String>, java: bool) -> Request {
    let options = &question.shapes;
    Request {
        join: match options.partial_join.unwrap_or(java) {
            true => shapes::abstracted::Join::Partial,
            false => shapes::abstracted::Join::Relational,
        },
        concrete_first: java,
        whole_space: options.whole_space,
        reduce: question.reduction.kind != Some(ReductionKind::None),
        all_races: options.races == Races::List,
        population_fairness: !options.ignore_population_fairness,
        cross_check: options.cross_check,
        selected,
        limits: question.limits,
        individuals: options.individuals.unwrap_or(5),
        workers: question.threads.max(1),
        ..Request::default()
    }
}

/// Adds a formula of the command line.
fn ltl(
    map: &mut SourceMap,
    model: &mut structures::model::Model,
    number: usize,
    formula: &str,
) -> Result<String, Failure> {
    let name = if number == 0 { "--ltl".to_string() } else { format!("--ltl {}", number + 1) };
    let file = map.add(&*name, formula);
    let place = Span::new(file, 0, formula.len() as u32);
    match structures::syntax::temporal(&model.vocabulary, &Default::default(), formula, place) {
        Ok((claim, _)) => {
            let text = formula.to_string();
            model.properties.push(structures::model::Property {
                name: name.clone(),
                text,
                span: place,
                claim,
            });
            Ok(name)
        }
        Err(diagnostics) => Err(Failure::Rejected { map: map.clone(), diagnostics }),
    }
}

fn refuse_unknown(model: &structures::model::Model, selected: &[String]) -> Result<(), Failure> {
    let name = |(name, kind): (String, answer::Kind)| match kind {
        answer::Kind::Race => structures::race::RACE.to_string(),
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

struct Reporter<'a> {
    model: &'a structures::model::Model,
    map: &'a SourceMap,
    reduction: &'static str,
    races: Races,
    reading: Reading,
}

impl Reporter<'_> {
    fn snippet(&self, span: Span) -> String {
        self.map.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Why the model cannot be believed.
    fn refusal(&self, answer: &answer::Found) -> Option<Vec<Diagnostic>> {
        if answer.tried.nothing {
            let span = self.model.initial.first().map(|i| i.span).unwrap_or_default();
            let message = "the initial structures stand for no concrete state";
            let reported =
                Diagnostic::error("E0921", span, message).label("contradicts the constraints or definitions");
            return Some(vec![reported]);
        }
        if answer.tried.broken.is_empty() {
            return None;
        }
        Some(answer.tried.broken.iter().map(|broken| self.broken(broken)).collect())
    }

    fn broken(&self, broken: &Broken) -> Diagnostic {
        let text = broken.constraint.text(self.model, &|span| self.snippet(span));
        let message = match broken.constraint {
            Integrity::Update(..) => {
                format!("{text} differs from the definition of the predicate")
            }
            _ => format!("the model requires {text}, but a run violates it"),
        };
        let mut reported =
            Diagnostic::error("E0920", broken.constraint.span(self.model), message).label("the constraint");
        if let Some(last) = broken.steps.last() {
            reported = reported.also(self.model.actions[last.action].span, "the step that violates it");
        }
        let names = names(self.model, &broken.states[0]);
        let who = |step: &Step| {
            step.part.get(&0).and_then(|u| names.get(*u)).map(|n| format!("{n}: ")).unwrap_or_default()
        };
        let steps: Vec<String> =
            broken.steps.iter().map(|s| format!("{}{}", who(s), self.model.actions[s.action].name)).collect();
        reported
            .note(format!("the run, with {} individuals: {}", broken.states[0].individuals, steps.join("; ")))
            .help("repair the action, or remove the constraint")
    }

    fn result(&self, read: &Read, answer: &answer::Found, seconds: f64) -> Result<Answer, Failure> {
        let mut warnings = read.warnings.clone();
        let space = &answer.space;
        warnings.extend(self.declined(&space.notes.declined));
        let counts = |p: &&Outcome| p.kind != answer::Kind::Race || self.races == Races::Error;
        let others = answer.properties.iter().filter(|p| p.kind != answer::Kind::Race);
        let race = races::merged(&answer.properties).filter(|_| self.races == Races::Error);
        let mut properties: Vec<Decided> = others.map(|p| self.property(p)).chain(race).collect();
        let cross_check = cross_checked(answer)?;
        let holding = properties.iter_mut().filter(|p| cross_check.is_some() && p.verdict == Verdict::Holds);
        holding.for_each(|p| p.certificate = Some(Certificate::Embedded));
        let violations = answer.properties.iter().filter(counts).filter_map(|p| self.violation(p, read));
        let violations: Vec<Violation> = violations.collect::<Result<_, _>>()?;
        let races = if self.races == Races::List { self.listed(answer) } else { Vec::new() };
        let run = answer.properties.iter().find_map(|p| self.picture(p));
        let drawn = answer.drawn.as_ref().unwrap_or(space);
        let kripke = picture::space(self.model, &self.model.vocabulary, drawn);
        Ok(verdict::conclude(Answer {
            numbers: Numbers { seconds, search: Some(searched(answer)), ..Numbers::default() },
            errors: verdict::errors(&properties),
            unreached: space.is_complete().then(|| self.unreached(&space.taken)),
            exhausted: space.is_complete(),
            reduction: ReductionUsed { name: self.reduction.to_string(), ..ReductionUsed::default() },
            interrupted: space.stopped == Some(explore::Stop::Interrupt),
            violations,
            races,
            warnings,
            assumes: self.assumes(answer),
            cross_check,
            properties,
            pictures: Some(Pictures { run, space: kripke }),
            ..Answer::default()
        }))
    }

    /// Predicates that focus left indefinite.
    fn declined(&self, declined: &BTreeSet<structures::vocabulary::Symbol>) -> Vec<Diagnostic> {
        let warning = |symbol: &structures::vocabulary::Symbol| {
            let predicate = self.model.vocabulary.get(*symbol);
            let message =
                format!("focus cannot make `{}` definite between two summary nodes", predicate.name);
            Diagnostic::warning("W0901", predicate.span, message).label("stays 1/2 there")
        };
        declined.iter().map(warning).collect()
    }

    fn assumes(&self, answer: &answer::Found) -> Vec<String> {
        let tried = &answer.tried;
        // In Java each variable refers to one object: what the translation needs is said once.
        let function = |p: &Integrity| matches!(p, Integrity::Attribute(_, Attribute::Function));
        let small = |(p, evidence): &(&Integrity, &Evidence)| {
            self.is_java() && function(p) && **evidence == Evidence::Small
        };
        let references = answer.relied_on.iter().any(|relied| small(&relied)).then(|| {
            let most = obligation::SMALL;
            format!("a variable or field refers to at most one object (proved for up to {most} threads and objects)")
        });
        let mut all: Vec<String> = references.into_iter().collect();
        let others = answer.relied_on.iter().filter(|relied| !small(relied));
        all.extend(others.map(|(p, evidence)| {
                let text = p.text(self.model, &|span| self.snippet(span));
                match evidence {
                    Evidence::Small => format!("{text} (proved for up to {} individuals)", obligation::SMALL),
                    Evidence::Open { action, individuals } => format!(
                        "{text} (`{}` may violate it with {individuals} individuals, but did not in {} concrete states)",
                        self.model.actions[*action].name, tried.states
                    ),
                }
            }));
        if answer.properties.iter().any(|p| p.fairness_used && matches!(p.seen, answer::Seen::Nothing)) {
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

    fn location(&self, span: Span) -> Option<Location> {
        Location::of(self.map, span)
    }

    fn is_java(&self) -> bool {
        self.map.iter().next().is_some_and(|(_, text)| is_java(Path::new(&text.name)))
    }

    /// Statements that no run executes. One has several actions, as it may throw: it is reached by
    /// any of them.
    fn unreached(&self, taken: &[bool]) -> Vec<Unreached> {
        let all = || self.model.actions.iter().zip(taken);
        let place = |a: &structures::action::Action| (a.span, a.thread);
        let mut seen: BTreeSet<_> = all().filter(|(_, taken)| **taken).map(|(a, _)| place(a)).collect();
        let idle = all().filter(|(a, taken)| !**taken && a.error.is_none() && !a.weak);
        let idle = idle.filter(|(a, _)| a.span == Span::default() || seen.insert(place(a)));
        idle.map(|(action, _)| Unreached {
            process: action
                .thread
                .map_or_else(|| "environment".to_string(), |t| self.model.threads[t].name.clone()),
            statement: action.name.clone(),
            location: self.location(action.span),
        })
        .collect()
    }

    fn property(&self, answered: &Outcome) -> Decided {
        let (candidate, candidate_heaps) = (self.candidate(answered), self.candidate_heaps(answered));
        Decided { candidate, candidate_heaps, ..verdict::of_structures(answered) }
    }

    fn violation(&self, answered: &Outcome, read: &Read) -> Option<Result<Violation, Failure>> {
        let answer::Seen::Run(witness) = &answered.seen else { return None };
        let executed = self.executed(&witness.run, answered.kind, read);
        let property = match answered.kind {
            answer::Kind::Race => structures::race::RACE.to_string(),
            _ => answered.name.clone(),
        };
        Some(executed.map(|(recording, trace)| Violation {
            kind: answered.kind.into(),
            property,
            message: self.message(answered, witness, &trace),
            location: match answered.kind {
                answer::Kind::Deadlock | answer::Kind::Ltl | answer::Kind::Never => None,
                _ if matches!(answered.name.as_str(), "lock-cycle" | "lost-wakeup") => None,
                _ => trace.steps.last().and_then(|s| s.statements.last()).and_then(|s| s.location.clone()),
            },
            recording,
            trace,
            shortest: witness.shortest,
            at_end: Vec::new(),
            course: None,
        }))
    }

    /// The run that was found and confirmed, executed again.
    fn executed(
        &self,
        run: &space::Run,
        kind: answer::Kind,
        read: &Read,
    ) -> Result<(Recording, Report), Failure> {
        let executor = StructuresExecutor::new(self.model, self.map, read.origin(), self.reading);
        let ending = match run.ending {
            space::Ending::Deadlock | space::Ending::Blocked { .. } => Ending::Deadlock,
            space::Ending::Fault(_) => Ending::Fault,
            space::Ending::Lasso { loop_start } => Ending::Lasso { loop_start },
            space::Ending::Prefix if kind == answer::Kind::Race => Ending::Race,
            space::Ending::Prefix | space::Ending::Open => Ending::Open,
        };
        let recording = executor.recording(run, ending);
        let session = Session::execute(Box::new(executor), &recording);
        let session = session.map_err(|f| Failure::refused(f.message()))?;
        let report = session.report();
        Ok((recording, report))
    }
}

/// What the search took: of abstract states, or of concrete ones if these were enough.
fn searched(answer: &answer::Found) -> SearchNumbers {
    let space = &answer.space;
    let looked = answer.looked.as_ref().filter(|_| space.is_empty());
    let (states, transitions) = looked.map_or((space.len() as u64, space.steps), |l| (l.states, l.steps));
    SearchNumbers { states, transitions, depth: space.depth, memory_bytes: space.bytes() }
}

/// What the cross-check looked at, in words.
fn cross_checked(answer: &answer::Found) -> Result<Option<String>, Failure> {
    match &answer.checked {
        Some(Err(uncovered)) => {
            let steps = uncovered.steps.len();
            let message = format!("no abstract state stands for a concrete one after {steps} steps");
            Err(Failure::Internal(message))
        }
        Some(Ok(c)) => Ok(Some(format!(
            "{} concrete states of {} populations are covered, {} of these completely",
            c.states, c.populations, c.complete
        ))),
        None => Ok(None),
    }
}

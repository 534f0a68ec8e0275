//! Model checking of fair transition systems: SPL programs and `.fts` files under `weave check`.
//!
//! Two engines: `explicit` goes from state to state, `symbolic` computes with sets of states. What
//! is asked, what is answered and the certifier are the same for both. Idling is always possible,
//! so a program that has ended is no deadlock. Fairness is the file's own unless it is weakened. A
//! search that does not end is cut off: *unknown*.

pub(crate) mod asked;
mod axioms;
pub(crate) mod certified;
mod explicit;
mod prefix;
mod reduced;
pub(crate) mod symbolic;
pub(crate) mod vacuous;

use crate::answer::{
    Answer, Decided, Diagrams, Kind, Numbers, ReductionUsed, SearchNumbers, Verdict, Violation,
};
use crate::certificate::{Certifier, of_relation};
use crate::executor::relation::Broken;
use crate::failure::{Failure, Open};
use crate::listener::{Interrupt, Progress, ProgressListener};
use crate::prove::Source;
use crate::question::{Engine, Question};
use crate::verdict;
use certified::Context;
use explore::Stop;
use explore::recorded::Recorded;
use logic::fol::Term;
use logic::ltl::{Formula, Unary};
use prover::shape::assertion;
use space::{Path, Run};
use std::cell::RefCell;
use system::fts::Fairness;
use system::fts::step::{State, Valuation};

/// What an engine found.
#[derive(Default)]
struct Found {
    /// A fair run that breaks the formula, or a finite one after which it is broken whatever comes.
    path: Option<Path<State>>,
    /// Why nothing is known, if there is no run.
    open: Option<String>,
    /// States and transitions of a search of its own.
    product: Option<(u64, u64)>,
    /// What was left out of that search.
    reduction: Option<ReductionUsed>,
}

/// An engine that has looked for the reachable states.
trait Checker {
    /// Why not all of them were found.
    fn incomplete(&self) -> Option<String>;

    /// A run to a state where an assertion is false.
    fn breaks(&self, assertion: &Term) -> Result<Option<Path<State>>, Open>;

    /// A fair run that breaks a formula.
    fn violation(&self, formula: &Formula<Term>, given: &Valuation) -> Found;

    fn numbers(&self) -> SearchNumbers;

    /// The states one by one, each on a shortest run, unless the search ended at one without a
    /// value.
    fn recorded(&self) -> Option<&Recorded> {
        None
    }

    fn diagrams(&self) -> Option<Diagrams> {
        None
    }

    /// What was left out.
    fn reduction(&self) -> ReductionUsed {
        ReductionUsed::default()
    }
}

/// The sets of states hold whole numbers.
const FRACTIONS: &str = "the model divides real numbers, and the symbolic engine does not support fractions";

/// What both engines are given.
struct Query<'a> {
    source: &'a Source,
    request: &'a Question,
    given: &'a Valuation,
    /// Runs need be no fairer than this to any transition.
    fairness: Fairness,
    /// States that break one of these are not entered.
    invariants: Vec<Term>,
}

/// Checks a transition system by search or decision diagrams.
pub fn check(
    source: &Source,
    request: &Question,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Answer, Failure> {
    let claims = asked::wanted(source, request)?.claims();
    interrupt.board().properties = verdict::open(&claims);
    search(source, request, interrupt, tell)
}

/// The same for a job that has said what is asked for.
pub(crate) fn search(
    source: &Source,
    request: &Question,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Answer, Failure> {
    let given = asked::given(source, &source.defines)?;
    let question = Query {
        source,
        request,
        given: &given,
        fairness: request.fairness.unwrap_or(Fairness::Strong),
        invariants: asked::invariants(source, &request.invariants)?,
    };
    interrupt.phase("searching");
    interrupt.board().map = source.map.clone();
    let watcher = RefCell::new(ProgressListener::new(request.limits.time, interrupt, tell));
    match request.engine {
        Engine::Search | Engine::Prove if is_reduced(request) => {
            answer(&question, &reduced::Fewer::new(&question, &watcher), &watcher, interrupt)
        }
        Engine::Search | Engine::Prove => {
            answer(&question, &explicit::Explicit::new(&question, &watcher), &watcher, interrupt)
        }
        Engine::Symbolic if is_reduced(request) => {
            let message = "--reduction does not apply to --engine symbolic, which works on sets of states";
            Err(Failure::Request(message.to_string()))
        }
        Engine::Symbolic => {
            symbolic::with(&question, &watcher, &mut |engine| answer(&question, engine, &watcher, interrupt))
        }
    }
}

/// Runs that break some properties, at most one each, with the values of what the property speaks
/// of; found state by state, and not yet certified.
pub(crate) fn runs(
    source: &Source,
    request: &Question,
    given: &Valuation,
    properties: &[system::fts::Property],
    interrupt: &Interrupt,
) -> Vec<(usize, Valuation, Path<State>)> {
    let (fairness, invariants) = (Fairness::Strong, Vec::new());
    let question = Query { source, request, given, fairness, invariants };
    let mut tell = |_: &Progress| {};
    let watcher = RefCell::new(ProgressListener::new(request.limits.time, interrupt, &mut tell));
    let engine = explicit::Explicit::new(&question, &watcher);
    let searched = Searched { engine: Some(&engine), watcher: &watcher };
    let run = |(at, property): (usize, &system::fts::Property)| {
        let values = asked::rigid_values(source, given, property)?;
        values.into_iter().find_map(|given| {
            let path = searched.violation(&question, &property.formula, &given).path?;
            Some((at, given, path))
        })
    };
    properties.iter().enumerate().filter_map(run).collect()
}

/// Whether fewer steps are asked for. Sleep sets alone see all states: there is nothing to gain.
fn is_reduced(request: &Question) -> bool {
    use crate::reduction::ReductionKind::{Persistent, PersistentSleep};
    matches!(request.reduction.kind, Some(Persistent | PersistentSleep))
}

fn answer(
    question: &Query<'_>,
    engine: &dyn Checker,
    watcher: &RefCell<ProgressListener<'_>>,
    interrupt: &Interrupt,
) -> Result<Answer, Failure> {
    let (mut properties, mut violations) = (Vec::new(), Vec::new());
    let axioms = axioms::looked_at(question, engine, interrupt);
    let wanted = asked::wanted(question.source, question.request)?;
    let fractions = question.request.engine == Engine::Symbolic
        && asked::divides_reals(&question.source.fts, &wanted.properties);
    if fractions && wanted.runtime {
        properties.push(Decided::unknown("runtime", Kind::Runtime, FRACTIONS));
    } else if wanted.runtime {
        let (property, violation) = type_checks(question, engine, watcher)?;
        note((question, engine), interrupt, &property, violation.as_ref());
        properties.push(property);
        violations.extend(violation);
    }
    for property in &wanted.properties {
        if !violations.is_empty() && !question.request.keep_going {
            properties.push(Decided::unknown(
                &property.name,
                Kind::Ltl,
                "the search stopped at the first violation",
            ));
            continue;
        }
        let searched = Searched { engine: (!fractions).then_some(engine), watcher };
        let (judged, violation) = judge(question, &searched, property)?;
        note((question, engine), interrupt, &judged, violation.as_ref());
        properties.push(judged);
        violations.extend(violation);
    }
    if let Some(reason) = &axioms.excluded {
        violations.clear();
        properties = properties.iter().map(|p| Decided::unknown(&p.name, p.kind, reason)).collect();
    }
    if !fractions {
        unknown_behind_failed_checks(question, engine, watcher, &mut properties)?;
    }
    let (search, seconds) = (engine.numbers(), watcher.borrow().seconds());
    certify(question, &wanted.properties, &mut properties, (search, &watcher.borrow()))?;
    let decided = properties.iter().all(|p| p.verdict != Verdict::Unknown);
    Ok(verdict::conclude(Answer {
        numbers: Numbers { seconds, search: Some(search), diagrams: engine.diagrams(), ..Numbers::default() },
        errors: verdict::errors(&properties),
        reduction: engine.reduction(),
        exhausted: engine.incomplete().is_none() && decided,
        interrupted: interrupt.is_interrupted(),
        properties,
        violations,
        warnings: question.source.warnings.iter().cloned().chain(axioms.warnings).collect(),
        ..Answer::default()
    }))
}

/// Certifies what holds, if all does or it is asked for.
fn certify(
    question: &Query<'_>,
    asked: &[system::fts::Property],
    properties: &mut [Decided],
    (searched, watcher): (SearchNumbers, &ProgressListener<'_>),
) -> Result<(), Failure> {
    let certifier = &Certifier { asked: question.request.certify, watcher };
    let open = properties.iter().any(|p| p.verdict != Verdict::Holds) && !certifier.asked;
    if open || certifier.is_beyond(searched.states) {
        return Ok(());
    }
    watcher.note_search(&searched);
    watcher.phase("certifying");
    let relation = context(question, question.given);
    for decided in properties {
        let property = asked.iter().find(|p| decided.kind == Kind::Ltl && p.name == decided.name);
        let values = property.and_then(|p| asked::rigid_values(question.source, question.given, p));
        of_relation(relation, (property, &values.unwrap_or_default()), decided, certifier)?;
    }
    Ok(())
}

/// Where a type check fails, an expression has no value, and the search does not look behind it.
/// This counts whether or not the checks are asked for.
fn unknown_behind_failed_checks(
    question: &Query<'_>,
    engine: &dyn Checker,
    watcher: &RefCell<ProgressListener<'_>>,
    properties: &mut [Decided],
) -> Result<(), Failure> {
    if properties.iter().all(|p| p.verdict != Verdict::Holds) {
        return Ok(());
    }
    let checks = match properties.iter().find(|p| p.kind == Kind::Runtime) {
        Some(asked) => asked.verdict,
        None => type_checks(question, engine, watcher)?.0.verdict,
    };
    let incomplete = engine.incomplete();
    let reason = match checks {
        Verdict::Holds => return Ok(()),
        Verdict::Unknown if incomplete.is_some() => incomplete.as_deref().unwrap_or_default(),
        Verdict::Violated => "a type check fails, and nothing after it was checked",
        Verdict::Unknown => "a type check is undecided, and nothing after a failing one is checked",
    };
    verdict::make_unknown(properties, reason);
    Ok(())
}

/// What is known is not lost if the rest takes too long. Where there are axioms a run is judged
/// later; where there are type checks, or states were not seen, nothing holds before all has been
/// looked at.
fn note(
    (question, engine): (&Query<'_>, &dyn Checker),
    job: &Interrupt,
    property: &Decided,
    violation: Option<&Violation>,
) {
    let checks = !question.source.fts.type_checks.is_empty() || engine.incomplete().is_some();
    let early = property.verdict == Verdict::Holds && checks;
    if early || !question.source.fts.axioms.is_empty() {
        return;
    }
    let mut board = job.board();
    board.note(property);
    if board.violation.is_none() {
        board.violation = violation.cloned();
    }
}

/// Indices within bounds, divisors that are not zero: in every reachable state.
fn type_checks(
    question: &Query<'_>,
    engine: &dyn Checker,
    watcher: &RefCell<ProgressListener<'_>>,
) -> Result<(Decided, Option<Violation>), Failure> {
    let Query { source, given, .. } = question;
    let mut open = engine.incomplete();
    for check in &source.fts.type_checks {
        let condition = check.everywhere();
        let always = Formula::unary(Unary::Always, Formula::Atom(condition.clone()));
        let seen = match engine.breaks(&condition) {
            Ok(None) => continue,
            Ok(seen) => seen,
            Err(reason) => {
                open = open.or(Some(reason.0));
                prefix::broken(question, &always, given, None, watcher)
            }
        };
        let Some(path) = seen else { continue };
        if let Err(why) = axioms::allow(context(question, given), &path) {
            open = open.or(Some(format!("a type check fails, but {why}")));
            continue;
        }
        let run = context(question, given).reaches(&condition, &path).map_err(Failure::refused)?;
        let broken = Broken {
            kind: Kind::Runtime,
            property: "runtime",
            what: format!("it is not true that {}", check.what),
            how: None,
            span: check.span,
            formula: None,
        };
        let violation = broken.violation(source, given, &source.defines, (&path, run))?;
        return Ok((Decided::new("runtime", Kind::Runtime, Verdict::Violated), Some(violation)));
    }
    let property = match open {
        Some(reason) => Decided::unknown("runtime", Kind::Runtime, &reason),
        None => Decided::new("runtime", Kind::Runtime, Verdict::Holds),
    };
    Ok((property, None))
}

fn context<'a>(question: &Query<'a>, given: &'a Valuation) -> Context<'a> {
    Context { fts: &question.source.fts, given, fairness: question.fairness }
}

/// Who looks for runs: an engine, if it can compute with the numbers of the program.
struct Searched<'a, 'w> {
    engine: Option<&'a dyn Checker>,
    watcher: &'a RefCell<ProgressListener<'w>>,
}

/// Looks for a fair run that breaks a property, for all values of what it speaks of universally.
fn judge(
    question: &Query<'_>,
    searched: &Searched<'_, '_>,
    property: &system::fts::Property,
) -> Result<(Decided, Option<Violation>), Failure> {
    let source = question.source;
    let Some(values) = asked::rigid_values(source, question.given, property) else {
        let reason = "the formula quantifies over values that cannot be enumerated";
        return Ok((Decided::unknown(&property.name, Kind::Ltl, reason), None));
    };
    let (mut product, mut open, mut reduction) = (None, None, None::<ReductionUsed>);
    for given in values {
        let found = searched.violation(question, &property.formula, &given);
        reduction = match (reduction, found.reduction) {
            (Some(a), Some(b)) => Some(a.and(b)),
            (before, after) => before.or(after),
        };
        product = match (product, found.product) {
            (Some((a, b)), Some((c, d))) => Some((a + c, b + d)),
            (before, after) => before.or(after),
        };
        if let Some(path) = found.path {
            let run = match confirmed(context(question, &given), &property.formula, &path)? {
                Ok(run) => run,
                Err(why) => {
                    open = open.or(Some(format!("a counterexample was found, but {why}")));
                    continue;
                }
            };
            let violation = Broken::of(property).violation(source, &given, &source.defines, (&path, run))?;
            let judged = Decided::new(&property.name, Kind::Ltl, Verdict::Violated);
            return Ok((
                Decided { product, reduction, text: property.text.clone(), ..judged },
                Some(violation),
            ));
        }
        open = open.or(found.open);
    }
    let judged = match open {
        None => {
            let vacuous = vacuous::of(question, searched, property);
            Decided { vacuous, ..Decided::new(&property.name, Kind::Ltl, Verdict::Holds) }
        }
        Some(reason) => Decided::unknown(&property.name, Kind::Ltl, &reason),
    };
    Ok((Decided { product, reduction, text: property.text.clone(), ..judged }, None))
}

/// The run through these states, if it violates the formula; why that is not known, if it is not.
fn confirmed(
    context: Context<'_>,
    formula: &Formula<Term>,
    path: &Path<State>,
) -> Result<Result<Run, Open>, Failure> {
    if let Err(why) = context.counts(path) {
        return Ok(Err(Open(why.to_string())));
    }
    match context.broken(formula, path) {
        Ok(run) => Ok(Ok(run)),
        Err(why) if why.is_undefined() => Ok(Err(Open(why.to_string()))),
        Err(why) => Err(Failure::refused(why)),
    }
}

impl Searched<'_, '_> {
    /// A fair run that breaks a formula. Where not all states are known, a finite run that breaks
    /// it is looked for first: it is near if there is one.
    fn violation(&self, question: &Query<'_>, formula: &Formula<Term>, given: &Valuation) -> Found {
        let partial = self.engine.is_none_or(|engine| engine.incomplete().is_some());
        let early = if partial { self.prefix(question, formula, given) } else { None };
        if early.is_some() {
            return Found { path: early, ..Found::default() };
        }
        let Some(engine) = self.engine else {
            return Found { open: Some(FRACTIONS.to_string()), ..Found::default() };
        };
        // A second search with the same limit sees no other states.
        let limited = question.request.limits.states.is_some() && engine.recorded().is_some();
        if partial && limited && is_invariance(formula) {
            return Found { open: engine.incomplete(), ..Found::default() };
        }
        let found = engine.violation(formula, given);
        // A shortest finite run that breaks the formula is shown rather than one that goes round.
        let wanted = found.path.is_some() || (found.open.is_some() && !partial);
        match wanted.then(|| self.prefix(question, formula, given)).flatten() {
            None => found,
            path => Found { path, ..found },
        }
    }

    /// A finite run that breaks a formula, certified.
    fn prefix(
        &self,
        question: &Query<'_>,
        formula: &Formula<Term>,
        given: &Valuation,
    ) -> Option<Path<State>> {
        let recorded = self.engine.and_then(Checker::recorded);
        let path = prefix::broken(question, formula, given, recorded, self.watcher)?;
        context(question, given).broken(formula, &path).ok().map(|_| path)
    }
}

/// `[] p`, about single states.
fn is_invariance(formula: &Formula<Term>) -> bool {
    matches!(formula, Formula::Unary(Unary::Always, p) if assertion(p).is_some())
}

fn words(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "the limit on states was reached; raise it with --max-states",
        Stop::Depth => "the limit on depth was reached",
        Stop::Memory => "the limit on memory was reached",
        Stop::Disk => "no room is left on the disk",
        Stop::Time => "out of time",
        Stop::Interrupt => "interrupted",
        Stop::Violation => "the search stopped at the first violation",
        Stop::Undefined => "an expression is undefined",
    }
}

/// Why a constrained search says nothing about all runs.
const CONSTRAINED: &str =
    "a reachable state violates an invariant that the search was given as an assumption";

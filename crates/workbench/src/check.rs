//! Checks every interleaving of a model: search, certify, judge.

use crate::answer::{
    Answer, Decided, Errors, Kind, Numbers, ReductionUsed, SearchNumbers, Unreached, Verdict, Violation,
};
use crate::certificate::of_model;
use crate::disk::{self, Kept};
use crate::engine::{self, Found};
use crate::exclusive;
use crate::executor::system::executed;
use crate::failure::Failure;
use crate::headline;
use crate::listener::{Interrupt, Progress, ProgressListener};
use crate::model::{Claim, Model};
use crate::question::{Keep, Limits, Order, Question};
use crate::reduction::{Plan, Proviso, ReductionKind, ReductionRequest};
use crate::report::{Ending, Report};
use crate::temporal::{self, Judged, Query, Searched};
use crate::verdict;
use crate::why::course;
use explore::Stop;
use space::{Fault, Run};
use std::collections::HashSet;

/// Checks a Promela model by search.
pub fn check(
    model: &Model,
    request: &Question,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Answer, Failure> {
    let mut asked = verdict::asked(&model.claims, &request.selected)?;
    if request.reduction.asks_only_deadlocks(&request.selected) {
        asked.retain(|c| c.kind == Kind::Deadlock);
    }
    disk::admit(request, &asked)?;
    let mut watcher = ProgressListener::new(request.limits.time, interrupt, tell);
    watcher.job().board().properties = verdict::open(&asked);
    watcher.job().board().map = model.map.clone();
    let wanted: Vec<Kind> = asked.iter().map(|c| c.kind).collect();
    let early = verdict::is_about_runs(&asked).then(|| judge_runs(model, request, &asked, &mut watcher));
    let early = early.transpose()?;
    let known = early.as_ref().and_then(|judged| known(model, request, judged));
    let (mut found, kept) = match (known, &request.disk) {
        (Some(found), _) => (found, None),
        (None, None) => (engine::search(&model.system, request, &wanted, &mut watcher)?, None),
        (None, Some(store)) => {
            let (found, kept) = disk::search(model, request, store, &wanted, &mut watcher)?;
            (found, Some(kept))
        }
    };
    let numbers = numbers(&found, watcher.seconds());
    // Certified before anything else is done: what was found is not lost, whatever happens next.
    let mut violations = certified(model, &found, &wanted, &watcher)?;
    if shorten(model, request, &mut found, &mut watcher)? {
        violations = certified(model, &found, &wanted, &watcher)?;
    }
    let errors = counted(&found);
    for claim in asked.iter().filter(|c| verdict::is_safety(c.kind)) {
        let known = [claim.clone()];
        let searched = (&found.report, &found.plan);
        let known = verdict::judge(&known, &errors, searched, &request.limits, &[]);
        watcher.job().board().note(&Decided::new(&claim.name, claim.kind, verdict::overall(&known)));
    }
    let judged = match early {
        Some(judged) => judged,
        None => judge_runs(model, request, &asked, &mut watcher)?,
    };
    let report = &found.report;
    let exhausted = report.stopped.is_none() && report.losses.is_none();
    let of_runs = judged.iter().filter_map(|(claim, j)| Some((claim, j.searched.run.as_ref()?)));
    for (claim, run) in of_runs {
        violations.push(violation(model, claim.kind, &claim.name, run, false)?);
    }
    let searched = (report, &found.plan);
    let mut properties = verdict::judge(&asked, &errors, searched, &request.limits, &judged);
    for property in &mut properties {
        property.text = model.text_of(&property.name, property.kind).unwrap_or_default().to_string();
    }
    watcher.note_search(&SearchNumbers::from(report));
    of_model(model, request, &mut properties, report.states, &watcher)?;
    let decides = found.plan.decides(Kind::Assertion);
    let answer = verdict::conclude(Answer {
        properties,
        numbers,
        errors,
        unreached: (exhausted && decides).then(|| unreached(model, &found.reached)),
        reduction: ReductionUsed {
            name: found.plan.name().to_string(),
            proviso: found.plan.reduction.is_some_and(|r| r.proviso != Proviso::Off),
            dropped: found.dropped.clone(),
            off: found.report.full_expansions.clone(),
        },
        exhausted,
        interrupted: report.stopped == Some(Stop::Interrupt)
            || judged.iter().any(|(_, j)| j.searched.stopped == Some(Stop::Interrupt)),
        violations,
        warnings: model.warnings.iter().cloned().chain(exclusive::warnings(model, &found.uses)).collect(),
        ..Answer::default()
    });
    if answer.verdict == Verdict::Violated && answer.violations.is_empty() {
        return Err(Failure::Internal("a violation was counted, but no run shows it".to_string()));
    }
    kept.into_iter().for_each(Kept::settle);
    Ok(answer)
}

fn counted(found: &Found) -> Errors {
    let report = &found.report;
    Errors { deadlock: report.deadlocks, assertion: report.assertions, runtime: report.faults }
}

/// What the searches of runs have found already, if no other search is needed.
///
/// If a property is violated, not all states are asked for: the numbers are those of the products.
/// If one of the searches saw the whole reduced system, it would have met a run-time error: the
/// numbers are those of that system. Who uses which channel is seen in a search of states alone.
fn known(model: &Model, request: &Question, judged: &[(Claim, Judged)]) -> Option<Found> {
    let mut found = Found::default();
    if !request.keep_going && judged.iter().any(|(_, j)| j.searched.run.is_some()) {
        found.report.stopped = Some(Stop::Violation);
        found.report.states = judged.iter().map(|(_, j)| j.searched.product.states).sum();
        found.report.transitions = judged.iter().map(|(_, j)| j.searched.product.transitions).sum();
        return Some(found);
    }
    let tracked = |claim: &Claim| model.properties.iter().any(|p| p.claim == *claim && p.tracked.is_some());
    let (_, seen) = judged.iter().find(|(claim, j)| j.searched.whole.is_some() && !tracked(claim))?;
    let whole = seen.searched.whole.as_ref().filter(|_| model.system.exclusive.is_empty())?;
    let SearchNumbers { states, transitions, depth, memory_bytes } = whole.numbers;
    let off = seen.searched.reduction.as_ref().map(|used| used.off.clone()).unwrap_or_default();
    found.report =
        explore::Report { states, transitions, depth, memory_bytes, full_expansions: off, ..found.report };
    found.reached = whole.reached.clone();
    found.plan = Plan::of_runs(whole.method);
    Some(found)
}

/// What is known of each property of whole runs.
fn judge_runs(
    model: &Model,
    request: &Question,
    asked: &[Claim],
    watcher: &mut ProgressListener<'_>,
) -> Result<Vec<(Claim, Judged)>, Failure> {
    let mut judged = Vec::new();
    for claim in asked.iter().filter(|c| !verdict::is_safety(c.kind)) {
        let stated = model.properties.iter().find(|stated| stated.claim == *claim);
        if let Some(stop) = watcher.over() {
            let why = verdict::words(stop, &request.limits);
            let searched = Searched { stopped: Some(stop), ..Searched::default() };
            judged.push((claim.clone(), Judged { searched, ..Judged::refused(why) }));
            continue;
        }
        let known = match stated.map(|s| (s.tracked.as_ref().unwrap_or(&model.system), &s.property)) {
            Some((system, Ok(property))) => {
                temporal::check(&Query { map: &model.map, system, property, request }, watcher)?
            }
            Some((_, Err(why))) => Judged::refused(why.to_string()),
            None => return Err(Failure::Internal(format!("no result was recorded for `{}`", claim.name))),
        };
        if let Some(run) = known.searched.run.as_ref().filter(|_| watcher.job().board().violation.is_none()) {
            let shown = violation(model, claim.kind, &claim.name, run, false)?;
            watcher.job().board().violation = Some(shown);
        }
        watcher.job().board().note(&Decided::new(&claim.name, claim.kind, known.verdict));
        judged.push((claim.clone(), known));
    }
    Ok(judged)
}

/// No more states than this are searched for a shorter run.
const SHORTEN_STATES: u64 = 200_000;

/// A depth-first search that stopped at a violation shows some run; a small breadth-first one often
/// finds a shorter one. Whether it did.
fn shorten(
    model: &Model,
    request: &Question,
    found: &mut Found,
    watcher: &mut ProgressListener<'_>,
) -> Result<bool, Failure> {
    let [violation] = &mut found.report.violations[..] else { return Ok(false) };
    if violation.shortest || request.keep_going || violation.run.steps.len() <= 1 || watcher.over().is_some()
    {
        return Ok(false);
    }
    let limits = Limits { states: Some(SHORTEN_STATES), ..request.limits };
    let reduction = ReductionRequest { kind: Some(ReductionKind::None), ..request.reduction };
    let order = Some(Order::BreadthFirst);
    let request = Question { order, limits, reduction, keep: Keep::All, swarm: None, ..request.clone() };
    let shorter = engine::search(&model.system, &request, &[kind_of(&violation.run)?], watcher)?;
    if let Some(better) = shorter.report.violations.into_iter().next()
        && better.run.steps.len() < violation.run.steps.len()
    {
        *violation = better;
        return Ok(true);
    }
    Ok(false)
}

fn numbers(found: &Found, seconds: f64) -> Numbers {
    let report = &found.report;
    Numbers {
        seconds,
        search: Some(report.into()),
        cache: report.cache,
        losses: report.losses,
        disk: found.disk.clone(),
        ..Numbers::default()
    }
}

/// The violations of the kinds wanted, each replayed by the certifier before anyone sees it.
fn certified(
    model: &Model,
    found: &Found,
    wanted: &[Kind],
    watcher: &ProgressListener<'_>,
) -> Result<Vec<Violation>, Failure> {
    if !found.report.violations.is_empty() {
        watcher.phase("certifying a violation");
    }
    let mut violations = Vec::new();
    for violation in &found.report.violations {
        let kind = kind_of(&violation.run)?;
        if !wanted.contains(&kind) {
            continue;
        }
        engine::certify(&model.system, &violation.run)?;
        let shown = self::violation(model, kind, kind.name(), &violation.run, violation.shortest)?;
        if violations.is_empty() {
            watcher.job().board().violation = Some(shown.clone());
        }
        violations.push(shown);
    }
    Ok(violations)
}

/// A violation as it is reported; the run has been certified.
pub(crate) fn violation(
    model: &Model,
    kind: Kind,
    property: &str,
    run: &Run,
    shortest: bool,
) -> Result<Violation, Failure> {
    let (recording, trace) = executed(model, run)?;
    Ok(Violation {
        kind,
        property: property.to_string(),
        message: message((model, kind, property), run, &trace),
        location: place(&trace),
        recording,
        trace,
        shortest,
        at_end: Vec::new(),
        course: course::of_run(model, kind, property, run),
    })
}

pub(crate) fn kind_of(run: &Run) -> Result<Kind, Failure> {
    match run.ending {
        space::Ending::Deadlock => Ok(Kind::Deadlock),
        space::Ending::Fault(Fault::Assertion) => Ok(Kind::Assertion),
        space::Ending::Fault(_) => Ok(Kind::Runtime),
        _ => Err(Failure::Internal("a counterexample does not show its violation".to_string())),
    }
}

/// What goes wrong, in the words of the text.
fn message((model, kind, property): (&Model, Kind, &str), run: &Run, trace: &Report) -> String {
    let last = trace.steps.last().and_then(|s| s.statements.last()).map(|s| s.text.as_str());
    match (run.ending, last) {
        (space::Ending::Fault(Fault::Assertion), Some(text)) if text.starts_with("assert") => {
            format!("{text} fails")
        }
        (space::Ending::Fault(fault), Some(text)) => {
            let fault = system::Fault::of(fault).map_or_else(String::new, |fault| fault.to_string());
            format!("{fault} in `{text}`")
        }
        (space::Ending::Fault(fault), None) => {
            system::Fault::of(fault).map_or_else(String::new, |fault| fault.to_string())
        }
        (space::Ending::Deadlock, _) => headline::deadlock(trace),
        _ => against(model.text_of(property, kind), (kind, property), trace),
    }
}

/// What a run does to a property of runs.
fn against(text: Option<&str>, (kind, property): (Kind, &str), trace: &Report) -> String {
    let how = headline::repeats(trace);
    match (text, kind, how) {
        (Some(text), ..) => headline::fails(text, trace),
        (None, Kind::Trace, None) => {
            let event = trace.steps.last().and_then(|s| s.statements.first()).map_or("", |s| s.text.as_str());
            format!("the trace does not allow `{event}` here")
        }
        (None, Kind::Progress, Some(how)) => format!("{how} without progress"),
        (None, _, Some(how)) => format!("{property} is violated: {how}"),
        (None, ..) => format!("{property} is violated"),
    }
}

/// Where to look first: the statement that failed, or the first that is blocked.
fn place(trace: &Report) -> Option<crate::report::Location> {
    match trace.ending {
        Ending::Deadlock => {
            let blocked = trace.waiting.iter().filter(|w| !w.valid_end);
            blocked.flat_map(|w| &w.statements).find_map(|s| s.location.clone())
        }
        Ending::Lasso { .. } | Ending::End => None,
        _ => trace.steps.last()?.statements.last()?.location.clone(),
    }
}

/// Statements that no run executes, by process and line. A statement may be a transition of several
/// locations: it is reached if one of them is.
fn unreached(model: &Model, reached: &[Vec<bool>]) -> Vec<Unreached> {
    let mut found: Vec<Unreached> = Vec::new();
    let mut reported = HashSet::new();
    for (id, (process_type, reached)) in model.system.process_types.iter().zip(reached).enumerate() {
        let transitions = || process_type.transitions.iter().zip(reached);
        let process = model.process_name(id);
        let executed: HashSet<_> =
            transitions().filter(|(_, r)| **r).map(|(t, _)| (t.span, &t.text)).collect();
        let detached = process_type.detached.iter().map(|(text, span)| (text, *span));
        let never = transitions().map(|(t, _)| (&t.text, t.span)).chain(detached);
        for (text, span) in never.filter(|(text, span)| !executed.contains(&(*span, *text))) {
            if reported.insert((process, span, text)) {
                found.push(Unreached {
                    process: process.to_string(),
                    statement: text.clone(),
                    location: model.location(span),
                });
            }
        }
    }
    found
}

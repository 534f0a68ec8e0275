//! `weave check --audit`: weave audits itself on a model.
//!
//! * Every reduction is held against the full search, on exactly what it guarantees (see
//!   [`crate::reduction`]): deadlock states always; with the proviso, or with sleep sets alone,
//!   also places of faults, executed statements and the local states of processes (Theorems 6.13,
//!   6.14). Sleep sets alone keep the number of states, and no reduction adds one.
//! * What reductions rely on, independence and persistence, is tried by execution on a sample of
//!   states ([`explore::reduction::audit`]).
//!
//! Both for the model as it is (raw) and as it is searched by default (merged). Any complaint is a
//! bug of ours.

use crate::engine::compiled;
use crate::executor::system::executed;
use crate::failure::Failure;
use crate::model::Model;
use crate::recording::Recording;
use compile::Program;
use compile::locals::Local;
use compile::simplify::Simplified;
use explore::reduction::audit::{self, Claim, Flaw, Invalid, Sample};
use explore::{Limits, NoListener, Options, Proviso, Reduction, Report};
use independence::selective::Selective;
use independence::{Algorithm, Method, node, partner};
use objects::Dependency;
use space::{Ending, Label, Run};
use std::collections::BTreeSet;
use system::{Fault, ProcessTypeId, Reference, State, TransitionId};

/// How much is audited.
#[derive(Clone, Copy, Debug)]
pub struct AuditRequest {
    /// States in which claims are tried.
    pub sample: usize,
    /// No reduction is compared with a search of more states.
    pub states: u64,
}

/// What was audited, and what is wrong.
#[derive(Clone, Debug, Default)]
pub struct AuditResult {
    /// Why there is nothing to audit.
    pub refused: Option<String>,
    /// Each simplification, audited by itself.
    pub modes: Vec<ModeAudit>,
    /// What was found wrong.
    pub complaints: Vec<Complaint>,
}

/// What was audited of the model with one simplification.
#[derive(Clone, Debug, Default)]
pub struct ModeAudit {
    /// `raw` or `merged`.
    pub mode: &'static str,
    /// States of the full search; `None` if there are more than allowed.
    pub states: Option<u64>,
    /// Reductions compared with it.
    pub reductions: usize,
    /// Local states of processes in the full search.
    pub locals: usize,
    /// States in which claims were tried.
    pub sampled: u64,
    /// Pairs of steps that were executed in both orders.
    pub pairs: u64,
    /// Persistent sets that were tried.
    pub sets: u64,
    /// Sets that more can happen outside of than was tried.
    pub cut: u64,
    /// Triples of steps that weak uniformity was tried on.
    pub triples: u64,
}

/// A claim of a reduction that turned out to be untrue.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// `raw` or `merged`.
    pub mode: &'static str,
    /// What is untrue.
    pub message: String,
    /// The run to the state where something untrue was claimed.
    pub run: Option<(Recording, crate::report::Report)>,
}

/// Systems with no more states than this are searched with every algorithm.
const EVERY_WAY: u64 = 500;

/// Tries the claims of every reduction on a model.
pub fn audit(model: &Model, request: &AuditRequest) -> Result<AuditResult, Failure> {
    let mut result = AuditResult::default();
    let system = &model.system;
    for (mode, simplified) in [("raw", Simplified::raw(system)), ("merged", Simplified::of(system))] {
        let mut program = compiled(simplified.clone())?;
        if let Err(refusal) = program.prepare() {
            result.refused = Some(refusal.to_string());
            return Ok(result);
        }
        let mut done = ModeAudit { mode, ..ModeAudit::default() };
        compare_all(model, &program, request, &mut done, &mut result.complaints)?;
        let sample = Sample { states: request.sample, ..Sample::default() };
        let found = audit::audit(&mut program, sample);
        (done.sampled, done.pairs, done.sets) = (found.states, found.pairs, found.sets);
        (done.cut, done.triples) = (found.cut, found.triples);
        for invalid in found.invalid {
            result.complaints.push(complaint(model, &simplified, mode, invalid)?);
        }
        result.modes.push(done);
    }
    Ok(result)
}

/// What a search says.
struct Said {
    report: Report,
    places: BTreeSet<(Fault, ProcessTypeId, Option<TransitionId>)>,
    executed: Vec<Vec<bool>>,
    locals: BTreeSet<Local>,
}

/// Holds every reduction against the full search.
fn compare_all(
    model: &Model,
    program: &Program,
    request: &AuditRequest,
    done: &mut ModeAudit,
    complaints: &mut Vec<Complaint>,
) -> Result<(), Failure> {
    let Some(full) = search(model, program.clone(), None, request.states)? else { return Ok(()) };
    done.states = Some(full.report.states);
    done.locals = full.locals.len();
    let default = |m: Method| m.algorithm == Algorithm::Stubborn && m.conditional;
    let usual = |r: &Reduction| r.persistent.is_none_or(default);
    for reduction in reductions().filter(|r| usual(r) || full.report.states <= EVERY_WAY) {
        // A reduced search that shrinks sleep sets may visit states again, never more states.
        let Some(said) = search(model, program.clone(), Some(reduction), request.states)? else {
            complain(complaints, done.mode, reduction, "more states than the full search".to_string());
            continue;
        };
        done.reductions += 1;
        for difference in differences(&full, &said, reduction) {
            complain(complaints, done.mode, reduction, difference);
        }
    }
    Ok(())
}

fn complain(complaints: &mut Vec<Complaint>, mode: &'static str, reduction: Reduction, message: String) {
    complaints.push(Complaint { mode, message: format!("{}: {message}", name(reduction)), run: None });
}

/// Every combination of algorithm, relation, sleep sets and proviso.
fn reductions() -> impl Iterator<Item = Reduction> {
    let sleep = Reduction { persistent: None, sleep: true, proviso: Proviso::Off };
    let algorithms = [Algorithm::Conflict, Algorithm::Overman, Algorithm::Stubborn].into_iter();
    let methods = algorithms.flat_map(|a| [(a, false), (a, true)]);
    let all = methods.flat_map(|(algorithm, conditional)| {
        [(false, Proviso::Off), (false, Proviso::Stack), (true, Proviso::Off), (true, Proviso::Stack)].map(
            |(sleep, proviso)| {
                let dependency = if sleep && proviso != Proviso::Off {
                    Dependency::Uniform
                } else {
                    Dependency::Conditional
                };
                let persistent = Some(Method { algorithm, conditional, dependency });
                Reduction { persistent, sleep, proviso }
            },
        )
    });
    std::iter::once(sleep).chain(all)
}

/// The options that ask for it.
fn name(reduction: Reduction) -> String {
    let Some(method) = reduction.persistent else { return "--reduction sleep".to_string() };
    let sets = match method.algorithm {
        Algorithm::Conflict => "conflict",
        Algorithm::Overman => "overman",
        Algorithm::Stubborn => "stubborn",
    };
    format!(
        "--reduction persistent{} --persistent-sets {sets} --relation {} --proviso {}",
        if reduction.sleep { "+sleep" } else { "" },
        if method.conditional { "conditional" } else { "static" },
        if reduction.proviso != Proviso::Off { "on" } else { "off" },
    )
}

/// Searches to the end, if there are no more states than allowed.
fn search(
    model: &Model,
    mut program: Program,
    reduction: Option<Reduction>,
    most: u64,
) -> Result<Option<Said>, Failure> {
    let limits = Limits { states: Some(most), ..Limits::default() };
    let options = Options { keep_going: true, limits, ..Options::default() };
    program.keep_locals();
    let report = match reduction {
        None => explore::search(&mut program, &options, &mut NoListener),
        Some(reduction) => explore::selective_search(&mut program, &options, reduction, &mut NoListener),
    };
    if report.stopped.is_some() {
        return Ok(None);
    }
    let mut places = BTreeSet::new();
    for violation in &report.violations {
        places.extend(place(model, &violation.run)?);
    }
    Ok(Some(Said { report, places, executed: program.reached(), locals: program.locals() }))
}

/// The fault that a run shows and where; the run is certified.
fn place(model: &Model, run: &Run) -> Result<Option<(Fault, ProcessTypeId, Option<TransitionId>)>, Failure> {
    // A d_step that never ends is reported without its whole loop; its beginning must be right.
    let diverges = run.ending == Ending::Fault(Fault::StepDiverges.into());
    let reported = match run.steps.split_last() {
        Some((_, before)) if diverges => Run::new(before.to_vec(), Ending::Open),
        _ => run.clone(),
    };
    let replayed = certify::replay(&Reference::new(&model.system), &reported).map_err(Failure::refused)?;
    let (Ending::Fault(fault), Some(step)) = (run.ending, run.steps.last()) else { return Ok(None) };
    let Some(fault) = Fault::of(fault) else { return Ok(None) };
    let before = &replayed.states[run.steps.len() - 1];
    let (pid, path) = step.partner.as_ref().map_or((step.actor, &step.path), |(pid, path)| (*pid, path));
    Ok(Some((fault, before.processes[pid].process_type, path.last().copied().filter(|_| !diverges))))
}

/// What a reduction says otherwise than the full search, against what it guarantees.
fn differences(full: &Said, said: &Said, reduction: Reduction) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ =
        |what: &str, here: u64, there: u64| found.push(format!("{here} {what} instead of {there}"));
    let (states, all) = (said.report.states, full.report.states);
    if states > all || reduction.persistent.is_none() && states != all {
        differ("states", states, all);
    }
    if said.report.deadlocks != full.report.deadlocks {
        differ("deadlock states", said.report.deadlocks, full.report.deadlocks);
    }
    let decides = reduction.proviso != Proviso::Off || reduction.persistent.is_none();
    let executed = |said: &Said| said.executed.iter().flatten().filter(|e| **e).count() as u64;
    if decides && said.places != full.places {
        differ("places of faults", said.places.len() as u64, full.places.len() as u64);
    }
    if decides && said.executed != full.executed {
        differ("executed statements", executed(said), executed(full));
    }
    if decides && said.locals != full.locals {
        differ("local states", said.locals.len() as u64, full.locals.len() as u64);
    }
    if !said.places.is_subset(&full.places) || !said.locals.is_subset(&full.locals) {
        found.push("faults or local states that the full search does not have".to_string());
    }
    found
}

/// An invalid claim in the words of the model, with the run to where it was made.
fn complaint(
    model: &Model,
    simplified: &Simplified,
    mode: &'static str,
    invalid: Invalid,
) -> Result<Complaint, Failure> {
    let refused = |why| Failure::Internal(format!("a run could not be replayed: {why}"));
    let replayed = certify::replay(&Reference::new(&model.system), &invalid.run).map_err(refused)?;
    let Some(state) = replayed.states.last() else {
        return Err(Failure::Internal("a claim about no state".to_string()));
    };
    let named = |label: &Label| in_words(model, simplified, state, *label);
    let all = |labels: &[Label]| labels.iter().map(named).collect::<Vec<_>>().join("; ");
    let flaw = match invalid.flaw {
        Flaw::Enabledness => "the one changes whether or how the other can be done",
        Flaw::Faults => "the one changes how the other fails",
        Flaw::Elsewhere => "the two orders lead to different states",
        Flaw::Uniformity => "they are independent after the third and not before",
    };
    let message = match &invalid.claim {
        Claim::Pair { one, other, by } => {
            format!("called independent ({by:?}): {} and {}; but {flaw}", named(one), named(other))
        }
        Claim::Set { method, set, after, one, other } => format!(
            "called persistent ({method:?}): {{ {} }}; but after {{ {} }} it meets {}: with {}, {flaw}",
            all(set),
            all(after),
            named(one),
            named(other)
        ),
        Claim::Uniform { one, other, between } => {
            format!(
                "not weakly uniform: {} and {}, third {}; {flaw}",
                named(one),
                named(other),
                named(between)
            )
        }
    };
    let run = Some(executed(model, &invalid.run)?);
    Ok(Complaint { mode, message, run })
}

/// Who does what: `P[1] x = 1 (line 3)`.
pub(crate) fn in_words(model: &Model, simplified: &Simplified, state: &State, label: Label) -> String {
    let one = |node: independence::Node| {
        let Some(process) = state.processes.get(node.process) else {
            return format!("process {}", node.process);
        };
        let process_type = process.process_type;
        let origin = simplified.origins[process_type].get(node.transition).and_then(|o| o.first());
        let transition = origin.and_then(|t| model.system.process_types[process_type].transitions.get(*t));
        let text = transition.map_or("", |t| t.text.as_str());
        let line = transition.and_then(|t| model.location(t.span)).map(|l| format!(" (line {})", l.line));
        format!("{}[{}] {text}{}", model.process_name(process_type), node.process, line.unwrap_or_default())
    };
    match partner(label) {
        Some(partner) => format!("{} with {}", one(node(label)), one(partner)),
        None => one(node(label)),
    }
}

//! Proves properties of SPL programs and transition systems: text → fair transition system →
//! conditions → solver → verdicts.

mod abstraction;
mod automatic;
mod bounded;
pub(crate) mod certified;
mod derived;
mod diagram;
mod jobs;
mod outline;
mod refute;
mod repeat;
mod schedule;
mod search;
mod shown;
mod slice;
mod solvers;
mod tasks;
mod vacuous;

use crate::answer::{Answer, Certificate, Decided, Kind, Numbers, Proof, ProofNumbers, Verdict, Violation};
use crate::executor::relation::Broken;
use crate::failure::Failure;
use crate::formula::FORMULA;
use crate::listener::Interrupt;
use crate::model::{Claim, read_text};
use crate::question::{Define, Question};
use crate::report::Location;
use crate::transition::certified::Context;
use crate::verdict;
use jobs::Job;
use logic::ltl::syntax::{self, Reading, Syntax};
use prover::{Effort, Findings, Judge, Obligation, Outcome, Session, Status, Warning};
use schedule::{Scheduler, State};
use source::{Diagnostic, FileId, SourceMap, Span};
use std::path::PathBuf;
use std::time::Instant;
use system::fts::{Fairness, Fts, Property};

pub use diagram::{Drawn, DrawnEdge, DrawnNode, drawn};
pub use outline::{Named, Outline, Outlined, Part, PartKind, outlined};
pub use solvers::Choice;
pub(crate) use solvers::TimedSolvers;

/// A system with its texts.
#[derive(Clone, Debug)]
pub struct Source {
    /// The texts.
    pub map: SourceMap,
    /// The files as they were named, in the map.
    pub(crate) roots: Vec<FileId>,
    /// The transition system.
    pub fts: Fts,
    /// Values of inputs and constants.
    pub defines: Vec<Define>,
    /// Formulas that were asked about.
    pub asked: Vec<Property>,
    /// What is suspicious in the texts.
    pub warnings: Vec<Diagnostic>,
}

impl Source {
    /// Reads a system and the formulas asked about it.
    pub fn read(files: &[PathBuf], formulas: &[String]) -> Result<Source, Failure> {
        let mut map = SourceMap::new();
        let mut roots = Vec::new();
        for file in files {
            roots.push(map.add(file.to_string_lossy().into_owned(), read_text(file)?));
        }
        let (fts, diagnostics) = spl::read(&map, &roots);
        let Some(fts) = fts else { return Err(Failure::Rejected { map, diagnostics }) };
        let asked = read_formulas(&mut map, &roots, formulas)?;
        Ok(Source { map, roots, fts, defines: Vec::new(), asked, warnings: diagnostics })
    }

    /// The first file, as it was named.
    pub fn file(&self) -> String {
        self.roots.first().map_or_else(String::new, |id| self.map.name(*id).to_string())
    }

    /// Where a span stands; `None` if it points nowhere.
    pub fn location(&self, span: Span) -> Option<Location> {
        Location::of(&self.map, span)
    }

    /// The properties to be treated.
    pub fn properties(&self, selected: &[String]) -> Result<Vec<Property>, Failure> {
        if !self.asked.is_empty() {
            return Ok(self.asked.clone());
        }
        for name in selected {
            if !self.fts.properties.iter().any(|p| p.name == *name) {
                let known: Vec<_> = self.fts.properties.iter().map(|p| &p.name[..]).collect();
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                return Err(Failure::Request(format!("no property `{name}`; there are: {known}")));
            }
        }
        let wanted = |p: &&Property| selected.is_empty() || selected.contains(&p.name);
        Ok(self.fts.properties.iter().filter(wanted).cloned().collect())
    }
}

pub(crate) fn read_formulas(
    map: &mut SourceMap,
    roots: &[FileId],
    formulas: &[String],
) -> Result<Vec<Property>, Failure> {
    let mut asked = Vec::new();
    for formula in formulas {
        let id = map.add(FORMULA, formula.clone());
        let (property, diagnostics) = spl::read_formula(map, roots, id);
        match property.or_else(|| read_elsewise(map, roots, id)) {
            Some(property) => asked.push(property),
            None => return Err(Failure::Rejected { map: map.clone(), diagnostics }),
        }
    }
    Ok(asked)
}

/// A formula whose operators are those of SPIN or the common letters; its atoms are the file's. If
/// both fit they must agree.
fn read_elsewise(map: &SourceMap, roots: &[FileId], id: FileId) -> Option<Property> {
    let text = &map.get(id)?.content;
    let whole = Span::new(id, 0, text.len() as u32);
    let restated = |syntax| restated(text, whole, syntax);
    let mut found = [Syntax::Spin, Syntax::Common].into_iter().filter_map(restated).filter_map(|text| {
        let mut map = map.clone();
        let id = map.add(FORMULA, text.clone());
        Some((text, spl::read_formula(&map, roots, id).0?))
    });
    let (first, property) = found.next()?;
    if found.any(|(other, _)| other != first) {
        return None;
    }
    let name = text.trim().to_string();
    Some(Property { text: name.clone(), name, span: whole, ..property })
}

/// A formula of one syntax in STeP's. Atoms are numbered while it is printed.
fn restated(text: &str, whole: Span, syntax: Syntax) -> Option<String> {
    const MARK: &str = "__";
    let atom = |text: &str, _| Ok(text.trim_matches('"').to_string());
    let (formula, _) = syntax::read(text, whole, Reading::Only(syntax), atom).ok()?;
    let (formula, atoms) = formula.numbered();
    let printed = syntax::print(&formula, Syntax::Step, |at| format!("{MARK}{at}{MARK}")).ok()?;
    let part = |(at, part): (usize, &str)| match at % 2 {
        0 => Some(part.to_string()),
        _ => Some(format!("({})", atoms.get(part.parse::<usize>().ok()?)?)),
    };
    printed.split(MARK).enumerate().map(part).collect()
}

/// Proves or refutes the properties of a system.
pub fn prove(source: &Source, request: &Question, interrupt: &Interrupt) -> Result<Answer, Failure> {
    if request.proofs.derive.is_some() {
        return derived::prove(source, request, interrupt);
    }
    if request.proofs.basis.is_some() || request.proofs.refines.is_some() {
        return abstraction::prove(source, request, interrupt);
    }
    let started = Instant::now();
    let deadline = request.limits.time.and_then(|t| started.checked_add(t));
    let solver = TimedSolvers::new(request.proofs.solver, deadline, interrupt.clone())?;
    let options = solver.options(&request.proofs);
    let clock = || started.elapsed().as_millis() as u64;
    let (fts, seen) = (&source.fts, &prover::clauses::Seen::default());
    let judge = Judge { fts, solver: &solver, options: &options, clock: &clock, until: u64::MAX, seen };
    let auto = request.proofs.auto || !request.proofs.engines.is_empty();
    let effort = Effort { auto, ..Effort::default() };
    let selected: Vec<String> = request.selected.iter().map(|s| s.word().to_string()).collect();
    let properties = source.properties(&selected)?;
    let claims = properties.iter().map(|p| Claim { name: p.name.clone(), kind: Kind::Ltl });
    interrupt.board().properties = verdict::open(&claims.collect::<Vec<_>>());
    interrupt.board().map = source.map.clone();
    interrupt.phase("checking axioms and transitions");
    let mut session = Session::new(judge, effort);
    let warnings: Vec<Warning> =
        session.sanity().into_iter().chain(session.axioms.warnings.clone()).collect();
    let valid = certified::valid(&judge);
    let mut certifier = certify::proof::Certifier::new(&source.fts, &valid);
    certified::confirm_axioms(&mut certifier, &judge, &mut session.axioms);
    session.known = session.axioms.assumed.clone();
    session.known.extend(session.axioms.proved.iter().map(|(lemma, _)| lemma.clone()));
    let jobs = jobs::all(source, &properties, effort.auto);
    interrupt.phase("proving");
    let context = (source, request, interrupt);
    let means = (&solver, &options, deadline);
    let state = Scheduler::new(context, means, &session, certifier, jobs).run();
    let findings = found(&session, warnings, &state);
    let vacuous = vacuous::proved(&judge, &properties, &findings);
    let solver = solve::Solver::name(&solver).to_string();
    let (types, diagrams) = (findings.types.clone(), source.fts.diagrams.clone());
    let generated = generated(&source.fts, &findings);
    let proof = Some(ProofNumbers { solver, generated, types, diagrams, ..ProofNumbers::default() });
    let found = judged(source, &properties, findings, state, &vacuous);
    Ok(verdict::conclude(Answer {
        numbers: Numbers { seconds: started.elapsed().as_secs_f64(), proof, ..Numbers::default() },
        exhausted: found.properties.iter().all(|p| p.verdict != Verdict::Unknown),
        interrupted: interrupt.is_interrupted(),
        ..found
    }))
}

/// What the scheduler found, as a session tells it.
fn found(session: &Session<'_>, warnings: Vec<Warning>, state: &State) -> Findings {
    let vacuous = warnings.iter().find(|w| w.vacuous).map(|w| w.message.clone());
    let jobs = || state.jobs.iter();
    let mut outcomes: Vec<Outcome> = jobs().filter(|j| !j.is_check).map(|j| j.outcome.clone()).collect();
    for (outcome, job) in outcomes.iter_mut().zip(jobs().filter(|j| !j.is_check)) {
        outcome.proved = job.verdict == Verdict::Holds;
        let dropped = &session.axioms.dropped;
        outcome.reason = match job.verdict {
            Verdict::Holds => None,
            Verdict::Violated => Some("a run violates it".to_string()),
            Verdict::Unknown if dropped.is_empty() => Some(job.reason()),
            Verdict::Unknown => {
                Some(format!("{}; axiom `{}` is not used", job.reason(), dropped.join("`, `")))
            }
        };
    }
    let types = jobs().filter(|job| job.is_check).map(Job::obligation).collect();
    let obligations = || jobs().flat_map(|job| &job.outcome.obligations);
    let used = |name: &String| obligations().any(|o| o.lemmas.contains(name));
    let assumes = session.axioms.assumed.iter().map(|l| l.name.clone()).filter(used).collect();
    let (generated, axioms) = (state.generated.clone(), session.axioms.clone());
    Findings { generated, outcomes, assumes, types, axioms, warnings, vacuous, ..Findings::default() }
}

/// What is known of each property that was asked for; `vacuous` are those that say nothing.
fn judged(
    source: &Source,
    properties: &[Property],
    findings: Findings,
    state: State,
    vacuous: &[(String, String)],
) -> Answer {
    let mut decided = Vec::new();
    let mut violations: Vec<Violation> = Vec::new();
    let (checks, jobs): (Vec<Job>, Vec<Job>) = state.jobs.into_iter().partition(|job| job.is_check);
    let types = &findings.types;
    for (mut outcome, job) in findings.outcomes.into_iter().zip(jobs) {
        let Some(asked) = properties.iter().find(|p| p.name == outcome.name) else { continue };
        if let Some(why) = &findings.vacuous {
            (outcome.proved, outcome.reason) = (false, Some(why.clone()));
        }
        let by_rules = outcome.evidence.is_some();
        let broken = job.violation.is_some();
        violations.extend(job.violation);
        let property = Decided { text: asked.text.clone(), ..of_outcome(outcome, broken) };
        let holds = property.verdict == Verdict::Holds;
        let certificate = job.certificate.or(by_rules.then_some(Certificate::Conditions)).filter(|_| holds);
        let empty = vacuous.iter().find(|(name, _)| *name == property.name).map(|(_, why)| why.clone());
        let vacuous = job.vacuous.or(empty).filter(|_| holds);
        decided.push(Decided { vacuous, certificate, ..property });
    }
    let reason = reason(&decided, types);
    let broken: Vec<Violation> = checks.into_iter().filter_map(|job| job.violation).collect();
    let fails = !broken.is_empty();
    violations.extend(broken);
    let unproved = types.iter().find(|o| o.status != Status::Proved);
    if fails {
        verdict::make_unknown(&mut decided, "a type check fails, and after that the model has no meaning");
    } else if let Some(check) = unproved {
        let reason = format!(
            "a type check is not proved, and after one that fails the model has no meaning: {}",
            check.name
        );
        verdict::make_unknown(&mut decided, &reason);
    }
    let checks = type_checks(types, fails);
    // Type checks alone are nothing to prove.
    decided.extend(checks.filter(|checks| !decided.is_empty() || checks.verdict == Verdict::Violated));
    let reported = findings.warnings.into_iter().map(|w| Diagnostic::warning("W0750", w.span, w.message));
    Answer {
        errors: verdict::errors(&decided),
        reason,
        properties: decided,
        violations,
        assumes: findings.assumes,
        warnings: source.warnings.iter().cloned().chain(reported).collect(),
        ..Answer::default()
    }
}

/// The invariants that were found, in words: labels stand for the places of control.
pub(crate) fn generated(fts: &Fts, findings: &Findings) -> Vec<(String, String)> {
    let words = |l: &prover::Lemma| (l.name.clone(), prover::labelled(fts, &l.formula).to_string());
    findings.generated.iter().map(words).collect()
}

/// What is known of a property after rules of proof were tried.
pub(crate) fn of_outcome(outcome: Outcome, broken: bool) -> Decided {
    let verdict = match (outcome.proved, broken) {
        (_, true) => Verdict::Violated,
        (true, false) => Verdict::Holds,
        (false, false) => Verdict::Unknown,
    };
    let mut rules: Vec<&'static str> = outcome.obligations.iter().map(|o| o.rule).collect();
    rules.dedup();
    let invariant = outcome.invariant.map(|e| e.to_string());
    let proof = Some(Proof { rules, obligations: outcome.obligations, invariant });
    // How far the rules came is no reason for a violation.
    let reason = if broken { Some("a run violates it".to_string()) } else { outcome.reason };
    Decided { reason, proof, ..Decided::new(&outcome.name, Kind::Ltl, verdict) }
}

/// Indices within bounds, divisors that are not zero: as one property.
fn type_checks(types: &[Obligation], broken: bool) -> Option<Decided> {
    let open = types.iter().find(|o| o.status != Status::Proved);
    let decided = match open {
        _ if broken => Decided::new("runtime", Kind::Runtime, Verdict::Violated),
        None if types.is_empty() => return None,
        None => Decided::new("runtime", Kind::Runtime, Verdict::Holds),
        Some(check) => {
            let reason = format!("a type check is not proved: {}", check.name);
            Decided::unknown("runtime", Kind::Runtime, &reason)
        }
    };
    Some(Decided { proof: Some(Proof::default()), ..decided })
}

/// Why the verdict is what it is, when no run breaks anything.
pub(crate) fn reason(decided: &[Decided], types: &[Obligation]) -> String {
    let open = decided.iter().find(|p| p.verdict != Verdict::Holds);
    let unproved_type = types.iter().find(|o| o.status != Status::Proved);
    match (open, unproved_type, decided.len()) {
        (Some(p), ..) => {
            format!("{} is not proved: {}", p.name, p.reason.as_deref().unwrap_or("no strategy succeeds"))
        }
        (None, Some(check), _) => format!("a type check is not proved: {}", check.name),
        (None, None, 0) => "there is nothing to prove".to_string(),
        (None, None, n) => format!("{n} propert{} proved", if n == 1 { "y" } else { "ies" }),
    }
}

/// A run that breaks a property, executed again by the certifier; why not, if it cannot be.
fn replayed(
    source: &Source,
    properties: &[Property],
    outcome: &Outcome,
) -> Result<Option<Violation>, Failure> {
    let property = properties.iter().find(|p| p.name == outcome.name);
    let Some((run, property)) = outcome.run.as_ref().zip(property) else { return Ok(None) };
    let given = refute::with_choices(&run.given, &run.path);
    let context = Context { fts: &source.fts, given: &given, fairness: Fairness::Strong };
    context.counts(&run.path).map_err(|why| Failure::Request(why.to_string()))?;
    let confirmed = context.broken(&property.formula, &run.path);
    let confirmed = confirmed.map_err(|why| Failure::Request(why.to_string()))?;
    Broken::of(property).violation(source, &given, &[], (&run.path, confirmed)).map(Some)
}

//! Proves properties of SPL programs and transition systems: text → fair transition system → conditions → solver → verdicts.

mod certified;
mod search;
mod solvers;
mod vacuous;

use crate::executor::relation::Broken;
use crate::failure::Failure;
use crate::model::{Claim, read_text};
use crate::report::Location;
use crate::result::{Kind, Verdict, Violation};
use crate::watch::Interrupt;
use prover::{Effort, Findings, Judge, Session};
use source::{Diagnostic, FileId, SourceMap, Span};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use system::fts::{Fts, Property};

pub use prover::{Countermodel, Obligation, Status};
pub use solvers::Choice;
pub(crate) use solvers::Watched;

/// Prove the properties of a file.
#[derive(Clone, Debug, Default)]
pub struct ProveRequest {
    /// A program or transition system, and files with its specification.
    pub files: Vec<PathBuf>,
    /// Formulas instead of the properties of the files.
    pub formulas: Vec<String>,
    /// Properties by name; all if there are none.
    pub selected: Vec<String>,
    /// Use no proofs of the files.
    pub auto: bool,
    /// Use rules alone: do not look at all states of a finite program.
    pub rules_only: bool,
    pub solver: Choice,
    /// For everything.
    pub time: Option<Duration>,
    /// For one condition.
    pub condition_time: Option<Duration>,
}

/// A system with its texts.
#[derive(Clone, Debug)]
pub struct Source {
    pub map: SourceMap,
    /// The files as they were named, in the map.
    pub roots: Vec<FileId>,
    pub fts: Fts,
    /// Formulas that were asked about.
    pub asked: Vec<Property>,
    pub warnings: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
pub struct Proved {
    pub name: String,
    pub formula: String,
    pub verdict: Verdict,
    /// Why it is open.
    pub reason: Option<String>,
    /// Why it says nothing although it holds.
    pub vacuous: Option<String>,
    /// The rules that were used.
    pub rules: Vec<&'static str>,
    pub obligations: Vec<Obligation>,
    /// What was found to be inductive by a search.
    pub invariant: Option<String>,
}

#[derive(Clone, Debug)]
pub struct ProveResult {
    pub verdict: Verdict,
    pub reason: String,
    pub properties: Vec<Proved>,
    /// Invariants found, by kind.
    pub generated: Vec<(String, String)>,
    /// Indices within bounds, divisors that are not zero.
    pub types: Vec<Obligation>,
    pub assumes: Vec<String>,
    /// Runs that break properties, replayed.
    pub violations: Vec<Violation>,
    pub warnings: Vec<Diagnostic>,
    pub solver: String,
    pub seconds: f64,
    pub interrupted: bool,
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
        Ok(Source { map, roots, fts, asked, warnings: diagnostics })
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
        let id = map.add(crate::formula::FORMULA, formula.clone());
        let (property, diagnostics) = spl::read_formula(map, roots, id);
        match property {
            Some(property) => asked.push(property),
            None => return Err(Failure::Rejected { map: map.clone(), diagnostics }),
        }
    }
    Ok(asked)
}

/// Whether a file is in one of the languages of this part.
pub fn is_ours(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "spl" || e == "fts")
}

pub fn prove(source: &Source, request: &ProveRequest, interrupt: &Interrupt) -> Result<ProveResult, Failure> {
    let started = Instant::now();
    let deadline = request.time.and_then(|t| started.checked_add(t));
    let solver = Watched::new(request.solver, deadline, interrupt.clone())?;
    let options = solve::Options {
        milliseconds: request.condition_time.unwrap_or(Duration::from_secs(5)).as_millis() as u64,
        cancel: solver.over(),
        ..solve::Options::default()
    };
    let clock = || started.elapsed().as_millis() as u64;
    let judge =
        Judge { fts: &source.fts, solver: &solver, options: &options, clock: &clock, until: u64::MAX };
    let effort = Effort { auto: request.auto, ..Effort::default() };
    let properties = source.properties(&request.selected)?;
    let claims = properties.iter().map(|p| Claim { name: p.name.clone(), kind: Kind::Ltl });
    interrupt.board().properties = crate::verdict::open(&claims.collect::<Vec<_>>());
    interrupt.board().map = source.map.clone();
    interrupt.phase("proving");
    // What is asked for may rest on any property of the file, so all up to the last one asked for are proved.
    let tried: &[Property] = if source.asked.is_empty() && !request.selected.is_empty() {
        let last = source.fts.properties.iter().rposition(|p| request.selected.contains(&p.name));
        &source.fts.properties[..=last.unwrap_or(0)]
    } else {
        &properties
    };
    let mut findings = Session::new(judge, effort).run(tried);
    interrupt.phase("certifying");
    certified::confirm(&source.fts, &judge, tried, &mut findings);
    findings.outcomes.retain(|o| properties.iter().any(|p| p.name == o.name));
    interrupt.phase("looking at all states");
    let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
    let (broken, mut vacuous) = search::settle(source, request, &mut findings, left, interrupt);
    vacuous.extend(vacuous::proved(&judge, &properties, &findings));
    let mut result = judged(source, &properties, findings, broken);
    for property in result.properties.iter_mut().filter(|p| p.verdict == Verdict::Holds) {
        property.vacuous =
            vacuous.iter().find(|(name, _)| *name == property.name).map(|(_, why)| why.clone());
    }
    result.solver = solve::Solver::name(&solver).to_string();
    result.seconds = started.elapsed().as_secs_f64();
    result.interrupted = interrupt.is_interrupted();
    Ok(result)
}

/// The verdicts; `violations` are runs that break properties, found by a search and replayed.
fn judged(
    source: &Source,
    properties: &[Property],
    findings: Findings,
    mut violations: Vec<Violation>,
) -> ProveResult {
    let vacuous = findings.vacuous;
    let proved: Vec<Proved> = findings
        .outcomes
        .into_iter()
        .map(|mut outcome| {
            if let Some(why) = &vacuous {
                (outcome.proved, outcome.reason) = (false, Some(why.clone()));
            }
            let broken = match replayed(source, properties, &outcome) {
                Some(Ok(violation)) => {
                    violations.push(violation);
                    true
                }
                Some(Err(why)) => {
                    outcome.reason = Some(format!("a run that breaks it cannot be replayed: {why}"));
                    false
                }
                None => violations.iter().any(|v| v.property == outcome.name),
            };
            let property = properties.iter().find(|p| p.name == outcome.name);
            let mut rules: Vec<&'static str> = outcome.obligations.iter().map(|o| o.rule).collect();
            rules.dedup();
            Proved {
                formula: property.map(|p| p.text.clone()).unwrap_or_default(),
                name: outcome.name,
                verdict: match (outcome.proved, broken) {
                    (_, true) => Verdict::Violated,
                    (true, false) => Verdict::Holds,
                    (false, false) => Verdict::Unknown,
                },
                reason: outcome.reason,
                vacuous: None,
                invariant: outcome.invariant.map(|e| e.to_string()),
                rules,
                obligations: outcome.obligations,
            }
        })
        .collect();
    let broken = proved.iter().find(|p| p.verdict == Verdict::Violated);
    let open = broken.or_else(|| proved.iter().find(|p| p.verdict != Verdict::Holds));
    let unproved_type = findings.types.iter().find(|o| o.status != Status::Proved);
    let runtime = violations.iter().find(|v| v.kind == Kind::Runtime);
    let reason = match (open, unproved_type, proved.len()) {
        _ if runtime.is_some() => runtime.map_or_else(String::new, |v| format!("runtime: {}", v.message)),
        (Some(p), ..) if p.verdict == Verdict::Violated => format!("{}: {} fails", p.name, p.formula),
        (Some(p), ..) => {
            format!("{} is not proved: {}", p.name, p.reason.as_deref().unwrap_or("no strategy succeeds"))
        }
        (None, Some(check), _) => format!("a type check is not proved: {}", check.name),
        (None, None, 0) => "there is nothing to prove".to_string(),
        (None, None, n) => format!("{n} propert{} proved", if n == 1 { "y" } else { "ies" }),
    };
    let holds = open.is_none() && unproved_type.is_none() && !proved.is_empty();
    let told = findings.warnings.into_iter().map(|w| Diagnostic::warning("W0750", w.span, w.message));
    ProveResult {
        verdict: match (broken.is_some() || runtime.is_some(), holds) {
            (true, _) => Verdict::Violated,
            (false, true) => Verdict::Holds,
            (false, false) => Verdict::Unknown,
        },
        reason,
        properties: proved,
        violations,
        generated: findings.generated.into_iter().map(|l| (l.name, l.formula.to_string())).collect(),
        types: findings.types,
        assumes: findings.assumes,
        warnings: source.warnings.iter().cloned().chain(told).collect(),
        solver: String::new(),
        seconds: 0.0,
        interrupted: false,
    }
}

/// A run that breaks a property, executed again by the certifier; why not, if it cannot be.
fn replayed(
    source: &Source,
    properties: &[Property],
    outcome: &prover::Outcome,
) -> Option<Result<Violation, String>> {
    let run = outcome.run.as_ref()?;
    let property = properties.iter().find(|p| p.name == outcome.name)?;
    let context = certify::fts::Context {
        fts: &source.fts,
        given: &run.given,
        fairness: system::fts::Fairness::Strong,
    };
    if let Err(why) = certify::fts::breaks_safety(context, &property.formula, &run.states) {
        return Some(Err(why));
    }
    let broken = Broken {
        kind: Kind::Ltl,
        property: &property.name,
        message: format!("{} fails", property.text),
        loop_start: None,
        span: property.span,
    };
    Some(broken.violation(source, &run.given, &[], &run.states).map_err(|f| f.message()))
}

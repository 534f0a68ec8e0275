//! Proofs by abstraction: a finite program is made from a basis, the search of all its states
//! decides its properties, and what holds there is carried back. The certifier checks that the
//! abstract program simulates the concrete one, and the search hands over a certificate of its
//! own; what lacks either is open. With a program that is given instead, the refinement alone is
//! checked.

use super::jobs::Job;
use super::shown::{steps, words};
use super::{Source, TimedSolvers, certified, generated, reason};
use crate::answer::{
    Abstraction, Answer, Certificate, Decided, Derived, Kind, Numbers, Proof, ProofNumbers, Verdict,
    Violation,
};
use crate::failure::{Failure, Open};
use crate::formula::FORMULA;
use crate::listener::Interrupt;
use crate::model::Claim;
use crate::question::{Derive, Question, Selection};
use crate::verdict;
use certify::proof::{Certifier, Seen};
use logic::fol::{Sort, Symbol};
use logic::ltl::Formula;
use prover::abstraction::{self, Basis, Found};
use prover::clauses;
use prover::generate::{Kind as Generated, generate};
use prover::rules::NotApplicable;
use prover::{Effort, Findings, How, Judge, Lemma, Obligation, Session, Status};
use source::Diagnostic;
use space::Path;
use std::time::Instant;
use system::fts::step::{State, Valuation};
use system::fts::{Fts, Property};

/// What an abstraction is made with.
pub(super) struct Means<'a> {
    pub(super) source: &'a Source,
    pub(super) request: &'a Question,
    pub(super) interrupt: &'a Interrupt,
    pub(super) judge: Judge<'a>,
    pub(super) known: Vec<Lemma>,
    certifier: Certifier<'a>,
    /// Whether the program has no type check that may fail.
    checked: bool,
    /// Whether axioms are assumed: they may exclude a run.
    pub(super) assumes: bool,
}

/// What abstractions decided.
#[derive(Default)]
pub(super) struct Made {
    pub(super) decided: Vec<Decided>,
    pub(super) violations: Vec<Violation>,
    /// The last one.
    pub(super) abstraction: Option<Abstraction>,
    /// Diagrams, if they were asked for.
    pub(super) derived: Vec<Derived>,
}

/// What the question is called whether a program refines another.
const REFINEMENT: &str = "refinement";

/// The word that asks for a basis to be found.
const FIND: &str = "auto";

/// Proves the properties that are asked for, or a refinement.
pub(super) fn prove(source: &Source, request: &Question, interrupt: &Interrupt) -> Result<Answer, Failure> {
    let started = Instant::now();
    open_all(source, request, interrupt)?;
    let deadline = request.limits.time.and_then(|t| started.checked_add(t));
    let solver = TimedSolvers::new(request.proofs.solver, deadline, interrupt.clone())?;
    let options = solver.options(&request.proofs);
    let clock = || started.elapsed().as_millis() as u64;
    let (fts, seen) = (&source.fts, clauses::Seen::default());
    let judge =
        Judge { fts, solver: &solver, options: &options, clock: &clock, until: u64::MAX, seen: &seen };
    let mut session = Session::new(judge, Effort::default());
    let valid = certified::valid(&judge);
    let mut certifier = Certifier::new(&source.fts, &valid);
    interrupt.phase("generating invariants");
    certified::confirm_axioms(&mut certifier, &judge, &mut session.axioms);
    let mut known = session.axioms.assumed.clone();
    known.extend(session.axioms.proved.iter().map(|(lemma, _)| lemma.clone()));
    let mut found = generate(&judge, &Generated::ALL, &known);
    certified::confirm_generated(&mut certifier, &mut found);
    known.extend(found.iter().cloned());
    let findings = Findings { generated: found, ..Findings::default() };
    let types = type_checks(&mut session, &certifier, &known);
    let checked = types.iter().all(|o| o.status == Status::Proved);
    let assumes = !session.axioms.assumed.is_empty();
    let means = Means { source, request, interrupt, judge, known, certifier, checked, assumes };
    interrupt.phase("abstracting");
    let basis = request.proofs.basis.as_deref();
    let derives = request.proofs.derive;
    let finds = derives == Some(Derive::Abstraction) || basis.is_some_and(|text| text.trim() == FIND);
    let Made { decided, violations, abstraction, derived } = match &request.proofs.refines {
        Some(_) if finds => {
            let message =
                "--refines needs --abstract 'x: …', which says what the variables of the other program are";
            return Err(Failure::Request(message.to_string()));
        }
        Some(file) => Made { decided: vec![means.refines(file)?], ..Made::default() },
        None if derives == Some(Derive::Tableau) => means.first()?,
        None if finds => means.automatic()?,
        None => means.abstracted()?,
    };
    let mut decided = decided;
    let cut = |p: &&mut Decided| p.reason.as_deref() == Some(prover::OUT_OF_TIME);
    for property in decided.iter_mut().filter(cut).filter(|_| interrupt.is_interrupted()) {
        property.reason = Some("interrupted".to_string());
    }
    let generated = generated(&source.fts, &findings);
    let solver = solve::Solver::name(&solver).to_string();
    let reason = reason(&decided, &types);
    let decided: Vec<Decided> = decided.into_iter().chain(super::type_checks(&types, false)).collect();
    let proof =
        Some(ProofNumbers { solver, generated, types, abstraction, derived, ..ProofNumbers::default() });
    Ok(verdict::conclude(Answer {
        numbers: Numbers { seconds: started.elapsed().as_secs_f64(), proof, ..Numbers::default() },
        exhausted: decided.iter().all(|p| p.verdict != Verdict::Unknown),
        interrupted: interrupt.is_interrupted(),
        reason,
        errors: verdict::errors(&decided),
        violations,
        assumes: session.axioms.assumed.iter().map(|l| l.name.clone()).collect(),
        warnings: source.warnings.clone(),
        properties: decided,
        ..Answer::default()
    }))
}

/// What is asked for, before anything is known of it.
fn open_all(source: &Source, request: &Question, interrupt: &Interrupt) -> Result<(), Failure> {
    let selected: Vec<String> = request.selected.iter().map(|s| s.word().to_string()).collect();
    let names = match &request.proofs.refines {
        Some(_) => vec![REFINEMENT.to_string()],
        None => source.properties(&selected)?.into_iter().map(|p| p.name).collect(),
    };
    let claims: Vec<Claim> = names.into_iter().map(|name| Claim { name, kind: Kind::Ltl }).collect();
    interrupt.board().properties = verdict::open(&claims);
    interrupt.board().map = source.map.clone();
    Ok(())
}

/// The type checks of the program, each with a proof that is confirmed.
fn type_checks(session: &mut Session<'_>, certifier: &Certifier<'_>, known: &[Lemma]) -> Vec<Obligation> {
    session.known = known.to_vec();
    let checks = session.judge.fts.type_checks.clone();
    let one = |check: &system::fts::TypeCheck| {
        let mut job = Job::of_check(check);
        job.outcome = session.attempt(&job.property, How::AllMethods);
        let confirmed = job.outcome.evidence.as_ref().map(|e| certifier.type_check(check, e).is_ok());
        if job.outcome.proved && confirmed == Some(true) {
            job.verdict = Verdict::Holds;
        }
        job.obligation()
    };
    checks.iter().map(one).collect()
}

impl Means<'_> {
    /// The basis as it was written.
    fn basis(&self, text: &str) -> Result<Basis, Failure> {
        let mut map = self.source.map.clone();
        let id = map.add(FORMULA, text.to_string());
        let (found, diagnostics) = spl::read_basis(&map, &self.source.roots, id);
        let Some(found) = found else { return Err(Failure::Rejected { map, diagnostics }) };
        let mut basis = Basis::new();
        for property in found {
            let Formula::Atom(e) = &property.formula else {
                let message = "an abstraction is made of assertions, without temporal operators";
                let diagnostics = vec![Diagnostic::error("E0740", property.span, message)];
                return Err(Failure::Rejected { map, diagnostics });
            };
            basis.push((Symbol::constant(property.name, Sort::Bool), e.clone()));
        }
        Ok(basis)
    }

    /// Each property by the abstraction.
    fn abstracted(&self) -> Result<Made, Failure> {
        let properties = self.properties()?;
        let basis = self.basis(self.request.proofs.basis.as_deref().unwrap_or_default())?;
        let all_open = |why: &str| -> Vec<Decided> {
            let one = |p: &Property| Decided { text: p.text.clone(), ..open(&p.name, why) };
            properties.iter().map(one).collect()
        };
        let made =
            match abstraction::abstracted(&self.judge, &Found { basis, ..Found::default() }, &self.known) {
                Ok(made) => made,
                Err(NotApplicable(why)) => return Ok(Made { decided: all_open(&why), ..Made::default() }),
            };
        let abstraction = Some(words(&made));
        let conditions = match self.simulation(&made) {
            Ok(conditions) => conditions,
            Err(Open(why)) => return Ok(Made { decided: all_open(&why), abstraction, ..Made::default() }),
        };
        let decided = properties.iter().map(|p| self.carried(p, &made, &conditions));
        let decided = decided.inspect(|known| known.iter().for_each(|known| self.note(known, None)));
        let decided = decided.collect::<Result<_, _>>()?;
        Ok(Made { decided, abstraction, ..Made::default() })
    }

    /// What is known is not lost if the rest takes too long.
    pub(super) fn note(&self, known: &Decided, violation: Option<&Violation>) {
        let mut board = self.interrupt.board();
        board.note(known);
        if board.violation.is_none() {
            board.violation = violation.cloned();
        }
    }

    /// What is to be decided.
    pub(super) fn properties(&self) -> Result<Vec<Property>, Failure> {
        let selected: Vec<String> = self.request.selected.iter().map(|s| s.word().to_string()).collect();
        self.source.properties(&selected)
    }

    /// A property as one of the abstraction, under what numbers do.
    pub(super) fn translated(
        &self,
        property: &Property,
        made: &abstraction::Abstracted,
    ) -> Result<Property, Open> {
        if !self.checked {
            return Err(Open("the program has type checks that are not proved".to_string()));
        }
        let formula = abstraction::translated(&self.judge, &property.formula, &made.relation, &self.known);
        let formula = formula.map_err(|NotApplicable(why)| Open(why))?;
        let formula = abstraction::assuming(formula, &made.watched);
        Ok(Property { formula, ..property.clone() })
    }

    /// The conditions of a simulation, proved and confirmed.
    pub(super) fn simulation(&self, made: &abstraction::Abstracted) -> Result<Vec<Obligation>, Open> {
        let seen = (&made.relation, &made.watched[..]);
        let conditions = abstraction::refinement(&self.judge, &made.fts, seen, &self.known);
        let conditions = conditions.map_err(|NotApplicable(why)| Open(why))?;
        let judged = self.judge.judge_all("simulation", &conditions);
        if let Some(open) = judged.iter().find(|o| o.status != Status::Proved) {
            return Err(Open(format!("the abstraction is not shown to simulate the program: {}", open.name)));
        }
        let confirmed = self.certifier.simulated(seen_by(made));
        confirmed.map_err(|refused| Open(format!("the simulation is not confirmed: {refused}")))?;
        Ok(judged)
    }

    /// A property of the abstract program, and back.
    pub(super) fn carried(
        &self,
        property: &Property,
        made: &abstraction::Abstracted,
        conditions: &[Obligation],
    ) -> Result<Decided, Failure> {
        let text = property.text.clone();
        let unknown = |why: &str| Decided { text: text.clone(), ..open(&property.name, why) };
        let stated = match self.translated(property, made) {
            Ok(stated) => stated,
            Err(Open(why)) => return Ok(unknown(&why)),
        };
        if let Err(refused) = self.certifier.says(property, &stated.formula, seen_by(made)) {
            return Ok(unknown(&format!("the abstract property is not confirmed: {refused}")));
        }
        let answer = self.searched(&stated, &made.fts)?;
        let Some(found) = answer.properties.iter().find(|p| p.name == property.name) else {
            return Ok(unknown("the abstract program was not searched"));
        };
        match (found.verdict, &found.certificate) {
            (Verdict::Holds, Some(_)) => {
                let name = format!("all {} reachable states of the abstraction", answer.searched().states);
                let milliseconds = (answer.numbers.seconds * 1000.0) as u64;
                let searched = Obligation::new(name, "Model-Check", Status::Proved);
                let searched = Obligation { milliseconds, ..searched };
                let obligations: Vec<Obligation> = conditions.iter().cloned().chain([searched]).collect();
                let rules = vec!["simulation", "Model-Check"];
                let proof = Some(Proof { rules, obligations, invariant: None });
                let holds = Decided::new(&property.name, Kind::Ltl, Verdict::Holds);
                let certificate = Some(Certificate::Conditions);
                Ok(Decided { text, proof, certificate, vacuous: found.vacuous.clone(), ..holds })
            }
            (Verdict::Holds, None) => Ok(unknown("it holds of the abstraction, but that is not certified")),
            (Verdict::Violated, _) => {
                let why = "the abstraction violates it; the run may be one of the abstraction alone: add \
                           assertions";
                let candidate = answer.violations.first().map(|v| steps(&v.trace));
                Ok(Decided { candidate, ..unknown(why) })
            }
            (Verdict::Unknown, _) => {
                Ok(unknown(found.reason.as_deref().unwrap_or("the abstraction was not searched")))
            }
        }
    }

    /// The search of all states of an abstract program, with its fairness.
    fn searched(&self, stated: &Property, of: &Fts) -> Result<Answer, Failure> {
        let (source, question) = self.question(stated, of);
        crate::transition::check(&source, &question, &self.interrupt.apart(), &mut |_| {})
    }

    /// A fair run of an abstract program that breaks a property.
    pub(super) fn broken(&self, stated: &Property, of: &Fts) -> Option<Path<State>> {
        let (source, question) = self.question(stated, of);
        let given = Valuation::new();
        let properties = std::slice::from_ref(stated);
        let found = crate::transition::runs(&source, &question, &given, properties, &self.interrupt.apart());
        found.into_iter().next().map(|(_, _, path)| path)
    }

    fn question(&self, stated: &Property, of: &Fts) -> (Source, Question) {
        let question = Question {
            selected: vec![Selection::Named(stated.name.clone())],
            certify: true,
            threads: 1,
            limits: self.request.limits,
            ..Question::default()
        };
        let source = Source {
            map: self.source.map.clone(),
            roots: self.source.roots.clone(),
            fts: Fts { properties: vec![stated.clone()], ..of.clone() },
            defines: Vec::new(),
            asked: Vec::new(),
            warnings: Vec::new(),
        };
        (source, question)
    }

    /// Whether the program refines another, fairly.
    fn refines(&self, file: &std::path::Path) -> Result<Decided, Failure> {
        let other = Source::read(&[file.to_path_buf()], &[])?;
        let basis = self.request.proofs.basis.as_deref();
        let basis = basis.map_or(Ok(Basis::new()), |text| self.basis(text))?;
        let own = &self.source.fts;
        // What the basis leaves out stands for the variable of the same name.
        let left = other.fts.variables.iter().filter(|v| !basis.iter().any(|(s, _)| s.name == v.symbol.name));
        let same = left.filter(|v| own.variable(&v.symbol.name).is_some_and(|w| w.symbol == v.symbol));
        let same = same.map(|v| (v.symbol.clone(), v.symbol.term()));
        let relation: Basis = basis.iter().cloned().chain(same).collect();
        let (name, text) = (REFINEMENT, format!("{} fairly refines {}", own.name, other.fts.name));
        if let Some(why) = self.without_meaning(&other.fts) {
            return Ok(Decided { text, ..open(name, why) });
        }
        let conditions = match abstraction::refinement(&self.judge, &other.fts, (&relation, &[]), &self.known)
        {
            Ok(conditions) => conditions,
            Err(NotApplicable(why)) => {
                return Ok(Decided { text, ..open(name, &why) });
            }
        };
        let obligations = self.judge.judge_all("refinement", &conditions);
        let missing = obligations.iter().filter(|o| o.status != Status::Proved).map(|o| &o.name[..]);
        let missing: Vec<&str> = missing.collect();
        let refused = match missing.is_empty() {
            true => {
                let confirmed =
                    self.certifier.simulated(Seen { of: &other.fts, relation: &relation, watched: &[] });
                confirmed.err().map(|refused| format!("it is not confirmed: {refused}"))
            }
            false => {
                let missing = missing.join(", ");
                Some(format!("these are not steps of the other program, or it is fairer there: {missing}"))
            }
        };
        let proof = Some(Proof { rules: vec!["refinement"], obligations, invariant: None });
        let verdict = if refused.is_none() { Verdict::Holds } else { Verdict::Unknown };
        let certificate = refused.is_none().then_some(Certificate::Conditions);
        Ok(Decided { text, proof, reason: refused, certificate, ..Decided::new(name, Kind::Ltl, verdict) })
    }

    /// Why steps of one of the programs may have no meaning: then there is nothing to refine.
    fn without_meaning(&self, other: &Fts) -> Option<&'static str> {
        if !self.checked {
            return Some("a type check of the program is not proved, and a step that fails one is none");
        }
        let partial = !other.type_checks.is_empty();
        partial.then_some("the other program has type checks, and refinement does not show them")
    }
}

fn seen_by(made: &abstraction::Abstracted) -> Seen<'_> {
    Seen { of: &made.fts, relation: &made.relation, watched: &made.watched }
}

/// A property that no abstraction decides.
pub(super) fn open(name: &str, why: &str) -> Decided {
    Decided { proof: Some(Proof::default()), ..Decided::unknown(name, Kind::Ltl, why) }
}

//! Proofs by abstraction: a finite program is made from a basis, the search of all its states
//! decides its properties, and what holds there is carried back. The certifier checks that the
//! abstract program simulates the concrete one, and the search hands over a certificate of its
//! own; what lacks either is open. With a program that is given instead, the refinement alone is
//! checked.

use super::{Source, TimedSolvers, certified, generated, reason};
use crate::answer::{Abstraction, Answer, Certificate, Decided, Kind, Numbers, Proof, ProofNumbers, Verdict};
use crate::failure::Failure;
use crate::formula::FORMULA;
use crate::listener::Interrupt;
use crate::question::{Question, Selection};
use crate::verdict;
use certify::proof::Certifier;
use logic::fol::{Sort, Symbol};
use logic::ltl::Formula;
use prover::abstraction::{self, Basis};
use prover::clauses::Seen;
use prover::generate::{Kind as Generated, generate};
use prover::rules::NotApplicable;
use prover::{Effort, Findings, Judge, Lemma, Obligation, Session, Status};
use source::Diagnostic;
use std::path::Path;
use std::time::Instant;
use system::fts::{Fairness, Fts, Mode, Property};

/// What an abstraction is made with.
struct Means<'a> {
    source: &'a Source,
    request: &'a Question,
    interrupt: &'a Interrupt,
    judge: Judge<'a>,
    known: Vec<Lemma>,
    certifier: Certifier<'a>,
}

/// Proves the properties that are asked for, or a refinement.
pub(super) fn prove(source: &Source, request: &Question, interrupt: &Interrupt) -> Result<Answer, Failure> {
    let started = Instant::now();
    let deadline = request.limits.time.and_then(|t| started.checked_add(t));
    let solver = TimedSolvers::new(request.proofs.solver, deadline, interrupt.clone())?;
    let options = solver.options(&request.proofs);
    let clock = || started.elapsed().as_millis() as u64;
    let (fts, seen) = (&source.fts, Seen::default());
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
    let means = Means { source, request, interrupt, judge, known, certifier };
    interrupt.phase("abstracting");
    let (decided, abstraction) = match &request.proofs.refines {
        Some(file) => (vec![means.refines(file)?], None),
        None => means.abstracted()?,
    };
    let generated = generated(&findings);
    let solver = solve::Solver::name(&solver).to_string();
    let proof = Some(ProofNumbers { solver, generated, abstraction, ..ProofNumbers::default() });
    Ok(verdict::conclude(Answer {
        numbers: Numbers { seconds: started.elapsed().as_secs_f64(), proof, ..Numbers::default() },
        exhausted: decided.iter().all(|p| p.verdict != Verdict::Unknown),
        interrupted: interrupt.is_interrupted(),
        reason: reason(&decided, &[]),
        assumes: session.axioms.assumed.iter().map(|l| l.name.clone()).collect(),
        warnings: source.warnings.clone(),
        properties: decided,
        ..Answer::default()
    }))
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
    fn abstracted(&self) -> Result<(Vec<Decided>, Option<Abstraction>), Failure> {
        let selected: Vec<String> = self.request.selected.iter().map(|s| s.word().to_string()).collect();
        let properties = self.source.properties(&selected)?;
        let basis = self.basis(self.request.proofs.basis.as_deref().unwrap_or_default())?;
        let all_open = |why: &str| -> Vec<Decided> {
            let one = |p: &Property| Decided { text: p.text.clone(), ..open(&p.name, why) };
            properties.iter().map(one).collect()
        };
        let made = match abstraction::abstracted(&self.judge, &basis, &self.known) {
            Ok(made) => made,
            Err(NotApplicable(why)) => return Ok((all_open(&why), None)),
        };
        let conditions = match self.simulation(&made.fts, &made.relation) {
            Ok(conditions) => conditions,
            Err(why) => return Ok((all_open(&why), Some(words(&made)))),
        };
        let decided = properties.iter().map(|p| self.carried(p, &made, &conditions));
        Ok((decided.collect::<Result<_, _>>()?, Some(words(&made))))
    }

    /// The conditions of a simulation, proved and confirmed.
    fn simulation(&self, of: &Fts, relation: &Basis) -> Result<Vec<Obligation>, String> {
        let conditions = abstraction::refinement(&self.judge, of, relation, &self.known);
        let conditions = conditions.map_err(|NotApplicable(why)| why)?;
        let judged = self.judge.judge_all("simulation", &conditions);
        if let Some(open) = judged.iter().find(|o| o.status != Status::Proved) {
            return Err(format!("the abstraction is not shown to simulate the program: {}", open.name));
        }
        let confirmed = self.certifier.simulated(of, relation);
        confirmed.map_err(|refused| format!("the simulation is not confirmed: {refused}"))?;
        Ok(judged)
    }

    /// A property of the abstract program, and back.
    fn carried(
        &self,
        property: &Property,
        made: &abstraction::Abstracted,
        conditions: &[Obligation],
    ) -> Result<Decided, Failure> {
        let text = property.text.clone();
        let unknown = |why: &str| Decided { text: text.clone(), ..open(&property.name, why) };
        if !self.source.fts.type_checks.is_empty() {
            return Ok(unknown("the program has type checks, and these are not abstracted"));
        }
        let formula = abstraction::translated(&self.judge, &property.formula, &made.relation, &self.known);
        let formula = match formula {
            Ok(formula) => formula,
            Err(NotApplicable(why)) => return Ok(unknown(&why)),
        };
        if let Err(refused) = self.certifier.says(property, &formula, (&made.fts, &made.relation)) {
            return Ok(unknown(&format!("the abstract property is not confirmed: {refused}")));
        }
        let answer = self.searched(&Property { formula, ..property.clone() }, &made.fts)?;
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
            (Verdict::Violated, _) => Ok(unknown(
                "the abstraction violates it; the run may be one of the abstraction alone: add assertions",
            )),
            (Verdict::Unknown, _) => {
                Ok(unknown(found.reason.as_deref().unwrap_or("the abstraction was not searched")))
            }
        }
    }

    /// The search of all states of an abstract program, with its fairness.
    fn searched(&self, stated: &Property, of: &Fts) -> Result<Answer, Failure> {
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
        crate::transition::check(&source, &question, self.interrupt, &mut |_| {})
    }

    /// Whether the program refines another, fairly.
    fn refines(&self, file: &Path) -> Result<Decided, Failure> {
        let other = Source::read(&[file.to_path_buf()], &[])?;
        let basis = self.request.proofs.basis.as_deref();
        let basis = basis.map_or(Ok(Basis::new()), |text| self.basis(text))?;
        let own = &self.source.fts;
        // What the basis leaves out stands for the variable of the same name.
        let left = other.fts.variables.iter().filter(|v| !basis.iter().any(|(s, _)| s.name == v.symbol.name));
        let same = left.filter(|v| own.variable(&v.symbol.name).is_some_and(|w| w.symbol == v.symbol));
        let same = same.map(|v| (v.symbol.clone(), v.symbol.term()));
        let relation: Basis = basis.iter().cloned().chain(same).collect();
        let (name, text) = ("refinement", format!("{} fairly refines {}", own.name, other.fts.name));
        let conditions = match abstraction::refinement(&self.judge, &other.fts, &relation, &self.known) {
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
                let confirmed = self.certifier.simulated(&other.fts, &relation);
                confirmed.err().map(|refused| format!("it is not confirmed: {refused}"))
            }
            false => {
                let missing = missing.join(", ");
                Some(format!("these are no steps of the other program, or it is fairer there: {missing}"))
            }
        };
        let proof = Some(Proof { rules: vec!["refinement"], obligations, invariant: None });
        let verdict = if refused.is_none() { Verdict::Holds } else { Verdict::Unknown };
        let certificate = refused.is_none().then_some(Certificate::Conditions);
        Ok(Decided { text, proof, reason: refused, certificate, ..Decided::new(name, Kind::Ltl, verdict) })
    }
}

/// A property that no abstraction decides.
fn open(name: &str, why: &str) -> Decided {
    Decided { proof: Some(Proof::default()), ..Decided::unknown(name, Kind::Ltl, why) }
}

/// An abstract program as it is shown.
fn words(made: &abstraction::Abstracted) -> Abstraction {
    let fairness = |f: Fairness| match f {
        Fairness::None => "unfair",
        Fairness::Weak => "just",
        Fairness::Strong => "compassionate",
    };
    let control = |s: &Symbol| made.fts.variable(&s.name).is_some_and(|v| v.mode == Mode::Control);
    let basis = made.relation.iter().filter(|(s, _)| !control(s));
    let transitions = made.fts.transitions.iter();
    let statements =
        transitions.map(|t| (t.name.clone(), abstraction::statement(&made.fts, t), fairness(t.fairness)));
    Abstraction {
        basis: basis.map(|(s, e)| (s.name.to_string(), e.to_string())).collect(),
        statements: statements.collect(),
        text: abstraction::as_fts(&made.fts),
    }
}

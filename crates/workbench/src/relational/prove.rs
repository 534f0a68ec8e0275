//! `weave prove` on a Promela model: safety by invariants and property-directed search.
//!
//! Deadlocks, assertions and run-time errors are assertions about states of the relation, and so is
//! a formula `[] p`, where an observer sees the state. That there is room for every process is
//! proved beside them. Proofs are certified as those of transition systems are; runs as those of
//! models.

use super::{NO_ROOM, bad, makes_room, shown, with_room};
use crate::answer::{Answer, Decided, Kind, Numbers, ProofNumbers, Verdict, Violation};
use crate::certificate::of_model;
use crate::check::violation;
use crate::failure::{Failure, Open};
use crate::listener::{Interrupt, ProgressListener};
use crate::model::{Claim, Model, Stated};
use crate::prove::{TimedSolvers, certified, generated, of_outcome, reason};
use crate::question::Question;
use crate::temporal::Query;
use crate::verdict;
use compile::relational::Relation;
use logic::fol::Term;
use logic::ltl::{Formula, Unary};
use prover::pdr::Counterexample;
use prover::shape::assertion;
use prover::{Effort, Findings, Judge, Session};
use source::Span;
use space::Ending;
use std::time::Instant;
use system::Meaning;
use system::fts::{Fts, Property};

/// The property that there is room for all processes.
const ROOM: &str = "room";

pub(crate) fn prove(model: &Model, request: &Question, interrupt: &Interrupt) -> Result<Answer, Failure> {
    let started = Instant::now();
    let asked = verdict::asked(&model.claims, &request.selected)?;
    interrupt.board().properties = verdict::open(&asked);
    interrupt.board().map = model.map.clone();
    interrupt.phase("translating the model");
    let proved = with_room(model, &model.system, |relation, shape| {
        interrupt.phase("proving");
        let proving = Proving { model, request, asked: &asked, relation };
        let fts = relation.bounded();
        let (findings, solver) = session(&fts, request, interrupt, &proving.properties(), started)?;
        let room = findings.outcomes.iter().find(|o| o.name == ROOM).and_then(|o| o.run.as_ref());
        if room.is_some_and(|run| makes_room(relation, &run.path, shape)) {
            return Ok(None);
        }
        let proof =
            Some(ProofNumbers { solver, generated: generated(&fts, &findings), ..ProofNumbers::default() });
        let mut answer = proving.answer(findings)?;
        let left = request.limits.time.map(|time| time.saturating_sub(started.elapsed()));
        of_model(
            model,
            request,
            &mut answer.properties,
            0,
            &ProgressListener::new(left, interrupt, &mut |_| {}),
        )?;
        let seconds = started.elapsed().as_secs_f64();
        let numbers = Numbers { seconds, proof, ..Numbers::default() };
        Ok(Some(Answer { numbers, interrupted: interrupt.is_interrupted(), ..answer }))
    })?;
    Ok(proved.map_or_else(|open| unknown(model, &asked, &open.0), verdict::conclude))
}

/// Nothing is known of anything, for a reason.
fn unknown(model: &Model, asked: &[Claim], reason: &str) -> Answer {
    let mut answer = super::unknown(model, asked, reason);
    answer.numbers.proof = Some(ProofNumbers::default());
    answer.properties.iter_mut().for_each(tried);
    answer
}

/// Rules of proof were to be tried.
fn tried(property: &mut Decided) {
    property.proof.get_or_insert_default();
}

/// What rules and searches say of properties of a relation, certified; and the solver that was
/// asked.
fn session(
    fts: &Fts,
    request: &Question,
    interrupt: &Interrupt,
    properties: &[Property],
    started: Instant,
) -> Result<(Findings, String), Failure> {
    let deadline = request.limits.time.and_then(|t| started.checked_add(t));
    let solver = TimedSolvers::new(request.proofs.solver, deadline, interrupt.clone())?;
    let options = solver.options(&request.proofs);
    let clock = || started.elapsed().as_millis() as u64;
    let seen = prover::clauses::Seen::default();
    let judge =
        Judge { fts, solver: &solver, options: &options, clock: &clock, until: u64::MAX, seen: &seen };
    let mut findings = Session::new(judge, Effort::default()).run(properties);
    interrupt.phase("certifying");
    certified::confirm(fts, &judge, properties, &mut findings);
    Ok((findings, solve::Solver::name(&solver).to_string()))
}

struct Proving<'a> {
    model: &'a Model,
    request: &'a Question,
    asked: &'a [Claim],
    relation: &'a Relation<'a>,
}

impl Proving<'_> {
    fn properties(&self) -> Vec<Property> {
        let room = always(ROOM, Term::negation(self.relation.beyond()));
        let named = |c: &Claim| self.wanted(c).ok().map(|p| always(&name(c), p));
        std::iter::once(room).chain(self.asked.iter().filter_map(named)).collect()
    }

    /// What must always hold; why that is not asked, if it cannot be.
    fn wanted(&self, claim: &Claim) -> Result<Term, Open> {
        if let Some(bad) = bad(self.relation, claim.kind) {
            return Ok(Term::negation(bad));
        }
        let plain =
            || Open("only safety and formulas [] p are proved of models: use weave check".to_string());
        let Stated { property, tracked, .. } = self.stated(claim).ok_or_else(plain)?;
        let property = property.as_ref().map_err(|why| Open(why.to_string()))?;
        let Meaning::Always(Formula::Unary(Unary::Always, inner)) = &property.meaning else {
            return Err(plain());
        };
        if tracked.is_some() {
            return Err(plain());
        }
        self.relation.ends_unseen().map_err(|why| Open(why.to_string()))?;
        let mut terms = Vec::new();
        for proposition in &property.propositions {
            terms.push(self.relation.proposition(proposition).map_err(|why| Open(why.to_string()))?);
        }
        let inner = (**inner).clone().map(&mut |at: usize| terms[at].clone());
        let p = assertion(&inner).ok_or_else(plain)?;
        Ok(Term::implication(self.relation.seen(), p))
    }

    fn stated(&self, claim: &Claim) -> Option<&Stated> {
        self.model.properties.iter().find(|stated| stated.claim == *claim)
    }

    fn answer(&self, findings: Findings) -> Result<Answer, Failure> {
        let outcome = |name: &str| findings.outcomes.iter().find(|o| o.name == name);
        let (mut properties, mut violations) = (Vec::new(), Vec::new());
        for claim in self.asked {
            let decided = match (self.wanted(claim), outcome(&name(claim))) {
                (Err(open), _) => Decided::unknown(&claim.name, claim.kind, &open.0),
                (Ok(_), None) => Decided::unknown(&claim.name, claim.kind, "it was not tried"),
                (Ok(_), Some(outcome)) => {
                    violations.extend(outcome.run.as_ref().map(|r| self.broken(claim, r)).transpose()?);
                    let decided = of_outcome(outcome.clone(), outcome.run.is_some());
                    Decided { name: claim.name.clone(), kind: claim.kind, ..decided }
                }
            };
            properties.push(decided);
        }
        properties.iter_mut().for_each(tried);
        self.limit_what_holds(&mut properties, outcome(ROOM).is_some_and(|o| o.proved));
        Ok(Answer {
            errors: verdict::errors(&properties),
            reason: reason(&properties, &[]),
            exhausted: properties.iter().all(|p| p.verdict != Verdict::Unknown),
            properties,
            violations,
            warnings: self.model.warnings.clone(),
            ..Answer::default()
        })
    }

    /// Nothing holds without room for all processes, and no formula where runs may be cut short.
    fn limit_what_holds(&self, properties: &mut [Decided], room: bool) {
        let runtime = |p: &Decided| p.kind == Kind::Runtime && p.verdict != Verdict::Holds;
        if !room {
            return verdict::make_unknown(properties, NO_ROOM);
        }
        if properties.iter().any(runtime) {
            let reason = "runs that end with a run-time error say nothing of what would follow";
            for property in properties.iter_mut().filter(|p| !verdict::is_safety(p.kind)) {
                verdict::make_unknown(std::slice::from_mut(property), reason);
            }
        }
    }

    /// A run that breaks a property, judged by the reference stepper of the model.
    fn broken(&self, claim: &Claim, found: &Counterexample) -> Result<Violation, Failure> {
        if verdict::is_safety(claim.kind) {
            return shown(self.model, self.relation, &found.path, claim);
        }
        let run = self.relation.run(&found.path, Ending::Prefix).map_err(Failure::refused)?;
        let property = self.stated(claim).and_then(|s| s.property.as_ref().ok());
        let property = property.ok_or_else(|| Failure::refused("it was not asked for"))?;
        let (map, system) = (&self.model.map, &self.model.system);
        let query = Query { map, system, property, request: self.request };
        query.violated_by(&run).map_err(Failure::refused)?;
        violation(self.model, claim.kind, &claim.name, &run, false)
    }
}

/// Kinds have names that formulas may have too.
fn name(claim: &Claim) -> String {
    format!("{} {}", claim.kind.name(), claim.name)
}

fn always(name: &str, p: Term) -> Property {
    Property {
        name: name.to_string(),
        rigid: Vec::new(),
        given: Term::truth(true),
        text: format!("[]({p})"),
        formula: Formula::unary(Unary::Always, Formula::Atom(p)),
        span: Span::default(),
    }
}

//! Proof scripts: the rule that a proof of the file names, with its assertions, helpful
//! transitions, ranks and background.

use crate::auto;
use crate::condition::{Condition, Lemma};
use crate::discharge::{Obligation, Status};
use crate::generate::Kind;
use crate::induction;
use crate::rules::{self, NotApplicable, Stage, Target};
use crate::session::{Outcome, Session, open};
use crate::shape::{Shape, shape};
use crate::strengthen::{self, Attempt};
use logic::fol::{Sort, Term};
use system::fts::{Evidence, Helped, Proof, ProofStep, Property};

impl Session<'_> {
    pub(crate) fn by_proof(&mut self, property: &Property, proof: &Proof) -> Outcome {
        let background = match self.background(proof.using.as_deref()) {
            Ok(background) => background,
            Err(NotApplicable(why)) => return open(property, &why),
        };
        match self.apply(property, proof, &background) {
            Ok(attempt) => self.outcome(property, attempt),
            Err(NotApplicable(why)) => open(property, &format!("{}: {why}", proof.rule)),
        }
    }

    /// The lemmas that a proof names; all of them if it names none.
    fn background(&self, using: Option<&[String]>) -> Result<Vec<Lemma>, NotApplicable> {
        let Some(names) = using else { return Ok(self.known.clone()) };
        let kinds: Vec<&str> = Kind::ALL.iter().map(|k| k.name()).collect();
        for name in names {
            if !kinds.contains(&&**name) && !self.known.iter().any(|l| l.name == *name) {
                return Err(NotApplicable(format!("`{name}` is not proved")));
            }
        }
        Ok(self.known.iter().filter(|l| names.contains(&l.name)).cloned().collect())
    }

    fn apply(
        &self,
        property: &Property,
        proof: &Proof,
        background: &[Lemma],
    ) -> Result<Attempt, NotApplicable> {
        let judge = &self.judge;
        if proof.rule.eq_ignore_ascii_case("diagram") {
            return self.by_diagram(property, proof, background);
        }
        let shape = shape(&property.formula)
            .ok_or_else(|| NotApplicable("no rule fits the form of this formula".to_string()))?;
        let rule = proof.rule.to_ascii_uppercase();
        let misfit = || NotApplicable(format!("the property does not have the form that {rule} proves"));
        let given = &property.given;
        let under = |p: &Term| Term::implication(given.clone(), p.clone());
        let rounds = self.effort.rounds;
        match (&*rule, &shape) {
            ("B-INV", Shape::Invariance(p)) => Ok(strengthen::b_inv(judge, &under(p), background)),
            ("WLPC", Shape::Invariance(p)) => Ok(strengthen::wlpc_rule(judge, &under(p), background)),
            ("STRENGTHEN", Shape::Invariance(p)) => {
                Ok(strengthen::strengthen(judge, &under(p), background, rounds))
            }
            ("G-INV", Shape::Invariance(p)) => {
                let phi = Term::all(proof.steps.iter().map(|s| s.formula.clone()));
                let conditions = rules::g_inv(judge.fts, &under(p), &phi, background);
                Ok(Attempt::of(judge.judge_all("G-INV", &conditions)).by(Evidence::Inductive(vec![phi])))
            }
            ("G-WAIT", Shape::WaitFor(p, q)) => {
                let p = Term::all([given.clone(), p.clone()]);
                if proof.steps.is_empty() {
                    return Ok(strengthen::g_wait_top_down(judge, &p, q, background, rounds));
                }
                if proof.steps.len() != q.len() {
                    return Err(NotApplicable(format!("{} assertions are needed", q.len())));
                }
                let phi: Vec<Term> =
                    proof.steps.iter().map(|s| Term::all([given.clone(), s.formula.clone()])).collect();
                let conditions = rules::g_wait(judge.fts, &p, q, &phi, background);
                Ok(Attempt::of(judge.judge_all("G-WAIT", &conditions)).by(Evidence::Waiting(phi)))
            }
            ("TOP-DOWN", Shape::WaitFor(p, q)) => {
                let p = Term::all([given.clone(), p.clone()]);
                Ok(strengthen::g_wait_top_down(judge, &p, q, background, rounds))
            }
            ("RESP-J" | "CHAIN-J" | "WELL" | "WELL-J" | "RESP-C", _) => self.response(&shape, given, proof, background),
            ("CHECK-VALID", Shape::Invariance(p) | Shape::Initial(p)) => {
                let condition = Condition::implication("valid", given.clone(), p.clone(), background);
                let attempt = Attempt::of(vec![judge.judge("Check-Valid", &condition)]);
                Ok(attempt.by(Evidence::Inductive(Vec::new())))
            }
            ("SIMPLIFY", Shape::Invariance(p) | Shape::Initial(p)) => {
                Ok(simplified(&under(p)).by(Evidence::Inductive(Vec::new())))
            }
            ("MONOTONICITY", shape) => self.monotonicity(shape, given, proof, background),
            ("PDR", Shape::Invariance(p)) => Ok(strengthen::property_directed(judge, &under(p), background)),
            ("PDR", Shape::WaitFor(p, q)) => {
                let p = Term::all([given.clone(), p.clone()]);
                Ok(strengthen::waiting_directed(judge, (&p, q), background, strengthen::property_directed))
            }
            ("K-INDUCTION", Shape::Invariance(p)) => Ok(induction::k_induction(judge, &under(p), background)),
            ("K-INDUCTION", Shape::WaitFor(p, q)) => {
                let p = Term::all([given.clone(), p.clone()]);
                Ok(induction::waiting(judge, (&p, q), background))
            }
            ("HOUDINI", Shape::Invariance(p)) => Ok(strengthen::templates(judge, &under(p), background)),
            ("AUTO", shape) => Ok(auto::prove(judge, self.goal(shape, given), background)),
            ("B-INV" | "WLPC" | "STRENGTHEN" | "G-INV" | "G-WAIT" | "TOP-DOWN" | "K-INDUCTION" | "PDR" | "HOUDINI" | "CHECK-VALID" | "SIMPLIFY", _) => Err(misfit()),
            _ => Err(NotApplicable(
                "no such rule; there are B-INV, G-INV, WLPC, Strengthen, k-induction, PDR, Houdini, G-WAIT, top-down, RESP-J, RESP-C, CHAIN-J, WELL, \
                 Check-Valid, Simplify, Monotonicity, diagram, auto"
                    .to_string(),
            )),
        }
    }

    fn response(
        &self,
        shape: &Shape,
        given: &Term,
        proof: &Proof,
        background: &[Lemma],
    ) -> Result<Attempt, NotApplicable> {
        let (fts, rule) = (self.judge.fts, &*proof.rule.to_ascii_uppercase());
        let (from, q) = match shape {
            Shape::Response(p, q) => (p.clone(), q.clone()),
            Shape::Guarantee(q) => (fts.initial.clone(), q.clone()),
            _ => return Err(NotApplicable("the property is not a response".to_string())),
        };
        let from = Term::all([given.clone(), from]);
        let stages = stages(&proof.steps, given)?;
        match rule {
            "RESP-C" => {
                let (first, rest) = stages
                    .split_first()
                    .ok_or_else(|| NotApplicable("an assertion is needed".to_string()))?;
                let (mut conditions, goal) = rules::resp_c(fts, &from, &q, first, background)?;
                conditions.extend(rules::chain(fts, &first.phi, &goal, rest, background)?);
                let again = Some(backwards(rest));
                let stage = Helped { again, ..helped(first) };
                let attempt = Attempt::of(self.judge.judge_all("RESP-C", &conditions));
                Ok(attempt.by(Evidence::Progress(vec![stage])))
            }
            "WELL" | "WELL-J" => {
                let conditions =
                    rules::well(fts, Target { from: &from, goal: &q, again: &[] }, &stages, background)?;
                let attempt = Attempt::of(self.judge.judge_all("WELL-J", &conditions));
                Ok(attempt.by(Evidence::Ranked(stages.iter().map(helped).collect())))
            }
            _ if rule == "RESP-J" && stages.len() != 1 => {
                Err(NotApplicable("one assertion is needed".to_string()))
            }
            _ => {
                let conditions = rules::chain(fts, &from, &q, &stages, background)?;
                let name = if rule == "RESP-J" { "RESP-J" } else { "CHAIN-J" };
                let attempt = Attempt::of(self.judge.judge_all(name, &conditions));
                Ok(attempt.by(Evidence::Progress(backwards(&stages))))
            }
        }
    }

    /// From p ==> <>q (or []p) proved, p2 ==> <>q2 if p2 → p and q → q2.
    fn monotonicity(
        &self,
        shape: &Shape,
        given: &Term,
        proof: &Proof,
        background: &[Lemma],
    ) -> Result<Attempt, NotApplicable> {
        let name = proof.steps.first().map(|s| s.text.clone()).unwrap_or_default();
        let from = self.judge.fts.properties.iter().find(|p| p.name == name);
        let from = from.ok_or_else(|| NotApplicable("name the property it follows from".to_string()))?;
        if !self.proved.contains(&from.name) {
            return Err(NotApplicable(format!("`{}` is not proved", from.name)));
        }
        let old = crate::shape::shape(&from.formula);
        // What is known is known of values within its own bounds.
        let covers = |p2: &Term, p: Term| {
            let known = Term::all([from.given.clone(), p]);
            Condition::implication("M1", Term::all([given.clone(), p2.clone()]), known, background)
        };
        let conditions = match (shape, old) {
            (Shape::Response(p2, q2), Some(Shape::Response(p, q))) => {
                vec![covers(p2, p), Condition::implication("M2", q, q2.clone(), background)]
            }
            (Shape::Invariance(p2), Some(Shape::Invariance(p))) => {
                let known = Term::implication(from.given.clone(), p);
                vec![Condition::implication("M1", Term::all([given.clone(), known]), p2.clone(), background)]
            }
            (Shape::WaitFor(p2, q2), Some(Shape::WaitFor(p, q))) if q.len() == q2.len() => {
                let first = covers(p2, p);
                let rest =
                    q.into_iter().zip(q2).enumerate().map(|(at, (a, b))| {
                        Condition::implication(format!("M2 {at}"), a, b.clone(), background)
                    });
                std::iter::once(first).chain(rest).collect()
            }
            _ => return Err(NotApplicable("the two properties are not of one form".to_string())),
        };
        let attempt = Attempt::of(self.judge.judge_all("Monotonicity", &conditions));
        Ok(attempt.by(Evidence::Follows(name)))
    }
}

fn stages(steps: &[ProofStep], given: &Term) -> Result<Vec<Stage>, NotApplicable> {
    steps
        .iter()
        .map(|step| {
            let [helpful] = &step.by[..] else {
                return Err(NotApplicable(format!("`{}` needs one helpful transition: by …", step.text)));
            };
            let phi = Term::all([given.clone(), step.formula.clone()]);
            Ok(Stage { phi, helpful: helpful.clone(), rank: step.rank.clone() })
        })
        .collect()
}

/// A stage as the certifier wants it.
fn helped(stage: &Stage) -> Helped {
    let Stage { phi, helpful, rank } = stage.clone();
    Helped { phi, helpful, rank, again: None }
}

/// Stages from the goal backwards; proofs name the first one first.
fn backwards(stages: &[Stage]) -> Vec<Helped> {
    stages.iter().rev().map(helped).collect()
}

/// Simplify: the assertion becomes *true* by rewriting alone.
fn simplified(p: &Term) -> Attempt {
    let simplifier = solve::Simplifier { flags: solve::Flags::STRONG, ..solve::Simplifier::default() };
    let simple = simplifier.simplify(p);
    let proved = *p.sort() == Sort::Bool && simple.is_true();
    let reason = format!("it becomes {}", solve::smtlib::term(&simple));
    let status = if proved { Status::Proved } else { Status::Unknown };
    let obligation = Obligation::new("simplified", "Simplify", status);
    Attempt::of(vec![Obligation { reason: (!proved).then_some(reason), ..obligation }])
}

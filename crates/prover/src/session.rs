//! A proof session: the properties of a system in order, what is known, and how each was proved.
//!
//! Axioms are assumed. Generated invariants and proved invariances become background for what comes after. A property is proved
//! by the proofs of the file, tried in order, or, without any, by the strategies of [`auto`]. A proof that uses a
//! property which is not proved leaves its own property open, so no circle can close.

use crate::auto;
use crate::condition::{Condition, Lemma};
use crate::discharge::{Judge, Obligation, Status};
use crate::generate::{self, Kind};
use crate::history;
use crate::pdr::Run;
use crate::rules::{self, NotApplicable, Stage};
use crate::shape::{Shape, shape};
use crate::strengthen::{self, Attempt};
use system::fts::{Expr, Proof, ProofStep, Property};

/// What is known of a property.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub name: String,
    pub proved: bool,
    /// Why it is open.
    pub reason: Option<String>,
    pub obligations: Vec<Obligation>,
    /// What was found to be inductive, if it was searched for.
    pub invariant: Option<Expr>,
    /// A run that breaks it; whoever shows it must have it replayed.
    pub run: Option<Run>,
}

/// What a session found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub generated: Vec<Lemma>,
    pub outcomes: Vec<Outcome>,
    /// Axioms that proofs relied on.
    pub assumes: Vec<String>,
    /// Type checks and whether they are proved.
    pub types: Vec<Obligation>,
    /// What is strange about the system itself.
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug)]
pub struct Warning {
    pub message: String,
    pub span: source::Span,
}

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Use no proofs of the file.
    pub auto: bool,
    /// Rounds of strengthening.
    pub rounds: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { auto: false, rounds: 12 }
    }
}

pub struct Session<'a> {
    pub judge: Judge<'a>,
    pub effort: Effort,
    pub known: Vec<Lemma>,
    /// Names of the properties proved so far.
    pub proved: Vec<String>,
    pub(crate) axioms: usize,
}

impl<'a> Session<'a> {
    /// A session in which the axioms are known.
    pub fn new(judge: Judge<'a>, effort: Effort) -> Session<'a> {
        let mut known = Vec::new();
        for axiom in &judge.fts.axioms {
            let flexible = |p: &Expr| p.symbols().keys().any(|name| judge.fts.variable(name).is_some());
            match shape(&axiom.formula) {
                Some(Shape::Invariance(p)) => known.push(Lemma::new(&axiom.name, generalized(axiom, p))),
                // Without `[]` an axiom speaks of the beginning; about values that never change that is the same.
                Some(Shape::Initial(p)) if !flexible(&p) => {
                    known.push(Lemma::new(&axiom.name, generalized(axiom, p)));
                }
                _ => {}
            }
        }
        let axioms = known.len();
        Session { judge, effort, known, proved: Vec::new(), axioms }
    }

    /// Generates invariants, then proves the properties in order.
    pub fn run(&mut self, properties: &[Property]) -> Findings {
        let mut findings = Findings { warnings: self.sanity(), ..Findings::default() };
        findings.generated = generate::generate(&self.judge, &Kind::ALL, &self.known);
        self.known.extend(findings.generated.iter().cloned());
        findings.types = self.type_checks();
        for property in properties {
            let outcome = self.prove(property);
            if outcome.proved {
                self.proved.push(property.name.clone());
            }
            if outcome.proved
                && let Some(Shape::Invariance(p)) = shape(&property.formula)
            {
                self.known.push(Lemma::new(&property.name, generalized(property, p)));
            }
            findings.outcomes.push(outcome);
        }
        let axioms = self.known[..self.axioms].iter().map(|l| l.name.clone());
        let used = |name: &String| {
            findings.outcomes.iter().flat_map(|o| &o.obligations).any(|o| o.lemmas.contains(name))
        };
        findings.assumes = axioms.filter(used).collect();
        findings
    }

    /// Proves one property, by the file's proofs or by strategies; past operators as auxiliary variables.
    pub fn prove(&mut self, property: &Property) -> Outcome {
        if !history::has_past(&property.formula) {
            return self.prove_future(property);
        }
        let mut fts = self.judge.fts.clone();
        let Some(formula) = history::without_past(&mut fts, &property.formula) else {
            return open(property, "a past operator stands over a future one");
        };
        let mut inner = Session {
            judge: Judge { fts: &fts, ..self.judge },
            effort: self.effort,
            known: self.known.clone(),
            proved: self.proved.clone(),
            axioms: self.axioms,
        };
        let mut outcome = inner.prove_future(&Property { formula, ..property.clone() });
        for state in outcome.run.iter_mut().flat_map(|run| &mut run.states) {
            state.truncate(self.judge.fts.variables.len());
        }
        outcome
    }

    fn prove_future(&mut self, property: &Property) -> Outcome {
        let proofs: Vec<Proof> =
            self.judge.fts.proofs.iter().filter(|p| p.property == property.name).cloned().collect();
        let mut last = None;
        if !self.effort.auto {
            for proof in &proofs {
                let outcome = self.by_proof(property, proof);
                if outcome.proved {
                    return outcome;
                }
                last = Some(outcome);
            }
        }
        match last {
            Some(outcome) => outcome,
            None => self.by_strategies(property),
        }
    }

    fn by_strategies(&mut self, property: &Property) -> Outcome {
        let Some(shape) = shape(&property.formula) else {
            return open(property, "no rule fits the form of this formula");
        };
        let given = property.given.clone();
        let attempt = auto::prove(&self.judge, &shape, &given, &self.known, self.effort.rounds);
        self.outcome(property, attempt)
    }

    /// What came of an attempt; a run without auxiliary variables, which come last.
    fn outcome(&self, property: &Property, mut attempt: Attempt) -> Outcome {
        for state in attempt.run.iter_mut().flat_map(|run| &mut run.states) {
            state.truncate(self.judge.fts.variables.len());
        }
        outcome(property, attempt)
    }

    fn by_proof(&mut self, property: &Property, proof: &Proof) -> Outcome {
        let background = match self.background(proof.using.as_deref()) {
            Ok(background) => background,
            Err(name) => return open(property, &format!("`{name}` is not proved")),
        };
        match self.apply(property, proof, &background) {
            Ok(attempt) => self.outcome(property, attempt),
            Err(NotApplicable(why)) => open(property, &format!("{}: {why}", proof.rule)),
        }
    }

    /// The lemmas that a proof names; all of them if it names none.
    fn background(&self, using: Option<&[String]>) -> Result<Vec<Lemma>, String> {
        let Some(names) = using else { return Ok(self.known.clone()) };
        let kinds: Vec<&str> = Kind::ALL.iter().map(|k| k.name()).collect();
        for name in names {
            if !kinds.contains(&&**name) && !self.known.iter().any(|l| l.name == *name) {
                return Err(name.clone());
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
        let shape = shape(&property.formula)
            .ok_or_else(|| NotApplicable("no rule fits the form of this formula".to_string()))?;
        let rule = proof.rule.to_ascii_uppercase();
        let misfit = || NotApplicable(format!("the property is no formula for {rule}"));
        let given = &property.given;
        let under = |p: &Expr| Expr::implies(given.clone(), p.clone());
        let rounds = self.effort.rounds;
        match (&*rule, &shape) {
            ("B-INV", Shape::Invariance(p)) => Ok(strengthen::b_inv(judge, &under(p), background)),
            ("WLPC", Shape::Invariance(p)) => Ok(strengthen::wlpc_rule(judge, &under(p), background)),
            ("STRENGTHEN", Shape::Invariance(p)) => {
                Ok(strengthen::strengthen(judge, &under(p), background, rounds))
            }
            ("G-INV", Shape::Invariance(p)) => {
                let phi = Expr::and(proof.steps.iter().map(|s| s.formula.clone()));
                let conditions = rules::g_inv(judge.fts, &under(p), &phi, background);
                Ok(Attempt::of(judge.judge_all("G-INV", &conditions)))
            }
            ("G-WAIT", Shape::WaitFor(p, q)) => {
                let p = Expr::and([given.clone(), p.clone()]);
                if proof.steps.is_empty() {
                    return Ok(strengthen::g_wait_top_down(judge, &p, q, background, rounds));
                }
                if proof.steps.len() != q.len() {
                    return Err(NotApplicable(format!("{} assertions are needed", q.len())));
                }
                let phi: Vec<Expr> =
                    proof.steps.iter().map(|s| Expr::and([given.clone(), s.formula.clone()])).collect();
                Ok(Attempt::of(judge.judge_all("G-WAIT", &rules::g_wait(judge.fts, &p, q, &phi, background))))
            }
            ("TOP-DOWN", Shape::WaitFor(p, q)) => {
                let p = Expr::and([given.clone(), p.clone()]);
                Ok(strengthen::g_wait_top_down(judge, &p, q, background, rounds))
            }
            ("RESP-J" | "CHAIN-J" | "WELL" | "WELL-J" | "RESP-C", _) => self.response(&rule, &shape, given, proof, background),
            ("CHECK-VALID", Shape::Invariance(p) | Shape::Initial(p)) => {
                let condition = Condition::implication("valid", given.clone(), p.clone(), background);
                Ok(Attempt::of(vec![judge.judge("Check-Valid", &condition)]))
            }
            ("MONOTONICITY", shape) => self.monotonicity(shape, given, proof, background),
            ("PDR", Shape::Invariance(p)) => strengthen::property_directed(judge, &under(p), background)
                .ok_or_else(|| NotApplicable("neither an invariant nor a run was found".to_string())),
            ("PDR", Shape::WaitFor(p, q)) => {
                let p = Expr::and([given.clone(), p.clone()]);
                strengthen::waiting_directed(judge, &p, q, background)
                    .ok_or_else(|| NotApplicable("neither an invariant nor a run was found".to_string()))
            }
            ("AUTO", shape) => Ok(auto::prove(judge, shape, given, background, rounds)),
            ("B-INV" | "WLPC" | "STRENGTHEN" | "G-INV" | "G-WAIT" | "TOP-DOWN" | "PDR" | "CHECK-VALID", _) => Err(misfit()),
            _ => Err(NotApplicable(
                "no such rule; there are B-INV, G-INV, WLPC, Strengthen, PDR, G-WAIT, top-down, RESP-J, RESP-C, CHAIN-J, WELL, \
                 Check-Valid, Monotonicity, auto"
                    .to_string(),
            )),
        }
    }

    fn response(
        &self,
        rule: &str,
        shape: &Shape,
        given: &Expr,
        proof: &Proof,
        background: &[Lemma],
    ) -> Result<Attempt, NotApplicable> {
        let fts = self.judge.fts;
        let (from, q) = match shape {
            Shape::Response(p, q) => (p.clone(), q.clone()),
            Shape::Guarantee(q) => (fts.initial.clone(), q.clone()),
            _ => return Err(NotApplicable("the property is no response".to_string())),
        };
        let from = Expr::and([given.clone(), from]);
        let stages = stages(&proof.steps, given)?;
        match rule {
            "RESP-C" => {
                let (first, rest) = stages
                    .split_first()
                    .ok_or_else(|| NotApplicable("an assertion is needed".to_string()))?;
                let (mut conditions, goal) = rules::resp_c(fts, &from, &q, first, background)?;
                conditions.extend(rules::chain(fts, &first.phi, &goal, rest, background)?);
                Ok(Attempt::of(self.judge.judge_all("RESP-C", &conditions)))
            }
            "WELL" | "WELL-J" => {
                let conditions = rules::well(fts, &from, &q, &stages, background)?;
                Ok(Attempt::of(self.judge.judge_all("WELL-J", &conditions)))
            }
            _ if rule == "RESP-J" && stages.len() != 1 => {
                Err(NotApplicable("one assertion is needed".to_string()))
            }
            _ => {
                let conditions = rules::chain(fts, &from, &q, &stages, background)?;
                let name = if rule == "RESP-J" { "RESP-J" } else { "CHAIN-J" };
                Ok(Attempt::of(self.judge.judge_all(name, &conditions)))
            }
        }
    }

    /// From p ==> <>q (or []p) proved, p2 ==> <>q2 if p2 → p and q → q2.
    fn monotonicity(
        &self,
        shape: &Shape,
        given: &Expr,
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
        let conditions = match (shape, old) {
            (Shape::Response(p2, q2), Some(Shape::Response(p, q))) => vec![
                Condition::implication("M1", Expr::and([given.clone(), p2.clone()]), p, background),
                Condition::implication("M2", q, q2.clone(), background),
            ],
            (Shape::Invariance(p2), Some(Shape::Invariance(p))) => {
                vec![Condition::implication("M1", Expr::and([given.clone(), p]), p2.clone(), background)]
            }
            (Shape::WaitFor(p2, q2), Some(Shape::WaitFor(p, q))) if q.len() == q2.len() => {
                let first =
                    Condition::implication("M1", Expr::and([given.clone(), p2.clone()]), p, background);
                let rest =
                    q.into_iter().zip(q2).enumerate().map(|(at, (a, b))| {
                        Condition::implication(format!("M2 {at}"), a, b.clone(), background)
                    });
                std::iter::once(first).chain(rest).collect()
            }
            _ => return Err(NotApplicable("the two properties are not of one form".to_string())),
        };
        Ok(Attempt::of(self.judge.judge_all("Monotonicity", &conditions)))
    }
}

fn stages(steps: &[ProofStep], given: &Expr) -> Result<Vec<Stage>, NotApplicable> {
    steps
        .iter()
        .map(|step| {
            let [helpful] = &step.by[..] else {
                return Err(NotApplicable(format!("`{}` needs one helpful transition: by …", step.text)));
            };
            let phi = Expr::and([given.clone(), step.formula.clone()]);
            Ok(Stage { phi, helpful: helpful.clone(), rank: step.rank.clone() })
        })
        .collect()
}

/// The invariant for all values of the property's rigid symbols.
fn generalized(property: &Property, p: Expr) -> Expr {
    let binders = property.rigid.iter().cloned().map(system::fts::Binder::free).collect();
    Expr::forall(binders, Expr::implies(property.given.clone(), p))
}

fn open(property: &Property, reason: &str) -> Outcome {
    Outcome {
        name: property.name.clone(),
        proved: false,
        reason: Some(reason.to_string()),
        obligations: Vec::new(),
        invariant: None,
        run: None,
    }
}

fn outcome(property: &Property, attempt: Attempt) -> Outcome {
    let count = |status: Status| attempt.obligations.iter().filter(|o| o.status == status).count();
    let (failed, unknown) = (count(Status::Failed), count(Status::Unknown));
    let reason = (!attempt.proved).then(|| {
        let all = attempt.obligations.len();
        match (failed, unknown) {
            (0, n) => format!("{n} of {all} conditions are undecided"),
            (n, 0) => format!("{n} of {all} conditions fail"),
            (n, m) => format!("{n} of {all} conditions fail, {m} are undecided"),
        }
    });
    let Attempt { proved, obligations, invariant, run } = attempt;
    let reason = if run.is_some() { Some("a run breaks it".to_string()) } else { reason };
    Outcome { name: property.name.clone(), proved, reason, obligations, invariant, run }
}

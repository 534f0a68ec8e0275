//! A proof session: the properties of a system in order, what is known, and how each was proved.
//!
//! Axioms are assumed where no step can break them ([`axioms`]). Generated invariants and proved
//! invariances become background for what comes after. A property is proved by the proofs of the
//! file, tried in order, or, without any, by the strategies of [`auto`]. A proof that uses a
//! property which is not proved leaves its own property open, so no circle can close.

use crate::auto::{self, Goal, Method};
use crate::axioms::{self, Axioms};
use crate::clauses::Seen;
use crate::condition::Lemma;
use crate::discharge::{Judge, Obligation, Status};
use crate::generate::{self, Kind};
use crate::history;
use crate::pdr::Counterexample;
use crate::shape::{Shape, shape};
use crate::strengthen::Attempt;
use logic::fol::Term;
use system::fts::{Evidence, Proof, Property, Remembered};

/// What is known of a property.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// That of the property.
    pub name: String,
    /// Whether a proof was found.
    pub proved: bool,
    /// Why it is open.
    pub reason: Option<String>,
    /// The conditions of its proof, or of the attempt that failed.
    pub obligations: Vec<Obligation>,
    /// What was found to be inductive, if it was searched for.
    pub invariant: Option<Term>,
    /// A run that breaks it; it must be replayed before it is shown.
    pub run: Option<Counterexample>,
    /// Why it holds; it must be certified before that is said.
    pub evidence: Option<Evidence>,
    /// Auxiliary variables that the evidence speaks of.
    pub remembered: Vec<Remembered>,
}

/// What a session found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Invariants generated from the system alone.
    pub generated: Vec<Lemma>,
    /// What is known of each property.
    pub outcomes: Vec<Outcome>,
    /// Axioms that proofs relied on.
    pub assumes: Vec<String>,
    /// Type checks and whether they are proved.
    pub types: Vec<Obligation>,
    /// Why each type check never fails, if it is proved.
    pub type_evidence: Vec<Option<Evidence>>,
    /// What the axioms are worth.
    pub axioms: Axioms,
    /// What is strange about the system itself.
    pub warnings: Vec<Warning>,
    /// Why everything holds, for the wrong reason.
    pub vacuous: Option<String>,
}

/// Something about the system that is probably not intended.
#[derive(Clone, Debug)]
pub struct Warning {
    /// Whether nothing that is proved means anything.
    pub vacuous: bool,
    /// One sentence without a full stop.
    pub message: String,
    /// The declaration or statement it is about.
    pub span: source::Span,
}

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Use no proofs of the file.
    pub auto: bool,
    /// Rounds of strengthening.
    pub rounds: usize,
    /// Milliseconds for one property, and for the generated invariants.
    pub each: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { auto: false, rounds: 12, each: 60_000 }
    }
}

/// In which way a property is to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By the proofs of the file.
    Script,
    /// By all methods in turn.
    AllMethods,
    /// By one of them.
    By(Method),
}

/// The proofs of one system, one property after the other; what is proved helps those that follow.
pub struct Session<'a> {
    /// Decides the conditions, within the time left.
    pub judge: Judge<'a>,
    /// How hard to try.
    pub effort: Effort,
    /// What later proofs may use.
    pub known: Vec<Lemma>,
    /// Names of the properties proved so far.
    pub proved: Vec<String>,
    /// What the axioms are worth.
    pub axioms: Axioms,
}

impl<'a> Session<'a> {
    /// A session in which the axioms are known that may be used.
    pub fn new(judge: Judge<'a>, effort: Effort) -> Session<'a> {
        let axioms = axioms::admitted(&judge);
        let mut known = axioms.assumed.clone();
        known.extend(axioms.proved.iter().map(|(lemma, _)| lemma.clone()));
        Session { judge, effort, known, proved: Vec::new(), axioms }
    }

    /// Generates invariants, then proves the properties in order.
    pub fn run(&mut self, properties: &[Property]) -> Findings {
        let mut warnings = self.sanity();
        warnings.extend(self.axioms.warnings.iter().cloned());
        let vacuous = warnings.iter().find(|w| w.vacuous).map(|w| w.message.clone());
        let mut findings = Findings { warnings, vacuous, ..Findings::default() };
        let judge = self.judge.for_at_most(self.effort.each);
        findings.generated = generate::generate(&judge, &Kind::ALL, &self.known);
        self.known.extend(findings.generated.iter().cloned());
        for property in properties {
            let mut outcome = self.prove(property);
            if !outcome.proved && outcome.run.is_none() && !self.axioms.dropped.is_empty() {
                let names = self.axioms.dropped.join("`, `");
                let reason = outcome.reason.unwrap_or_default();
                outcome.reason = Some(format!("{reason}; axiom `{names}` is not used"));
            }
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
        (findings.types, findings.type_evidence) = self.type_checks().into_iter().unzip();
        let axioms = self.axioms.assumed.iter().map(|l| l.name.clone());
        let used = |name: &String| {
            let proofs = findings.outcomes.iter().flat_map(|o| &o.obligations);
            proofs.chain(&findings.types).any(|o| o.lemmas.contains(name))
        };
        findings.assumes = axioms.filter(used).collect();
        findings.axioms = self.axioms.clone();
        findings
    }

    /// Proves one property, by the file's proofs or by strategies.
    pub fn prove(&mut self, property: &Property) -> Outcome {
        let whole = self.judge;
        self.judge = whole.for_at_most(self.effort.each);
        let how = if self.is_scripted(property) { How::Script } else { How::AllMethods };
        let outcome = self.attempt(property, how);
        self.judge = whole;
        outcome
    }

    /// Whether the file's proofs of a property are to be used.
    pub fn is_scripted(&self, property: &Property) -> bool {
        !self.effort.auto && self.judge.fts.proofs.iter().any(|p| p.property == property.name)
    }

    /// Tries to prove one property in one way; past operators as auxiliary variables.
    pub fn attempt(&mut self, property: &Property, how: How) -> Outcome {
        if !history::has_past(&property.formula) {
            return self.prove_future(property, how);
        }
        let mut fts = self.judge.fts.clone();
        let Some(formula) = history::without_past(&mut fts, &property.formula) else {
            return open(property, "a past operator stands over a future one");
        };
        let seen = Seen::default();
        let mut inner = Session {
            judge: Judge { fts: &fts, seen: &seen, ..self.judge },
            effort: self.effort,
            known: self.known.clone(),
            proved: self.proved.clone(),
            axioms: self.axioms.clone(),
        };
        let mut outcome = inner.prove_future(&Property { formula, ..property.clone() }, how);
        for state in outcome.run.iter_mut().flat_map(|run| &mut run.path.states) {
            state.truncate(self.judge.fts.variables.len());
        }
        outcome.remembered = fts.remembered;
        outcome
    }

    fn prove_future(&mut self, property: &Property, how: How) -> Outcome {
        let method = match how {
            How::Script => return self.by_proofs(property),
            How::AllMethods => None,
            How::By(method) => Some(method),
        };
        let Some(shape) = shape(&property.formula) else {
            return open(property, "no rule fits the form of this formula");
        };
        let goal = self.goal(&shape, &property.given);
        let attempt = match method {
            Some(method) => auto::attempt(&self.judge, method, goal, &self.known),
            None => auto::prove(&self.judge, goal, &self.known),
        };
        self.outcome(property, attempt)
    }

    /// The file's proofs in order, until one succeeds.
    fn by_proofs(&mut self, property: &Property) -> Outcome {
        let proofs: Vec<Proof> =
            self.judge.fts.proofs.iter().filter(|p| p.property == property.name).cloned().collect();
        let mut last = open(property, "there is no proof of it");
        for proof in &proofs {
            last = self.by_proof(property, proof);
            if last.proved {
                break;
            }
        }
        last
    }

    pub(crate) fn goal<'g>(&self, shape: &'g Shape, given: &'g Term) -> Goal<'g> {
        Goal { shape, given, rounds: self.effort.rounds }
    }

    /// What came of an attempt; a run without auxiliary variables, which come last.
    pub(crate) fn outcome(&self, property: &Property, mut attempt: Attempt) -> Outcome {
        for state in attempt.run.iter_mut().flat_map(|run| &mut run.path.states) {
            state.truncate(self.judge.fts.variables.len());
        }
        outcome(property, attempt)
    }
}

/// The invariant for all values of the property's rigid symbols.
pub fn generalized(property: &Property, p: Term) -> Term {
    let binders = property.rigid.iter().cloned().map(logic::fol::Binder::free).collect();
    Term::every(binders, Term::implication(property.given.clone(), p))
}

pub(crate) fn open(property: &Property, reason: &str) -> Outcome {
    let reason = Some(reason.to_string());
    Outcome { name: property.name.clone(), reason, ..Outcome::default() }
}

fn outcome(property: &Property, attempt: Attempt) -> Outcome {
    let reason = match (&attempt.run, attempt.proved) {
        (Some(_), _) => Some("a run violates it".to_string()),
        (None, true) => None,
        (None, false) => Some(why(&attempt)),
    };
    let Attempt { proved, obligations, invariant, run, evidence, .. } = attempt;
    let (name, remembered) = (property.name.clone(), Vec::new());
    Outcome { name, proved, reason, obligations, invariant, run, evidence, remembered }
}

/// Why an attempt proves nothing: what became of its conditions, and why it was given up.
fn why(attempt: &Attempt) -> String {
    let count = |status: Status| attempt.obligations.iter().filter(|o| o.status == status).count();
    let all = attempt.obligations.len();
    let counted = match (count(Status::Failed), count(Status::Unknown)) {
        (0, 0) => return attempt.reason.clone().unwrap_or_else(|| "no strategy succeeds".to_string()),
        (0, 1) => format!("1 of {all} conditions is undecided"),
        (0, n) => format!("{n} of {all} conditions are undecided"),
        (1, 0) => format!("1 of {all} conditions fails"),
        (n, 0) => format!("{n} of {all} conditions fail"),
        (n, m) => format!("{n} of {all} conditions fail, {m} are undecided"),
    };
    match &attempt.reason {
        Some(reason) => format!("{counted}; {reason}"),
        None => counted,
    }
}

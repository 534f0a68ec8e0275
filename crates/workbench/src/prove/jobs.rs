//! What is to be proved, as jobs: each property and each type check, what was tried for it, and
//! what became of it.

use super::Source;
use crate::answer::{Certificate, Verdict, Violation};
use logic::ltl::{Formula, Unary};
use prover::generate::Kind;
use prover::history;
use prover::shape::{Shape, shape};
use prover::{Method, Obligation, Outcome, Status};
use std::collections::BTreeMap;
use system::fts::{Fts, Parameter, Proof, Property, TypeCheck};

/// A property that is to be decided, or a type check.
pub(super) struct Job {
    pub(super) property: Property,
    /// Whether it is a type check.
    pub(super) is_check: bool,
    /// The proofs of the file are to be used, and nothing else.
    pub(super) scripted: bool,
    /// Whether generated invariants may be of use for it.
    pub(super) wants_generated: bool,
    shape: Option<Shape>,
    pub(super) verdict: Verdict,
    /// The best that is known.
    pub(super) outcome: Outcome,
    pub(super) violation: Option<Violation>,
    pub(super) certificate: Option<Certificate>,
    /// No run of fewer steps violates it, for each system that is searched for bounded runs.
    pub(super) steps: Vec<usize>,
    /// Why it says nothing, if that is known.
    pub(super) vacuous: Option<String>,
    /// How far each engine came, in the order of the report.
    tried: BTreeMap<(usize, &'static str), String>,
}

impl Job {
    /// A property; `scripted` are the proofs of the file that are to be used.
    fn of_property(property: &Property, scripted: bool) -> Job {
        let shape = shape(&property.formula);
        let outcome = Outcome { name: property.name.clone(), ..Outcome::default() };
        Job {
            property: property.clone(),
            is_check: false,
            scripted,
            wants_generated: true,
            shape,
            verdict: Verdict::Unknown,
            outcome,
            violation: None,
            certificate: None,
            steps: Vec::new(),
            vacuous: None,
            tried: BTreeMap::new(),
        }
    }

    /// A property with what the proofs of a file say of it.
    pub(super) fn with_proofs(property: &Property, proofs: &[Proof]) -> Job {
        let kinds = |name: &String| Kind::ALL.iter().any(|kind| kind.name() == name);
        let wants = |proof: &&Proof| proof.using.as_ref().is_none_or(|using| using.iter().any(kinds));
        let mut own = proofs.iter().filter(|p| p.property == property.name).peekable();
        let scripted = own.peek().is_some();
        let wants_generated = !scripted || own.any(|proof| wants(&proof));
        Job { wants_generated, ..Job::of_property(property, scripted) }
    }

    /// A type check as a property: its condition holds always.
    pub(super) fn of_check(check: &TypeCheck) -> Job {
        let property = Property {
            name: check.what.clone(),
            rigid: check.parameters.iter().map(|p| p.symbol.clone()).collect(),
            given: logic::fol::Term::all(check.parameters.iter().map(Parameter::bounds)),
            formula: Formula::unary(Unary::Always, Formula::Atom(check.condition.clone())),
            text: check.what.clone(),
            span: check.span,
        };
        Job { is_check: true, ..Job::of_property(&property, false) }
    }

    /// Whether only a run without end can violate it, as far as its form tells.
    pub(super) fn is_liveness(&self) -> bool {
        let safety = |shape: &Shape| {
            matches!(
                shape,
                Shape::Invariance(_) | Shape::WaitFor(..) | Shape::Precedence(_) | Shape::Initial(_)
            )
        };
        !self.is_check && !self.shape.as_ref().is_some_and(safety)
    }

    pub(super) fn is_open(&self) -> bool {
        self.verdict == Verdict::Unknown
    }

    /// Whether a method may help. What it is for is not seen from a formula with past operators.
    pub(super) fn fits(&self, method: Method) -> bool {
        let past = history::has_past(&self.property.formula);
        !self.scripted && self.shape.as_ref().map_or(past, |shape| method.fits(shape))
    }

    /// Notes how far an engine came. The first attempt of rules or of the file's proof is shown.
    pub(super) fn note(&mut self, place: usize, engine: &'static str, outcome: Outcome) {
        let reason = outcome.reason.clone().unwrap_or_else(|| "nothing found".to_string());
        self.tried.insert((place, engine), reason);
        // Conditions about several states in a row would be long, and in names of copies.
        let outcome = match engine == Method::Induction.name() && !self.scripted {
            true => Outcome { obligations: Vec::new(), ..outcome },
            false => outcome,
        };
        let shown = self.outcome.obligations.is_empty() || self.scripted || engine == "rules";
        if shown && !(outcome.obligations.is_empty() && self.outcome.reason.is_some() && !self.scripted) {
            self.outcome = Outcome { proved: false, ..outcome };
        }
    }

    pub(super) fn note_words(&mut self, place: usize, engine: &'static str, words: &str) {
        self.tried.insert((place, engine), words.to_string());
    }

    /// Why it is open: how far each engine came, and what would help.
    pub(super) fn reason(&self) -> String {
        if self.scripted {
            return self
                .outcome
                .reason
                .clone()
                .unwrap_or_else(|| "no proof of the file succeeds".to_string());
        }
        let tried: Vec<String> = self.tried.iter().map(|((_, who), far)| format!("{who}: {far}")).collect();
        match (tried.is_empty(), self.help()) {
            (true, _) => prover::OUT_OF_TIME.to_string(),
            (false, help) => format!("{}; {help}", tried.join("; ")),
        }
    }

    fn help(&self) -> &'static str {
        match &self.shape {
            Some(Shape::Invariance(_)) => "an invariant that implies it, as a property before it, may help",
            Some(Shape::WaitFor(..) | Shape::Precedence(_)) => {
                "assertions for its intervals (PROOF … : G-WAIT) may help"
            }
            Some(Shape::Response(..) | Shape::Guarantee(_) | Shape::Recurrence(_)) => {
                "stages with helpful transitions (PROOF … : CHAIN-J or WELL) may help"
            }
            _ => "no rule is for a formula of this form; one of another form that implies it may help",
        }
    }

    /// A type check as it is shown.
    pub(super) fn obligation(&self) -> Obligation {
        let status = if self.verdict == Verdict::Holds { Status::Proved } else { Status::Unknown };
        let by_search = self.outcome.obligations.first().filter(|o| o.rule == "Model-Check");
        let rule = by_search.map_or("types", |o| o.rule);
        let mut lemmas: Vec<String> =
            self.outcome.obligations.iter().flat_map(|o| o.lemmas.clone()).collect();
        lemmas.sort();
        lemmas.dedup();
        let milliseconds = self.outcome.obligations.iter().map(|o| o.milliseconds).sum();
        let reason = (status != Status::Proved).then(|| self.reason());
        Obligation { lemmas, milliseconds, reason, ..Obligation::new(&self.property.name, rule, status) }
    }
}

/// What is to be decided: properties, the lemmas that their proofs name, type checks.
pub(super) fn all(source: &Source, asked: &[Property], auto: bool) -> Vec<Job> {
    let proofs: &[Proof] = if auto { &[] } else { &source.fts.proofs };
    let properties = with_lemmas(asked, &source.fts, proofs);
    let properties = properties.iter().map(|p| Job::with_proofs(p, proofs));
    properties.chain(source.fts.type_checks.iter().map(Job::of_check)).collect()
}

/// The properties that some are to be proved with: those that their proofs name, and so on.
fn with_lemmas(asked: &[Property], fts: &Fts, proofs: &[Proof]) -> Vec<Property> {
    let mut wanted: Vec<String> = asked.iter().map(|p| p.name.clone()).collect();
    let mut at = 0;
    while let Some(name) = wanted.get(at).cloned() {
        at += 1;
        let own = proofs.iter().filter(|p| p.property == name);
        let names = own.flat_map(|proof| {
            let steps = proof.steps.iter().map(|s| s.text.clone());
            proof.using.iter().flatten().cloned().chain(steps).collect::<Vec<_>>()
        });
        let named = names.filter(|name| fts.properties.iter().any(|p| p.name == *name));
        for name in named.collect::<Vec<_>>() {
            if !wanted.contains(&name) {
                wanted.push(name);
            }
        }
    }
    let lemma = |p: &&Property| wanted.contains(&p.name) && !asked.iter().any(|a| a.name == p.name);
    let mut all: Vec<Property> = fts.properties.iter().filter(lemma).cloned().collect();
    all.extend(asked.iter().cloned());
    all
}

//! `--diagram auto` and `--diagram first`: each property is proved by a diagram that is derived
//! from an abstraction, or from its tableau.
//!
//! The abstraction is found as for `--abstract auto`. Where the property holds there, a diagram is
//! derived as text, with short assertions, or if they do not suffice with exact ones. The text is
//! then read beside the program, proved and certified as one that a user wrote. Where no diagram is
//! derived, the proof by the abstraction stands. A diagram from the tableau is shown with what
//! became of its conditions, proved or not.

use super::abstraction::{self, Made, Means, open};
use super::{Source, reason};
use crate::answer::{Answer, Decided, Derived, Numbers, ProofNumbers, Verdict};
use crate::failure::Failure;
use crate::listener::Interrupt;
use crate::question::{Derive, ProofOptions, Question, Selection};
use crate::verdict;
use prover::Status;
use prover::abstraction::{Abstracted, translated};
use prover::diagram;
use prover::rules::NotApplicable;
use std::time::Instant;
use system::fts::{Diagram, Proof, Property};

/// What a derived text is called in messages.
const DERIVED: &str = "derived.diagram";

/// Proves each property by a diagram of its own where one is derived.
pub(super) fn prove(source: &Source, request: &Question, interrupt: &Interrupt) -> Result<Answer, Failure> {
    if request.proofs.basis.is_some() || request.proofs.refines.is_some() {
        let message =
            "--diagram auto and --diagram first need no --abstract and no --refines: leave them out";
        return Err(Failure::Request(message.to_string()));
    }
    let started = Instant::now();
    let first = abstraction::prove(source, request, interrupt)?;
    let derived = first.numbers.proof.as_ref().map(|n| n.derived.clone()).unwrap_or_default();
    let Some(beside) = beside(source, &derived) else { return Ok(first) };
    let mut limits = request.limits;
    limits.time = limits.time.map(|t| t.saturating_sub(started.elapsed()));
    let stated = derived.iter().filter(|d| d.text.is_ok()).map(|d| Selection::Named(d.stated.clone()));
    let selected = stated.collect();
    let proofs = ProofOptions { derive: None, auto: false, ..request.proofs.clone() };
    let second = Question { selected, limits, proofs, ..request.clone() };
    // What is known so far stays known if this takes too long.
    let second = super::prove(&beside, &second, &interrupt.apart())?;
    let seconds = started.elapsed().as_secs_f64();
    Ok(together(first, second, &derived, seconds))
}

/// The program with the texts of the diagrams, which alone prove their properties.
fn beside(source: &Source, derived: &[Derived]) -> Option<Source> {
    let texts: Vec<&str> = derived.iter().filter_map(|d| d.text.as_deref().ok()).collect();
    if texts.is_empty() {
        return None;
    }
    let mut beside = read(source, &texts.concat())?;
    let is_derived = |name: &str| derived.iter().any(|d| d.text.is_ok() && d.stated == name);
    let given = |name: &str| source.fts.diagrams.iter().any(|d| d.name == name);
    let by_derived = |p: &Proof| p.rule == "diagram" && p.steps.iter().all(|s| !given(&s.text));
    beside.fts.proofs.retain(|p| !is_derived(&p.property) || by_derived(p));
    Some(beside)
}

/// The program with a text beside it.
fn read(source: &Source, text: &str) -> Option<Source> {
    let (mut map, mut roots) = (source.map.clone(), source.roots.clone());
    roots.push(map.add(DERIVED, text.to_string()));
    let fts = spl::read(&map, &roots).0?;
    Some(Source { map, roots, fts, asked: Vec::new(), ..source.clone() })
}

/// One answer: what a derived diagram proves is proved by it.
fn together(first: Answer, second: Answer, derived: &[Derived], seconds: f64) -> Answer {
    let by_diagram = |property: &Decided| {
        let of = derived.iter().find(|d| d.property == property.name)?;
        let by = second.properties.iter().find(|p| p.name == of.stated)?;
        let (name, text) = (property.name.clone(), property.text.clone());
        let more = by.verdict == Verdict::Holds || property.verdict == Verdict::Unknown;
        more.then(|| Decided { name, text, ..by.clone() })
    };
    let one = |p: &Decided| by_diagram(p).unwrap_or_else(|| p.clone());
    let properties: Vec<Decided> = first.properties.iter().map(one).collect();
    let (before, after) = (first.numbers.proof.unwrap_or_default(), second.numbers.proof.unwrap_or_default());
    let mut diagrams = after.diagrams;
    for diagram in &mut diagrams {
        if let Some(of) = derived.iter().find(|d| d.stated == diagram.property) {
            diagram.property.clone_from(&of.property);
        }
    }
    let mut assumes: Vec<String> = first.assumes.into_iter().chain(second.assumes).collect();
    assumes.sort();
    assumes.dedup();
    let proof = ProofNumbers { diagrams, ..before };
    verdict::conclude(Answer {
        reason: reason(&properties, &proof.types),
        exhausted: properties.iter().all(|p| p.verdict != Verdict::Unknown),
        interrupted: first.interrupted || second.interrupted,
        errors: verdict::errors(&properties),
        numbers: Numbers { seconds, proof: Some(proof), ..Numbers::default() },
        violations: first.violations,
        warnings: first.warnings,
        properties,
        assumes,
        ..Answer::default()
    })
}

/// What a derived text calls things.
struct Named {
    /// The property: its name, or one that is made for a formula without.
    stated: String,
    /// Says what that name means, if it is new.
    claim: String,
    diagram: String,
}

impl Means<'_> {
    /// A diagram for a property that holds of an abstraction.
    pub(super) fn derived(&self, property: &Property, made: &Abstracted) -> Derived {
        let named = self.named(property);
        let text = self.text(property, &named, made).map_err(|NotApplicable(why)| why);
        Derived { property: property.name.clone(), stated: named.stated, text }
    }

    /// The first diagram of each property, from its tableau.
    pub(super) fn first(&self) -> Result<Made, Failure> {
        let mut made = Made::default();
        for property in self.properties()? {
            let named = self.named(&property);
            let text = diagram::first(&self.judge, &self.known, &property, (&named.diagram, &named.stated));
            let text = text.map(|text| named.claim.clone() + &text);
            let text = text.and_then(|text| self.written(&property, &named, &text).map(|_| text));
            let text = text.map_err(|NotApplicable(why)| why);
            let why = text.as_ref().err().map_or("its first diagram is no proof yet", |why| why);
            let text_of = property.text.clone();
            made.decided.push(Decided { text: text_of, ..open(&property.name, why) });
            made.derived.push(Derived { property: property.name, stated: named.stated, text });
        }
        Ok(made)
    }

    fn text(&self, property: &Property, named: &Named, made: &Abstracted) -> Result<String, NotApplicable> {
        let formula = &translated(&self.judge, &property.formula, &made.relation, &self.known)?;
        let with = |exact: bool| {
            let derivation = diagram::Derivation { judge: &self.judge, made, property, formula, exact };
            let text = named.claim.clone() + &derivation.text(&named.diagram, &named.stated)?;
            let diagram = self.written(property, named, &text)?;
            self.proves(property, &diagram).map(|()| text)
        };
        with(false).or_else(|_| with(true))
    }

    /// The names of a diagram and its property.
    fn named(&self, property: &Property) -> Named {
        let is_taken = |name: &str| self.source.fts.properties.iter().any(|p| p.name == name);
        let asked = || (1..).map(|n| format!("asked{n}")).find(|name| !is_taken(name)).unwrap_or_default();
        let (stated, claim) = match is_taken(&property.name) {
            true => (property.name.clone(), String::new()),
            false => (asked(), format!("PROPERTY {} : {}\n", asked(), property.text)),
        };
        let is_free = |name: &String| !self.source.fts.diagrams.iter().any(|d| d.name == *name);
        let first = self.request.proofs.derive == Some(Derive::Tableau);
        let prefix = if first { "first" } else { "auto" };
        let mut names = (0..).map(|n| format!("{prefix}_{stated}{}", "_".repeat(n)));
        let diagram = names.find(is_free).unwrap_or_default();
        Named { stated, claim, diagram }
    }

    /// The diagram that a text describes, for this very property.
    fn written(&self, property: &Property, named: &Named, text: &str) -> Result<Diagram, NotApplicable> {
        let unwritten = || NotApplicable("the diagram cannot be written as text".to_string());
        let beside = read(self.source, text).ok_or_else(unwritten)?;
        let is_same = |p: &Property| p.name == named.stated && p.formula == property.formula;
        let found = beside.fts.diagrams.into_iter().find(|d| d.name == named.diagram);
        found.filter(|_| beside.fts.properties.iter().any(is_same)).ok_or_else(unwritten)
    }

    /// Whether a diagram proves a property; if not, why.
    fn proves(&self, property: &Property, diagram: &Diagram) -> Result<(), NotApplicable> {
        let (given, background) = (&property.given, &self.known[..]);
        let question = diagram::Question { judge: &self.judge, diagram, given, background };
        let attempt = question.prove(&property.formula)?;
        let open = attempt.obligations.iter().find(|o| o.status != Status::Proved);
        let why = open.map_or_else(
            || "its conditions are not proved".to_string(),
            |o| format!("the condition `{}` of the diagram that was derived is not proved", o.name),
        );
        if attempt.proved { Ok(()) } else { Err(NotApplicable(why)) }
    }
}

//! What the axioms of a file mean to a search: those about values that never change must be true of the values given; one about the state
//! that a reachable state breaks is told, with the step that leads there. A search looks at all runs, so it rests on no axiom.

use super::{Checker, Question};
use prover::axioms::{Standing, standing};
use source::Diagnostic;
use system::fts::evaluate::holds;
use system::fts::step::{In, State, successors};
use system::fts::{Fts, Property};

/// What is to be told about the axioms.
#[derive(Default)]
pub(super) struct Axioms {
    pub(super) warnings: Vec<Diagnostic>,
    /// Why nothing that is found counts.
    pub(super) excluded: Option<String>,
}

pub(super) fn looked_at(question: &Question<'_>, engine: &dyn Checker) -> Axioms {
    let fts = &question.source.fts;
    let mut found = Axioms::default();
    for axiom in &fts.axioms {
        match standing(fts, axiom) {
            Standing::Rigid(p) => {
                let within = In { fts, given: question.given, state: &[], extra: Vec::new() };
                if holds(&p, &within) == Some(false) {
                    found.excluded = Some(format!("the values given break axiom `{}`", axiom.name));
                }
            }
            Standing::State(p) => {
                if let Ok(Some(states)) = engine.breaks(&p) {
                    found.warnings.push(broken(question, axiom, &states));
                }
            }
            Standing::Other => {
                let message = format!("axiom `{}` is not used: it is no `[] p` about states", axiom.name);
                found.warnings.push(Diagnostic::warning("W0750", axiom.span, message));
            }
        }
    }
    found
}

/// Which step breaks an axiom.
fn broken(question: &Question<'_>, axiom: &Property, states: &[State]) -> Diagnostic {
    let fts = &question.source.fts;
    let (what, span) = match states {
        [.., from, to] => step(question, fts, from, to, axiom),
        _ => ("the beginning".to_string(), axiom.span),
    };
    let message = format!("{what} breaks axiom `{}`: what rests on it is unknown", axiom.name);
    Diagnostic::warning("W0750", span, message)
}

fn step(
    question: &Question<'_>,
    fts: &Fts,
    from: &State,
    to: &State,
    axiom: &Property,
) -> (String, source::Span) {
    let ways = successors(fts, question.given, from).unwrap_or_default();
    let taken = ways.into_iter().find(|(_, next)| next == to).map(|(taken, _)| taken.transition);
    match taken.and_then(|at| fts.transitions.get(at)) {
        Some(t) => (format!("`{}`", t.text), t.span),
        None => ("a step".to_string(), axiom.span),
    }
}

//! What the axioms of a file mean to a search: those about values that never change must be true of
//! the values given; one about the state that a reachable state breaks is reported, with the step
//! that leads there, and so are axioms about functions that cannot be true in every state together.
//! A search looks at all runs, so it rests on no axiom. But a run that an axiom may exclude
//! violates nothing.

use super::certified::Context;
use super::{Checker, Query};
use crate::listener::Interrupt;
use crate::prove::{Choice, TimedSolvers};
use logic::fol::{Symbol, Term, Value, holds};
use prover::axioms::{Reading, assumable, reading};
use prover::shape::{Shape, shape};
use prover::{Judge, consistent, generalized};
use source::Diagnostic;
use space::{Path, Undefined};
use std::time::{Duration, Instant};
use system::fts::Property;
use system::fts::step::{In, State, successors};

/// What is reported about the axioms.
#[derive(Default)]
pub(super) struct Axioms {
    pub(super) warnings: Vec<Diagnostic>,
    /// Why nothing that is found counts.
    pub(super) excluded: Option<String>,
}

/// For so long it is looked at whether axioms fit each other.
const TIME: Duration = Duration::from_secs(10);

pub(super) fn looked_at(question: &Query<'_>, engine: &dyn Checker, interrupt: &Interrupt) -> Axioms {
    let fts = &question.source.fts;
    let mut found = Axioms::default();
    fitting(question, interrupt, &mut found);
    for axiom in &fts.axioms {
        match reading(fts, axiom) {
            Reading::Rigid(p) => {
                let within = In { fts, given: question.given, state: &[], extra: Vec::new() };
                if holds(&p, &within) == Some(false) {
                    found.excluded = Some(format!("the given values violate axiom `{}`", axiom.name));
                }
            }
            Reading::State(p) => {
                if let Ok(Some(path)) = engine.breaks(&p) {
                    found.warnings.push(broken(question, axiom, &path.states));
                }
            }
            Reading::Other => {
                let message = format!(
                    "axiom `{}` is not used: it is not of the form `[] p` with an assertion p",
                    axiom.name
                );
                found.warnings.push(Diagnostic::warning("W0750", axiom.span, message));
            }
        }
    }
    found
}

/// Whether those that are assumed have a model together, and with the values given.
fn fitting(question: &Query<'_>, interrupt: &Interrupt, found: &mut Axioms) {
    let fts = &question.source.fts;
    if !fts.axioms.iter().any(|axiom| matches!(reading(fts, axiom), Reading::Rigid(_))) {
        return;
    }
    let started = Instant::now();
    let time = question.request.limits.time.map_or(TIME, |limit| limit.min(TIME));
    let deadline = started.checked_add(time);
    let Ok(solver) = TimedSolvers::new(Choice::Any, deadline, interrupt.clone()) else { return };
    let options = solve::Options { milliseconds: 2_000, cancel: solver.over(), ..solve::Options::default() };
    let clock = || started.elapsed().as_millis() as u64;
    let seen = prover::clauses::Seen::default();
    let judge =
        Judge { fts, solver: &solver, options: &options, clock: &clock, until: u64::MAX, seen: &seen };
    let (assumed, model, unfit) = assumable(&judge);
    for (axiom, why) in unfit {
        let message = format!("{why}: what rests on it is unknown");
        found.warnings.push(Diagnostic::warning("W0750", axiom.span, message));
    }
    if let (None, Some(axiom), false) = (model, fts.axioms.first(), assumed.is_empty()) {
        let message = "the axioms contradict each other, or the initial condition".to_string();
        found.warnings.push(Diagnostic::warning("W0750", axiom.span, message));
        return;
    }
    let values = given(question);
    let all: Vec<Term> = assumed.iter().map(|l| l.formula.clone()).chain(values.iter().cloned()).collect();
    if !values.is_empty() && consistent::together(&judge, &all) == consistent::Consistency::Refuted {
        found.excluded = Some("the given values violate the axioms".to_string());
    }
}

/// Checks that no axiom excludes a run, as far as axioms say something about values that never
/// change, about the beginning, or about infinite runs: that they are true of it. Others are claims
/// about the program, which a run refutes, or say what functions are.
pub(super) fn allow(context: Context<'_>, path: &Path<State>) -> Result<(), Undefined> {
    let fts = context.fts;
    let first = &path.states[..path.states.len().min(1)];
    for axiom in &fts.axioms {
        let lasting = |p: &Term| p.symbols().keys().any(|name| !fts.is_flexible(name));
        let is_true = match (reading(fts, axiom), shape(&axiom.formula)) {
            (Reading::Rigid(p) | Reading::State(p), _) => !lasting(&p) || is_true(context, &p, &path.states),
            (Reading::Other, Some(Shape::Initial(p))) => is_true(context, &generalized(axiom, p), first),
            (Reading::Other, _) => false,
        };
        if !is_true {
            return Err(Undefined(format!("it is not known whether axiom `{}` allows its run", axiom.name)));
        }
    }
    Ok(())
}

fn is_true(context: Context<'_>, p: &Term, states: &[State]) -> bool {
    let Context { fts, given, .. } = context;
    states.iter().all(|state| holds(p, &In { fts, given, state, extra: Vec::new() }) == Some(true))
}

/// What is given, as equations.
fn given(question: &Query<'_>) -> Vec<Term> {
    let fts = &question.source.fts;
    let sort = |name: &str| {
        let rigid = fts.rigid.iter().find(|r| &*r.name == name).map(|r| &r.result);
        fts.variable(name).map(|v| &v.symbol.sort).or(rigid).cloned()
    };
    let equation = |(name, value): (&std::sync::Arc<str>, &Value)| {
        let symbol = Symbol::constant(name.clone(), sort(name)?);
        (!fts.changes(name)).then(|| Term::eq(symbol.term(), value.term()))
    };
    question.given.iter().filter_map(equation).collect()
}

/// Which step breaks an axiom.
fn broken(question: &Query<'_>, axiom: &Property, states: &[State]) -> Diagnostic {
    let fts = &question.source.fts;
    let taken = match states {
        [.., from, to] => {
            let ways = successors(fts, question.given, from).unwrap_or_default();
            ways.into_iter().find(|(_, next)| next == to).map(|(taken, _)| &fts.transitions[taken.transition])
        }
        _ => None,
    };
    let what = match (taken, states) {
        (Some(t), _) => format!("`{}`", t.text),
        (None, [] | [_]) => "the beginning".to_string(),
        (None, _) => "a step".to_string(),
    };
    let message = format!("{what} violates axiom `{}`: what rests on it is unknown", axiom.name);
    Diagnostic::warning("W0750", taken.map_or(axiom.span, |t| t.span), message)
}

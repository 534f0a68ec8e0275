//! Integrity constraints: attributes, declared constraints, and updates of derived predicates given
//! by hand.
//!
//! Coerce believes them, so a false one makes a false "holds": a lock without a test whose
//! `held_by` is declared a function is "verified", because every state with two holders is
//! discarded. Therefore each is tried on concrete runs first, which know nothing of coerce: one
//! that a run breaks refuses the model. What is left is proved, or it is said that it is relied on
//! (see `obligation`).

use crate::concrete::{Bounds, Runs, State, Step};
use crate::crosscheck::Populations;
use crate::prepared::Prepared;
use source::Span;
use structures::constraint::{self, Constraint, Origin};
use structures::model::Model;
use structures::vocabulary::{Attribute, Symbol};

/// What abstract steps assume of every state; violated, it makes every answer worthless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Integrity {
    /// An attribute of a predicate.
    Attribute(Symbol, Attribute),
    /// A constraint of the file, by its place.
    Declared(Span),
    /// The update of a derived predicate by an action.
    Update(usize, Symbol),
}

/// A constraint that a run violates.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The constraint.
    pub constraint: Integrity,
    /// The last step breaks it; without steps the initial state does.
    pub steps: Vec<Step>,
    /// The states of the run, one more than steps.
    pub states: Vec<State>,
}

/// What runs with few individuals say.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    /// Constraints that a run violates.
    pub broken: Vec<Broken>,
    /// How many concrete states were looked at.
    pub states: usize,
    /// The largest number of individuals of a population that was tried completely.
    pub individuals: usize,
    /// No initial structure stands for a concrete state.
    pub nothing: bool,
}

impl Integrity {
    /// How a sentence goes on that begins with *the model requires*; the update is named alone.
    pub fn text(self, model: &Model, snippet: &dyn Fn(Span) -> String) -> String {
        let name = |symbol| model.vocabulary.name(symbol).to_string();
        match self {
            Integrity::Attribute(symbol, attribute) => {
                format!("that `{}` is `{}`", name(symbol), attribute.name())
            }
            Integrity::Declared(span) => {
                format!("that `{}`", snippet(span).trim_start_matches("constraint "))
            }
            Integrity::Update(action, symbol) => {
                format!("the update of `{}` in `{}`", name(symbol), model.actions[action].name)
            }
        }
    }

    /// Where it is declared.
    pub fn span(self, model: &Model) -> Span {
        match self {
            Integrity::Attribute(symbol, _) => model.vocabulary.get(symbol).span,
            Integrity::Declared(span) => span,
            Integrity::Update(action, _) => model.actions[action].span,
        }
    }
}

/// The integrity constraints of a model, each with what states it.
pub fn constraints(model: &Model) -> Vec<(Integrity, Constraint)> {
    let mut all: Vec<(Integrity, Constraint)> = Vec::new();
    for predicate in &model.vocabulary.predicates {
        for attribute in &predicate.attributes {
            let constraint = Integrity::Attribute(predicate.symbol, *attribute);
            all.extend(
                constraint::of_attribute(predicate.symbol, *attribute).into_iter().map(|c| (constraint, c)),
            );
        }
    }
    for c in &model.constraints {
        if let Origin::Declared(span) = c.origin {
            all.push((Integrity::Declared(span), c.clone()));
        }
    }
    all
}

/// Tries every constraint on concrete runs, until it is over.
pub(crate) fn try_out(
    model: &Model,
    prepared: &Prepared,
    most: usize,
    bounds: Bounds,
    over: &dyn Fn() -> bool,
) -> Tried {
    let constraints = constraints(model);
    let mut tried = Tried { nothing: true, ..Tried::default() };
    let populations = Populations::new(model, prepared, most, bounds);
    populations.each(&mut |_, _| over(), &mut |runs| {
        tried.nothing &= runs.is_empty();
        tried.states += runs.len();
        if runs.complete() {
            let most = runs.states().map(|s| s.individuals).max().unwrap_or(0);
            tried.individuals = tried.individuals.max(most);
        }
        let broken = broken(runs, &constraints);
        let known: Vec<Integrity> = tried.broken.iter().map(|b| b.constraint).collect();
        tried.broken.extend(broken.into_iter().filter(|b| !known.contains(&b.constraint)));
        !tried.broken.is_empty() || over()
    });
    // Who is stopped has not looked everywhere.
    tried.nothing &= !over();
    tried
}

fn broken(runs: &Runs<'_>, constraints: &[(Integrity, Constraint)]) -> Vec<Broken> {
    let (model, concrete) = (runs.model(), runs.concrete());
    let mut found: Vec<Broken> = Vec::new();
    let formulas: Vec<_> = constraints.iter().map(|(constraint, c)| (*constraint, c.formula())).collect();
    for (at, state) in runs.states().enumerate() {
        for (constraint, formula) in &formulas {
            if found.iter().all(|b| b.constraint != *constraint) && !concrete.holds(&state, formula) {
                let states = states(runs, at);
                found.push(Broken { constraint: *constraint, steps: runs.steps(at), states });
            }
        }
        for edge in runs.edges(at) {
            let action = &model.actions[edge.action];
            let Some(after) = concrete.step(&state, &edge.step, action) else { continue };
            let Some(symbol) = concrete.wrong_update(&state, &edge.step, action, &after) else { continue };
            let constraint = Integrity::Update(edge.action, symbol);
            if found.iter().all(|b| b.constraint != constraint) {
                let steps = runs.steps(at).into_iter().chain([edge.step.clone()]).collect();
                let states = states(runs, at).into_iter().chain([after]).collect();
                found.push(Broken { constraint, steps, states });
            }
        }
    }
    found
}

fn states(runs: &Runs<'_>, at: usize) -> Vec<State> {
    runs.recorded.way_to(at).into_iter().map(|s| runs.state(s)).collect()
}

//! Which axioms may be used, and why.
//!
//! An axiom about values that never change is assumed. So is one that says what a function is in terms of its arguments, such as
//! `[] max(y) >= y[1]`: where every call has all variables of the axiom that change as arguments, the function can be chosen state by
//! state, and no step can break it. Every other axiom about the state is a claim about the program: it is used only if it is
//! proved like a property. One that a step or the beginning may break is not used; the warning names the step.

use crate::auto;
use crate::condition::{Condition, Lemma};
use crate::discharge::{Judge, Status};
use crate::session::Warning;
use crate::shape::{Shape, shape};
use crate::strengthen;
use solve::Answer;
use std::collections::BTreeMap;
use system::fts::{Binder, Evidence, Expr, Fts, Property, Symbol};

/// What is known from the axioms.
#[derive(Clone, Debug, Default)]
pub struct Axioms {
    /// Without a proof: to be told with every verdict that uses it.
    pub assumed: Vec<Lemma>,
    /// Those about the state, each proved relative to those before it.
    pub proved: Vec<(Lemma, Evidence)>,
    /// Names of those that are not used.
    pub dropped: Vec<String>,
    pub warnings: Vec<Warning>,
}

/// How an axiom can be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// About rigid values or functions.
    Rigid(Expr),
    /// About every state.
    State(Expr),
    /// About the beginning, or about infinite runs.
    Other,
}

/// How an axiom can be understood, as far as its form tells.
pub fn standing(fts: &Fts, axiom: &Property) -> Standing {
    let flexible = |p: &Expr| p.symbols().keys().any(|name| fts.variable(name).is_some());
    match shape(&axiom.formula) {
        Some(Shape::Invariance(p)) => {
            let p = crate::session::generalized(axiom, p);
            if !flexible(&p) || is_definition(fts, &p) { Standing::Rigid(p) } else { Standing::State(p) }
        }
        // Without `[]` an axiom speaks of the beginning; about values that never change that is the same.
        Some(Shape::Initial(p)) if !flexible(&p) => Standing::Rigid(crate::session::generalized(axiom, p)),
        _ => Standing::Other,
    }
}

/// Sorts the axioms of a system.
pub fn admitted(judge: &Judge<'_>) -> Axioms {
    let mut axioms = Axioms::default();
    let mut claims = Vec::new();
    for axiom in &judge.fts.axioms {
        match standing(judge.fts, axiom) {
            Standing::Rigid(p) if !is_refutable(judge, &p) => axioms.assumed.push(Lemma::new(&axiom.name, p)),
            Standing::Rigid(p) | Standing::State(p) => claims.push((axiom, p)),
            Standing::Other => {
                let message = format!("axiom `{}` is not used: it is no `[] p` about states", axiom.name);
                axioms.dropped.push(axiom.name.clone());
                axioms.warnings.push(Warning { vacuous: false, message, span: axiom.span });
            }
        }
    }
    for (axiom, p) in claims {
        let mut known = axioms.assumed.clone();
        known.extend(axioms.proved.iter().map(|(lemma, _)| lemma.clone()));
        match proved(judge, &p, &known) {
            Ok(evidence) => axioms.proved.push((Lemma::new(&axiom.name, p), evidence)),
            Err(step) => {
                let (what, span) = step.unwrap_or(("a step".to_string(), axiom.span));
                let message = format!(
                    "{what} may break axiom `{}`: it is not used, and what rests on it is unknown",
                    axiom.name
                );
                axioms.dropped.push(axiom.name.clone());
                axioms.warnings.push(Warning { vacuous: false, message, span });
            }
        }
    }
    axioms
}

type Step = Option<(String, source::Span)>;

/// That an axiom about the state always holds; else the step that may break it.
fn proved(judge: &Judge<'_>, p: &Expr, known: &[Lemma]) -> Result<Evidence, Step> {
    let first = strengthen::b_inv(judge, p, known);
    if let Some(evidence) = first.evidence {
        return Ok(evidence);
    }
    let second =
        auto::prove(&judge.for_at_most(10_000), &Shape::Invariance(p.clone()), &Expr::TRUE, known, 4);
    if let Some(evidence) = second.evidence {
        return Ok(evidence);
    }
    let open = first.obligations.iter().find(|o| o.status != Status::Proved);
    let text = |o: &crate::discharge::Obligation| match o.countermodel.as_ref()?.transition.as_ref() {
        Some((_, text)) => Some((format!("`{text}`"), o.countermodel.as_ref()?.span)),
        None => None,
    };
    let begins = open.is_some_and(|o| o.name == "Theta");
    let last = second.run.as_ref().and_then(|run| run.transitions.last().copied());
    let taken = last.and_then(|at| judge.fts.transitions.get(at));
    let beginning = || {
        let span = judge.fts.variables.first().map_or_else(source::Span::default, |v| v.span);
        ("the beginning".to_string(), span)
    };
    Err(match taken {
        _ if begins => Some(beginning()),
        Some(t) => Some((format!("`{}`", t.text), t.span)),
        None => open.and_then(text),
    })
}

/// Whether every call in an axiom has all its variables that change as arguments, and there is one.
fn is_definition(fts: &Fts, p: &Expr) -> bool {
    let free = p.symbols();
    let state: Vec<&Symbol> = free.values().filter(|s| changes(fts, &s.name)).collect();
    let mut calls = Vec::new();
    collect(p, &mut calls);
    let whole = |arguments: &[Expr]| state.iter().all(|s| arguments.contains(&s.expr()));
    !calls.is_empty() && calls.iter().all(|(_, arguments)| whole(arguments))
}

/// Whether some step changes a variable.
fn changes(fts: &Fts, name: &str) -> bool {
    let branches = fts.transitions.iter().flat_map(|t| &t.branches);
    branches.flat_map(|b| &b.updates).any(|(s, _)| &*s.name == name)
}

fn collect(e: &Expr, calls: &mut Vec<(Symbol, Vec<Expr>)>) {
    match e {
        Expr::Call(f, parts) => {
            calls.push((f.clone(), parts.clone()));
            parts.iter().for_each(|p| collect(p, calls));
        }
        Expr::Apply(_, parts) => parts.iter().for_each(|p| collect(p, calls)),
        Expr::Quantified(_, binders, body) => {
            for (low, high) in binders.iter().filter_map(|b| b.range.as_deref()) {
                collect(low, calls);
                collect(high, calls);
            }
            collect(body, calls);
        }
        _ => {}
    }
}

/// Whether some state leaves no value for the functions of an axiom that defines them: then it is a claim about the state.
fn is_refutable(judge: &Judge<'_>, p: &Expr) -> bool {
    if p.symbols().keys().all(|name| judge.fts.variable(name).is_none()) {
        return false;
    }
    let mut values = BTreeMap::new();
    let body = with_values(p, &mut values);
    let binders = values.into_values().map(Binder::free).collect();
    // What never changes is as it was at the beginning.
    let first = judge.fts.initial.conjuncts().into_iter();
    let lasting = first.filter(|e| e.symbols().keys().all(|name| !changes(judge.fts, name)));
    let some = Condition::implication("", Expr::and(lasting), Expr::exists(binders, body), &[]);
    matches!(judge.answer(&some), Ok(Answer::Invalid { .. }))
}

/// A formula with a new symbol for each call.
fn with_values(e: &Expr, values: &mut BTreeMap<(Symbol, Vec<Expr>), Symbol>) -> Expr {
    match e {
        Expr::Call(f, parts) => {
            let name = format!("{}!{}", f.name, values.len());
            let key = (f.clone(), parts.clone());
            values.entry(key).or_insert_with(|| Symbol::new(name, f.sort.clone())).expr()
        }
        Expr::Apply(op, parts) => {
            let parts = parts.iter().map(|p| with_values(p, values)).collect();
            Expr::Apply(*op, parts)
        }
        Expr::Quantified(quantifier, binders, body) => {
            let body = with_values(body, values);
            Expr::Quantified(*quantifier, binders.clone(), Box::new(body))
        }
        other => other.clone(),
    }
}

//! Whether a property of a transition system holds only because the left side of an implication
//! never comes about: the formula with the right side replaced by false is stronger; if it holds
//! too, the right side was never needed.

use super::{Query, Searched, asked};
use crate::temporal::strengthened;
use logic::fol::{Op, Term};
use logic::ltl::{Binary, Formula};
use prover::labelled;
use system::fts::{Fts, Mode, Property};

/// Why a property that holds says nothing, if so.
pub(super) fn of(question: &Query<'_>, searched: &Searched<'_, '_>, property: &Property) -> Option<String> {
    let values = asked::rigid_values(question.source, question.given, property)?;
    let holds = |formula: &Formula<Term>| {
        values.iter().all(|given| {
            let found = searched.violation(question, formula, given);
            found.path.is_none() && found.open.is_none()
        })
    };
    let fts = &question.source.fts;
    stronger(&property.formula)
        .into_iter()
        .find(|(formula, _)| holds(formula))
        .map(|(_, left)| why(fts, &left))
}

/// Formulas that are stronger, each with the left side of the implication it is made from.
pub(crate) fn stronger(formula: &Formula<Term>) -> Vec<(Formula<Term>, Formula<Term>)> {
    strengthened(&opened(formula))
}

/// What is reported of a left side that never comes about. Places without labels have no names.
pub(crate) fn why(fts: &Fts, left: &Formula<Term>) -> String {
    let control = |name: &str| fts.variable(name).is_some_and(|v| v.mode == Mode::Control);
    let said = match left {
        Formula::Atom(e) => Some(labelled(fts, e)).filter(|e| !e.symbols().keys().any(|name| control(name))),
        _ => None,
    };
    let words = said.map(|e| format!(", `{e}`,")).unwrap_or_default();
    format!("the left side{words} of an implication is never true")
}

/// The formula with implications between assertions as implications between formulas.
fn opened(formula: &Formula<Term>) -> Formula<Term> {
    match formula {
        Formula::Atom(e) => match (e.op(), e.arguments()) {
            (Op::Implies, [a, b]) if !b.is_false() => {
                Formula::binary(Binary::Implies, Formula::Atom(a.clone()), Formula::Atom(b.clone()))
            }
            _ => formula.clone(),
        },
        Formula::Unary(op, a) => Formula::unary(*op, opened(a)),
        Formula::Binary(op, a, b) => Formula::binary(*op, opened(a), opened(b)),
        other => other.clone(),
    }
}

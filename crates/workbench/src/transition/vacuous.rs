//! Whether a property of a transition system holds only because the left side of an implication never comes about: the formula with
//! the right side replaced by false is stronger; if it holds too, the right side was never needed.

use super::{Query, Searched, asked};
use crate::temporal::strengthened;
use logic::ltl::{Binary, Formula};
use system::fts::{Expr, Fts, Mode, Op, Property};

/// Why a property that holds says nothing, if so.
pub(super) fn of(question: &Query<'_>, searched: &Searched<'_, '_>, property: &Property) -> Option<String> {
    let values = asked::rigid_values(question.source, question.given, property)?;
    let holds = |formula: &Formula<Expr>| {
        values.iter().all(|given| {
            let found = searched.violation(question, formula, given);
            found.run.is_none() && found.prefix.is_none() && found.open.is_none()
        })
    };
    let fts = &question.source.fts;
    stronger(&property.formula)
        .into_iter()
        .find(|(formula, _)| holds(formula))
        .map(|(_, left)| why(fts, &left))
}

/// Formulas that are stronger, each with the left side of the implication it is made from.
pub(crate) fn stronger(formula: &Formula<Expr>) -> Vec<(Formula<Expr>, Formula<Expr>)> {
    strengthened(&opened(formula))
}

/// What is told of a left side that never comes about. Places in the text have no names here.
pub(crate) fn why(fts: &Fts, left: &Formula<Expr>) -> String {
    let control = |name: &str| fts.variable(name).is_some_and(|v| v.mode == Mode::Control);
    let words = match left {
        Formula::Atom(e) if !e.symbols().keys().any(|name| control(name)) => format!(", `{e}`,"),
        _ => String::new(),
    };
    format!("the left side{words} of an implication never comes about")
}

/// The formula with implications between assertions as implications between formulas.
fn opened(formula: &Formula<Expr>) -> Formula<Expr> {
    match formula {
        Formula::Atom(Expr::Apply(Op::Implies, sides)) if sides[1] == Expr::FALSE => formula.clone(),
        Formula::Atom(Expr::Apply(Op::Implies, sides)) => {
            let side = |at: usize| Formula::Atom(sides[at].clone());
            Formula::binary(Binary::Implies, side(0), side(1))
        }
        Formula::Unary(op, a) => Formula::unary(*op, opened(a)),
        Formula::Binary(op, a, b) => Formula::binary(*op, opened(a), opened(b)),
        other => other.clone(),
    }
}

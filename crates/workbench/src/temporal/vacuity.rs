//! Does a property hold only because nothing happens?
//!
//! After Beer, Ben-David, Eisner and Rodeh (2001), for what people write: an implication whose left
//! side never comes about. The formula with the right side of an implication replaced by false is
//! stronger; if it holds too, the right side was never needed. And where only fair runs count, or
//! only those that are infinite, there may be none.

use super::Query;
use crate::failure::Failure;
use crate::listener::ProgressListener;
use logic::automata::{Automaton, Edge, Label};
use logic::ltl::{Binary, Formula, Unary};
use space::Fairness;
use system::{Meaning, Property};

/// Why a property that holds says nothing, if so.
pub(crate) fn of(
    question: &Query<'_>,
    watcher: &mut ProgressListener<'_>,
) -> Result<Option<String>, Failure> {
    if let Some(why) = without_runs(question, watcher)? {
        return Ok(Some(why));
    }
    let Meaning::Always(formula) = &question.property.meaning else { return Ok(None) };
    for (stronger, left) in strengthened(formula) {
        if holds(question, Meaning::Always(stronger), watcher)? {
            let words = match left {
                Formula::Atom(p) => question.text(p).map(|text| format!(", `{text}`,")),
                _ => None,
            };
            let words = words.unwrap_or_default();
            return Ok(Some(format!("the left side{words} of an implication is never true")));
        }
    }
    Ok(None)
}

/// Whether no run counts at all.
fn without_runs(question: &Query<'_>, watcher: &mut ProgressListener<'_>) -> Result<Option<String>, Failure> {
    let fairness = question.fairness();
    if fairness == Fairness::None && question.property.ends {
        return Ok(None);
    }
    let everything = Automaton {
        propositions: question.property.propositions.len(),
        sets: 0,
        initial: 0,
        states: vec![vec![Edge { label: Label::truth(), to: 0, sets: 0 }]],
    };
    let none = holds(question, Meaning::Never(everything), watcher)?;
    let reason = if fairness == Fairness::None { "no run is infinite" } else { "there is no fair run" };
    Ok(none.then(|| reason.to_string()))
}

/// Whether the system has another property too.
fn holds(
    question: &Query<'_>,
    meaning: Meaning,
    watcher: &mut ProgressListener<'_>,
) -> Result<bool, Failure> {
    let property = Property { meaning, ..question.property.clone() };
    let answer = Query { property: &property, ..*question }.search(watcher)?;
    Ok(answer.is_ok_and(|answer| answer.run.is_none() && answer.stopped.is_none()))
}

/// For each implication that makes the formula weaker, the formula with its right side false, and
/// its left side.
pub(crate) fn strengthened<A: Clone + PartialEq>(formula: &Formula<A>) -> Vec<(Formula<A>, Formula<A>)> {
    let mut found = Vec::new();
    each(formula, true, &mut |replaced, left| found.push((replaced, left)));
    found
}

type Found<'a, A> = dyn FnMut(Formula<A>, Formula<A>) + 'a;

/// Calls `found` for each implication below that stands positively, with the whole formula changed
/// there.
fn each<A: Clone + PartialEq>(formula: &Formula<A>, positive: bool, found: &mut Found<'_, A>) {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => {}
        Formula::Unary(op, a) => {
            let positive = if *op == Unary::Not { !positive } else { positive };
            each(a, positive, &mut |a, left| found(Formula::unary(*op, a), left));
        }
        Formula::Binary(op, a, b) => {
            if positive && matches!(op, Binary::Implies | Binary::Entails) && **b != Formula::FALSE {
                found(Formula::binary(*op, (**a).clone(), Formula::FALSE), (**a).clone());
            }
            if *op != Binary::Iff {
                let flips = matches!(op, Binary::Implies | Binary::Entails);
                each(a, positive != flips, &mut |a, left| {
                    found(Formula::binary(*op, a, (**b).clone()), left)
                });
                each(b, positive, &mut |b, left| found(Formula::binary(*op, (**a).clone(), b), left));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn implies(a: usize, b: Formula<usize>) -> Formula<usize> {
        Formula::binary(Binary::Implies, Formula::Atom(a), b)
    }

    #[test]
    fn every_positive_implication_is_tried_once() {
        let always = |f| Formula::unary(Unary::Always, f);
        let inner = implies(1, Formula::Atom(2));
        let formula = always(implies(0, inner.clone()));
        let lefts: Vec<_> = strengthened(&formula).into_iter().map(|(_, left)| left).collect();
        assert_eq!(lefts, [Formula::Atom(0), Formula::Atom(1)]);
        assert_eq!(strengthened(&formula)[0].0, always(implies(0, Formula::FALSE)));
        assert!(strengthened(&Formula::negation(formula)).is_empty());
    }
}

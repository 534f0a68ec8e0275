//! The class of Bernays and Schönfinkel: formulas of the form *exists … forall*, for which states
//! of a bounded number of individuals are enough. Derived predicates that are no closures are
//! written out.

use structures::formula::{FALSE, Formula, VARIABLES, Var, atom, choose, not};
use structures::model::Model;

/// The formula with derived predicates replaced by their definitions; `None` if one is a closure,
/// or if there are too many variables.
pub fn written_out(model: &Model, f: &Formula) -> Option<Formula> {
    let mut possible = true;
    let result = f.replace(&|v| v, f.above(), &mut |symbol, arguments, next| {
        let Some(definition) = &model.vocabulary.get(symbol).definition else {
            return atom(symbol, arguments);
        };
        let inner = written_out(model, definition).filter(|f| usize::from(f.above() + next) < VARIABLES);
        possible &= inner.is_some();
        let to = |v: Var| arguments.get(usize::from(v)).copied().unwrap_or(v);
        inner.map_or(FALSE, |f| f.rename(&to, next))
    });
    (possible && !has_closure(&result) && usize::from(result.above()) < VARIABLES).then_some(result)
}

fn has_closure(f: &Formula) -> bool {
    match f {
        Formula::Exists(_, bound) | Formula::Forall(_, bound) => has_closure(&bound.body),
        Formula::Closure(_) => true,
        _ => f.parts().iter().any(has_closure),
    }
}

/// Whether no quantifier of one kind stands in a formula, negations taken in: *exists* if `some`,
/// else *forall*. Closures are both.
pub fn is_free_of(f: &Formula, some: bool) -> bool {
    match f {
        Formula::Not(f) => is_free_of(f, !some),
        Formula::Exists(_, bound) => !some && is_free_of(&bound.body, some),
        Formula::Forall(_, bound) => some && is_free_of(&bound.body, some),
        Formula::Closure(_) => false,
        Formula::If(parts) => {
            [true, false].into_iter().all(|sign| is_free_of(&parts[0], sign))
                && parts[1..].iter().all(|f| is_free_of(f, some))
        }
        _ => f.parts().iter().all(|f| is_free_of(f, some)),
    }
}

/// How many *exists* a formula has, negations taken in, if none stands below a *forall*.
pub fn leading_exists(f: &Formula) -> Option<usize> {
    if is_free_of(f, true) {
        return Some(0);
    }
    match f {
        Formula::Exists(_, bound) => leading_exists(&bound.body).map(|n| n + 1),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().map(leading_exists).sum(),
        Formula::If(parts) => {
            let [c, a, b] = &**parts;
            Some(
                leading_exists(c)?
                    + leading_exists(&not(c.clone()))?
                    + leading_exists(a)?
                    + leading_exists(b)?,
            )
        }
        Formula::Not(inner) => match &**inner {
            Formula::Not(f) => leading_exists(f),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().map(|f| leading_exists(&not(f.clone()))).sum()
            }
            Formula::Forall(_, bound) => leading_exists(&not(bound.body.clone())).map(|n| n + 1),
            Formula::If(parts) => {
                let [c, a, b] = &**parts;
                let turned = choose(c.clone(), not(a.clone()), not(b.clone()));
                leading_exists(&turned)
            }
            _ => None,
        },
        _ => None,
    }
}

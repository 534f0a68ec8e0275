//! Which formulas speak of finite runs by their form: a safety formula that is false of a run is
//! false because of finitely many of its states.

use logic::ltl::{Binary, Formula, Unary};

/// A safety formula that follows from the formula; none if only *true* is found.
pub(crate) fn safety_part<A: Clone>(formula: &Formula<A>) -> Option<Formula<A>> {
    match formula {
        f if is_safety(f, true) => Some(f.clone()),
        Formula::Unary(Unary::Always, f) => Some(Formula::unary(Unary::Always, safety_part(f)?)),
        Formula::Binary(Binary::And, f, g) => match (safety_part(f), safety_part(g)) {
            (Some(f), Some(g)) => Some(Formula::binary(Binary::And, f, g)),
            (f, g) => f.or(g),
        },
        Formula::Binary(op @ (Binary::Implies | Binary::Entails), f, g) if is_safety(f, false) => {
            Some(Formula::binary(*op, (**f).clone(), safety_part(g)?))
        }
        _ => None,
    }
}

/// Whether a formula, or its negation if it is not `positive`, is a safety formula by its form: no
/// promise about the future.
fn is_safety<A>(formula: &Formula<A>, positive: bool) -> bool {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => true,
        Formula::Unary(op, f) => match op {
            Unary::Not => is_safety(f, !positive),
            Unary::Next => is_safety(f, positive),
            Unary::Always => positive && is_safety(f, positive),
            Unary::Eventually => !positive && is_safety(f, positive),
            _ => is_about_now(f),
        },
        Formula::Binary(op, f, g) => {
            let both = |positive: bool| is_safety(f, positive) && is_safety(g, positive);
            match op {
                Binary::And | Binary::Or => both(positive),
                Binary::Implies => is_safety(f, !positive) && is_safety(g, positive),
                Binary::Entails => positive && is_safety(f, false) && is_safety(g, true),
                Binary::Iff => both(true) && both(false),
                Binary::WeakUntil | Binary::Release => positive && both(positive),
                Binary::Until | Binary::StrongRelease => !positive && both(positive),
                Binary::Since | Binary::BackTo | Binary::Trigger => is_about_now(f) && is_about_now(g),
            }
        }
    }
}

/// Whether a formula speaks of the present and the past alone.
fn is_about_now<A>(formula: &Formula<A>) -> bool {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => true,
        Formula::Unary(Unary::Next | Unary::Always | Unary::Eventually, _) => false,
        Formula::Unary(_, f) => is_about_now(f),
        Formula::Binary(op, f, g) => {
            let future =
                [Binary::Entails, Binary::Until, Binary::WeakUntil, Binary::Release, Binary::StrongRelease];
            !future.contains(op) && is_about_now(f) && is_about_now(g)
        }
    }
}

//! Recognizes refined operations in terms: tests against constants, Empty and Full in disguise,
//! increments, complements.
//!
//! The thesis leaves it to the tool to "detect automatically when a Write operation actually
//! performs a Compl operation" (after example 3.16).

use logic::{Binary, Sort, Term, Unary, apply_binary};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use objects::channel::{Operation as OnChannel, UNBOUNDED};
use objects::variable::Operation as OnVariable;
use objects::variable::store;
use system::{Expr, Place, Read};

/// A comparison of something that is read with a constant, the constant on the right.
pub(crate) fn comparison(term: &Expr) -> Option<(&Read, Binary, i64)> {
    let Term::Binary(op, a, b) = term else { return None };
    let turned = match op {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        Binary::Equal | Binary::NotEqual => *op,
        _ => return None,
    };
    match (a.as_ref(), b.as_ref()) {
        (Term::Atom(read), Term::Constant(c)) => Some((read, *op, *c)),
        (Term::Constant(c), Term::Atom(read)) => Some((read, turned, *c)),
        _ => None,
    }
}

/// The operation that a comparison of the length with a constant amounts to: Empty or Full if it
/// always comes out the same as that test or its opposite.
pub(super) fn length_test(comparison: Binary, constant: i64, capacity: Option<usize>) -> OnChannel {
    let Some(capacity) = capacity.filter(|c| *c > 0) else { return OnChannel::Length };
    let holds = |n: &BigInt| apply_binary(comparison, n, &BigInt::from(constant)).is_ok_and(|v| !v.is_zero());
    let alike = |low: usize, high: usize| {
        let (low, high) = (BigInt::from(low), BigInt::from(high));
        // A comparison changes its outcome only at the constant and next to it.
        let near = [constant.saturating_sub(1), constant, constant.saturating_add(1)].map(BigInt::from);
        let inside = near.iter().filter(|n| low <= **n && **n <= high);
        inside.chain([&high]).all(|n| holds(n) == holds(&low))
    };
    if alike(1, capacity) {
        OnChannel::Empty
    } else if capacity != UNBOUNDED && alike(0, capacity - 1) {
        OnChannel::Full
    } else {
        OnChannel::Length
    }
}

/// The refined write that an assignment amounts to; it reads nothing else.
pub(super) fn update(sort: &Sort, target: &Place, value: &Expr) -> Option<OnVariable> {
    let stored = |c: i64| store(sort, BigInt::from(c)).to_i64();
    let value = unwrapped(sort, value);
    let is_target = |t: &Expr| matches!(t, Term::Atom(Read::Place(place)) if place == target);
    let is_bit = sort.machine().is_some_and(|int| int.bits == 1);
    let refined = match value {
        Term::Constant(c) => OnVariable::WriteConstant(stored(*c)?),
        Term::Unary(Unary::Not | Unary::Complement, x) if is_bit && is_target(x) => OnVariable::Complement,
        Term::Binary(op, a, b) => match (op, a.as_ref(), b.as_ref()) {
            (Binary::Add, x, Term::Constant(d)) if is_target(x) => OnVariable::Increment(stored(*d)?),
            (Binary::Add, Term::Constant(d), x) if is_target(x) => OnVariable::Increment(stored(*d)?),
            (Binary::Subtract, x, Term::Constant(d)) if is_target(x) => {
                OnVariable::Increment(stored(d.checked_neg()?)?)
            }
            (Binary::Subtract, Term::Constant(1), x) if is_target(x) => OnVariable::Complement,
            _ => return None,
        },
        _ => return None,
    };
    // On a bit, adding one is the complement.
    let odd = matches!(refined, OnVariable::Increment(d) if d != 0);
    Some(if is_bit && odd { OnVariable::Complement } else { refined })
}

/// A term without a wrap that storing it makes superfluous.
fn unwrapped<'a>(sort: &Sort, term: &'a Expr) -> &'a Expr {
    match (term, sort.machine()) {
        (Term::Wrap(int, inner), Some(own)) if int.bits >= own.bits => unwrapped(sort, inner),
        _ => term,
    }
}

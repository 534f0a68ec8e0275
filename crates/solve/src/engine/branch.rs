//! Integer values near those that simplex has: branch and bound on a copy, inside a box, up to a
//! number of nodes.
//!
//! This only finds values, never a contradiction, so it may give up when it likes. It saves the
//! search most case splits, and keeps an unbounded problem from drifting off to infinity.

use super::linear::ArithVar;
use super::rational::{Delta, Rational};
use super::sat::Lit;
use super::simplex::{Side, Simplex};

/// Half the width of the box, around the values at hand.
const REACH: i64 = 64;

/// Nodes of the tree.
const NODES: usize = 120;

/// Values of all variables within their bounds in which the given ones are integers.
pub(crate) fn dive(simplex: &Simplex, integers: &[ArithVar]) -> Option<Vec<Rational>> {
    let mut copy = simplex.clone();
    for var in integers {
        let centre = simplex.value(*var).real.floor();
        let reach = Rational::from(REACH);
        copy.assert(*var, Side::Lower, Delta::from(&centre - &reach), NONE).ok()?;
        copy.assert(*var, Side::Upper, Delta::from(&centre + &reach), NONE).ok()?;
    }
    let mut nodes = NODES;
    node(&mut copy, integers, &mut nodes)
}

/// The reason of a bound: there are no explanations here.
const NONE: Lit = Lit::FIRST;

fn node(simplex: &mut Simplex, integers: &[ArithVar], nodes: &mut usize) -> Option<Vec<Rational>> {
    *nodes = nodes.checked_sub(1)?;
    simplex.check().ok()?;
    let is_broken = |var: &&ArithVar| {
        let value = simplex.value(**var);
        !value.real.is_integer() || !value.delta.is_zero()
    };
    let Some(var) = integers.iter().find(is_broken).copied() else { return Some(simplex.numbers()) };
    let floor = simplex.value(var).real.floor();
    let above = &floor + &Rational::ONE;
    for (side, bound) in [(Side::Upper, floor), (Side::Lower, above)] {
        let mark = simplex.mark();
        if simplex.assert(var, side, Delta::from(bound), NONE).is_ok()
            && let Some(found) = node(simplex, integers, nodes)
        {
            return Some(found);
        }
        simplex.undo_to(mark);
    }
    None
}

//! Is there a fair run? The fixpoint of Kesten, Pnueli and Raviv (algorithm FEASIBLE), after
//! Emerson and Lei.
//!
//! From all reachable states, those are taken away again and again that have no successor left,
//! that lead to no state where a justice requirement is met, or where a compassionate transition is
//! possible that no run from there takes any more. Nothing on a fair loop is ever taken away. Of
//! what stays, a strongly connected component that cannot be left meets all requirements: there is
//! a fair run if and only if something stays.
//!
//! Deviation: in the paper requirements speak of states. Here, that a transition is taken is a
//! matter of the step, so the target of a just transition is "it is not possible, or a step of it
//! leads to a state that is left".

use crate::diagram::{Bdd, NoAnswer, without};
use crate::machine::Fair;
use crate::product::{By, Product};
use oxidd::BooleanFunction;

/// States of some set from which fair runs start that stay in it.
pub(crate) fn feasible(product: &Product<'_>, from: &Bdd) -> Result<Bdd, NoAnswer> {
    let mut left = from.clone();
    loop {
        let before = left.clone();
        left = with_successors(product, left)?;
        for justice in &product.tester.justice {
            left = product.leads_to(&left, justice)?;
        }
        for fair in &product.machine.fair {
            let taken = taken(product, fair, &left)?;
            let possible = left.and(&fair.enabled)?;
            left = if fair.compassionate {
                let answered = product.leads_to(&left, &taken)?;
                without(&left, &without(&possible, &answered)?)?
            } else {
                let target = taken.or(&without(&left, &fair.enabled)?)?;
                product.leads_to(&left, &target)?
            };
        }
        if left == before || !left.satisfiable() {
            return Ok(left);
        }
    }
}

/// States from which a step of a transition leads to a state of the set.
pub(crate) fn taken(product: &Product<'_>, fair: &Fair, within: &Bdd) -> Result<Bdd, NoAnswer> {
    Ok(product.preimage(within, By::Parts(&fair.parts))?.and(within)?)
}

fn with_successors(product: &Product<'_>, mut left: Bdd) -> Result<Bdd, NoAnswer> {
    loop {
        let more = left.and(&product.preimage(&left, By::Any)?)?;
        if more == left {
            return Ok(left);
        }
        left = more;
    }
}

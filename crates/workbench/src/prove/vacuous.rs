//! Whether a property is proved only because the left side of an implication never comes about:
//! that it does not is proved by B-INV from the invariants found. Nothing is said where that does
//! not succeed.

use crate::transition::vacuous::{stronger, why};
use logic::fol::Term;
use logic::ltl::Formula;
use prover::{Findings, Judge, Lemma, shape, strengthen};
use std::time::Duration;
use system::fts::Property;

/// For all properties together.
const TIME: Duration = Duration::from_secs(2);

/// The names of properties that say nothing, each with the reason.
pub(super) fn proved(
    judge: &Judge<'_>,
    properties: &[Property],
    findings: &Findings,
) -> Vec<(String, String)> {
    let judge = judge.for_at_most(TIME.as_millis() as u64);
    let mut known: Vec<Lemma> = findings.axioms.assumed.clone();
    known.extend(findings.axioms.proved.iter().map(|(lemma, _)| lemma.clone()));
    known.extend(findings.generated.iter().cloned());
    let holds = |p: &&Property| findings.outcomes.iter().any(|o| o.proved && o.name == p.name);
    let of = |property: &Property| {
        let never = |formula: &Formula<Term>| match shape::shape(formula) {
            Some(shape::Shape::Invariance(p)) => {
                let p = Term::implication(property.given.clone(), p);
                strengthen::b_inv(&judge, &p, &known).proved
            }
            _ => false,
        };
        let found = stronger(&property.formula).into_iter().find(|(formula, _)| never(formula));
        found.map(|(_, left)| (property.name.clone(), why(judge.fts, &left)))
    };
    properties.iter().filter(holds).filter_map(of).collect()
}

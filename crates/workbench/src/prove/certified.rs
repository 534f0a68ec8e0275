//! Every proof goes through the certifier before *holds* is said: it makes the conditions again,
//! from the system and the evidence alone, and asks about them. What it does not confirm is open.

use certify::proof::Certifier;
use logic::fol::Term;
use prover::axioms::Axioms;
use prover::{Condition, Findings, Judge, Lemma, Status};
use system::fts::{Fts, Property};

/// Opens what is not confirmed; says nothing about what was open before.
pub(crate) fn confirm(fts: &Fts, judge: &Judge<'_>, properties: &[Property], findings: &mut Findings) {
    let valid = valid(judge);
    let mut certifier = Certifier::new(fts, &valid);
    confirm_axioms(&mut certifier, judge, &mut findings.axioms);
    confirm_generated(&mut certifier, &mut findings.generated);
    let why = |refused: &certify::proof::Refused| {
        if judge.is_over() {
            return "a proof was found, but time was over before it was confirmed".to_string();
        }
        format!("a proof was found, but is not confirmed: {refused}")
    };
    for outcome in findings.outcomes.iter_mut().filter(|o| o.proved) {
        let property = properties.iter().find(|p| p.name == outcome.name);
        let confirmed = match (property, &outcome.evidence) {
            (Some(property), Some(evidence)) => {
                certifier.property(property, evidence, &outcome.remembered).map_err(|refused| why(&refused))
            }
            _ => Err("there is no evidence for it".to_string()),
        };
        if let Err(reason) = confirmed {
            (outcome.proved, outcome.reason) = (false, Some(reason));
        }
    }
    let types = findings.types.iter_mut().zip(&findings.type_evidence).zip(&fts.type_checks);
    for ((obligation, evidence), check) in types.filter(|((o, _), _)| o.status == Status::Proved) {
        let confirmed = evidence.as_ref().map(|evidence| certifier.type_check(check, evidence));
        if let Some(Err(refused)) = confirmed {
            (obligation.status, obligation.reason) = (Status::Unknown, Some(why(&refused)));
        }
    }
}

/// How the certifier asks about its conditions.
pub(super) fn valid(judge: &Judge<'_>) -> impl Fn(&[Term], &[Term], &Term) -> bool + Sync {
    move |known, given, goal| {
        let background: Vec<Lemma> = known.iter().map(|e| Lemma::new("known", e.clone())).collect();
        let given = Term::all(given.iter().cloned());
        judge.confirms(&Condition::implication("", given, goal.clone(), &background))
    }
}

/// What rests on axioms that are not confirmed to have a model is open: they are not known then.
pub(super) fn confirm_axioms(certifier: &mut Certifier<'_>, judge: &Judge<'_>, axioms: &mut Axioms) {
    let assumed: Vec<Term> = axioms.assumed.iter().map(|l| l.formula.clone()).collect();
    let satisfiable = |formulas: &[Term]| {
        let none = Condition::implication("", Term::all(formulas.iter().cloned()), Term::truth(false), &[]);
        judge.refutes(&none)
    };
    if certifier.assume(&assumed, axioms.consistent.as_ref(), &satisfiable).is_err() {
        axioms.assumed.clear();
    }
    axioms.proved.retain(|(l, evidence)| certifier.lemma(&l.formula, evidence).is_ok());
}

/// Generated invariants of one kind are inductive together; where they are not confirmed so, each
/// is tried alone.
pub(super) fn confirm_generated(certifier: &mut Certifier<'_>, generated: &mut Vec<Lemma>) {
    let mut kept = Vec::new();
    for group in generated.chunk_by(|a, b| a.name == b.name) {
        let formulas: Vec<Term> = group.iter().map(|l| l.formula.clone()).collect();
        if certifier.invariants(&formulas).is_ok() {
            kept.extend_from_slice(group);
            continue;
        }
        let alone = |l: &&Lemma| certifier.invariants(std::slice::from_ref(&l.formula)).is_ok();
        kept.extend(group.iter().filter(alone).cloned());
    }
    *generated = kept;
}

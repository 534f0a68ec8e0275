//! Strategies for properties without a proof script.
//!
//! An invariance: B-INV; then WLPC; then a property-directed search; then Houdini over templates;
//! then Strengthen. A wait-for formula: G-WAIT with assertions found top-down, then the search on
//! the system with its stages. A response: stages found backwards ([`respond`]). The first attempt
//! that proves the property, or breaks it by a run, is the answer; if none does, the first one is
//! shown.

use crate::condition::{Condition, Lemma};
use crate::discharge::{Judge, OUT_OF_TIME, Status};
use crate::respond;
use crate::shape::Shape;
use crate::strengthen::{self, Attempt};
use logic::fol::Term;
use system::fts::Evidence;

pub fn prove(judge: &Judge<'_>, shape: &Shape, given: &Term, background: &[Lemma], rounds: usize) -> Attempt {
    match shape {
        Shape::Invariance(p) => {
            invariance(judge, &Term::implication(given.clone(), p.clone()), background, rounds)
        }
        Shape::WaitFor(p, q) => {
            let p = Term::all([given.clone(), p.clone()]);
            let first = strengthen::g_wait_top_down(judge, &p, q, background, rounds);
            if first.proved {
                return first;
            }
            final_or(strengthen::waiting_directed(judge, &p, q, background), first)
        }
        Shape::Initial(p) => {
            let from = Term::all([given.clone(), judge.fts.initial.clone()]);
            let condition = Condition::implication("Theta", from, p.clone(), background);
            Attempt::of(vec![judge.judge("Check-Valid", &condition)]).by(Evidence::Initial)
        }
        Shape::Conjunction(parts) => {
            let mut all = Attempt { proved: true, ..Attempt::default() };
            let (mut found, mut evidence) = (Vec::new(), Vec::new());
            for part in parts {
                let attempt = prove(judge, part, given, background, rounds);
                all.proved &= attempt.proved;
                all.obligations.extend(attempt.obligations);
                all.run = all.run.or(attempt.run);
                all.reason = all.reason.or(attempt.reason);
                found.extend(attempt.invariant);
                evidence.extend(attempt.evidence);
            }
            all.invariant = (!found.is_empty()).then(|| Term::all(found));
            all.by(Evidence::All(evidence))
        }
        Shape::Response(p, q) => {
            respond::respond(judge, &Term::all([given.clone(), p.clone()]), q, given, background)
        }
        Shape::Guarantee(q) => {
            let from = Term::all([given.clone(), judge.fts.initial.clone()]);
            respond::respond(judge, &from, q, given, background)
        }
    }
}

fn invariance(judge: &Judge<'_>, p: &Term, background: &[Lemma], rounds: usize) -> Attempt {
    let first = strengthen::b_inv(judge, p, background);
    if first.proved {
        return first;
    }
    let second = strengthen::wlpc_rule(judge, p, background);
    if second.proved {
        return second;
    }
    let third = strengthen::property_directed(judge, p, background);
    if third.is_final() {
        return third;
    }
    // A property that is false at the beginning cannot be saved.
    if first.obligations.first().is_some_and(|o| o.status == Status::Failed) {
        return first;
    }
    let fourth = strengthen::templates(judge, p, background);
    if fourth.proved {
        return fourth;
    }
    let last = strengthen::strengthen(judge, p, background, rounds);
    if last.proved {
        return last;
    }
    let reason = if judge.is_over() { Some(OUT_OF_TIME.to_string()) } else { first.reason.clone() };
    Attempt { reason, ..first }
}

/// The second attempt if it settles the matter; the first, with the reason of the second,
/// otherwise.
fn final_or(second: Attempt, first: Attempt) -> Attempt {
    if second.is_final() {
        second
    } else {
        Attempt { reason: first.reason.clone().or(second.reason), ..first }
    }
}

//! Strategies for properties without a proof script.
//!
//! An invariance: B-INV; then WLPC; then Strengthen. A wait-for formula: G-WAIT with assertions found top-down. The first attempt
//! that proves the property is the answer; if none does, the one with the fewest open conditions is shown.

use crate::condition::{Condition, Lemma};
use crate::discharge::{Judge, Status};
use crate::shape::Shape;
use crate::strengthen::{self, Attempt};
use system::fts::Expr;

pub fn prove(judge: &Judge<'_>, shape: &Shape, given: &Expr, background: &[Lemma], rounds: usize) -> Attempt {
    match shape {
        Shape::Invariance(p) => {
            invariance(judge, &Expr::implies(given.clone(), p.clone()), background, rounds)
        }
        Shape::WaitFor(p, q) => {
            let p = Expr::and([given.clone(), p.clone()]);
            strengthen::g_wait_top_down(judge, &p, q, background, rounds)
        }
        Shape::Initial(p) => {
            let from = Expr::and([given.clone(), judge.fts.initial.clone()]);
            let condition = Condition::implication("Theta", from, p.clone(), background);
            Attempt::of(vec![judge.judge("Check-Valid", &condition)])
        }
        Shape::Conjunction(parts) => {
            let mut all = Attempt { proved: true, obligations: Vec::new() };
            for part in parts {
                let attempt = prove(judge, part, given, background, rounds);
                all.proved &= attempt.proved;
                all.obligations.extend(attempt.obligations);
            }
            all
        }
        // What helps, and where, is for a proof to say.
        Shape::Response(..) | Shape::Guarantee(_) => Attempt::default(),
    }
}

fn invariance(judge: &Judge<'_>, p: &Expr, background: &[Lemma], rounds: usize) -> Attempt {
    let first = strengthen::b_inv(judge, p, background);
    // A property that is false at the beginning cannot be saved.
    if first.proved || first.obligations.first().is_some_and(|o| o.status == Status::Failed) {
        return first;
    }
    let second = strengthen::wlpc_rule(judge, p, background);
    if second.proved {
        return second;
    }
    let third = strengthen::strengthen(judge, p, background, rounds);
    if third.proved {
        return third;
    }
    first
}

//! The largest inductive subset of candidate assertions (Flanagan and Leino's Houdini).
//!
//! Candidates that Θ does not establish go first; then, as long as some transition leads out of the
//! conjunction, those that are false after it. What is left is inductive together, relative to the
//! background. The source of the candidates need not be trusted: this is where they are checked.

use crate::condition::{Condition, Lemma};
use crate::discharge::Judge;
use logic::fol::{Term, holds};
use solve::{Answer, Model};
use system::fts::Transition;

pub fn inductive_subset(judge: &Judge<'_>, candidates: &[Term], background: &[Lemma]) -> Vec<Term> {
    let mut kept: Vec<Term> = candidates.to_vec();
    kept.dedup();
    let initial = judge.fts.initial.clone();
    drop_false(judge, &mut kept, background, &|goal: &Term, background: &[Lemma]| {
        Condition::implication("Theta", initial.clone(), goal.clone(), background)
    });
    let transitions = &judge.fts.transitions;
    loop {
        let before = kept.len();
        for transition in transitions {
            keep_preserved(judge, &mut kept, transition, background);
        }
        if kept.len() == before || kept.is_empty() {
            return kept;
        }
    }
}

/// Drops what the transition does not preserve from a state in which everything kept holds.
fn keep_preserved(judge: &Judge<'_>, kept: &mut Vec<Term>, transition: &Transition, background: &[Lemma]) {
    let all = kept.clone();
    drop_false(judge, kept, background, &|goal: &Term, background: &[Lemma]| {
        Condition::triple(&Term::all(all.iter().cloned()), transition, goal, background)
    });
}

/// Drops candidates until the condition about their conjunction is valid. A countermodel drops all
/// that are false in it; where there is none to read, each is asked about alone.
fn drop_false(
    judge: &Judge<'_>,
    kept: &mut Vec<Term>,
    background: &[Lemma],
    condition: &dyn Fn(&Term, &[Lemma]) -> Condition,
) {
    while !kept.is_empty() {
        if judge.is_over() {
            return kept.clear();
        }
        let whole = condition(&Term::all(kept.iter().cloned()), background);
        let before = kept.len();
        match judge.answer(&whole) {
            Answer::Valid { .. } => return,
            Answer::Invalid { model } => {
                kept.retain(|c| !is_false(&condition(c, background).goal, &model));
            }
            _ => {}
        }
        if kept.len() == before {
            kept.retain(|c| judge.is_valid(&condition(c, background)));
            return;
        }
    }
}

fn is_false(goal: &Term, model: &Model) -> bool {
    holds(goal, model) == Some(false)
}

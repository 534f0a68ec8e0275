//! k-induction (Sheeran, Singh, Stålmarck: *Checking safety properties using induction and a
//! SAT-solver*): p holds if it is true in the first k states of every run, and in every state that
//! comes after k states in which it is true.
//!
//! The states before the last one are copies (`unroll`), and what is known is assumed of each of
//! them; the last step is the condition of one transition, so it is shown and named like those of
//! B-INV. Idling steps are left out: a run that reaches a state reaches it without them. If all
//! that changes is scalar the k states are assumed to differ, for a shortest run to a state has no
//! state twice.
//!
//! Deviation: only the states up to the last step are copied; the state after it is substituted.

use crate::clauses::Seen;
use crate::condition::{Condition, Lemma};
use crate::discharge::{Judge, OUT_OF_TIME, Obligation, Status};
use crate::history;
use crate::strengthen::Attempt;
use crate::unroll::Unrolling;
use logic::fol::{Term, is_ground};
use solve::Answer;
use std::collections::BTreeSet;
use system::fts::{Evidence, KInductive};

/// The name under which conditions of k-induction are shown.
const RULE: &str = "k-induction";

/// How many states in a row are tried at most.
const STATES: usize = 10;

/// k-induction for an invariance, for k = 1, 2, 3, …; a run if the property is false at the
/// beginning of one.
pub(crate) fn k_induction(judge: &Judge<'_>, p: &Term, background: &[Lemma]) -> Attempt {
    let unrolling = Unrolling::new(judge.fts);
    let distinct = unrolling.is_scalar();
    let known = background.iter().filter(|l| is_ground(&l.formula)).cloned().collect();
    let search = Search { judge, p, background, known, unrolling, distinct };
    let mut begins = Vec::new();
    let mut last = Attempt::default();
    for states in 1..=STATES {
        if judge.is_over() {
            return Attempt { reason: Some(format!("{OUT_OF_TIME} at k = {states}")), ..last };
        }
        match search.begins(states - 1) {
            Ok(obligation) => begins.push(obligation),
            Err(stopped) => return stopped.after(last, states),
        }
        let steps = search.steps(states);
        let whole: Vec<Obligation> = begins.iter().chain(&steps).cloned().collect();
        let undecided = steps.iter().find(|o| o.status == Status::Unknown).and_then(|o| o.reason.clone());
        last = Attempt::of(whole);
        if last.proved {
            let using = search.used(&mut last.obligations);
            let found = KInductive { states, distinct: distinct && states > 1, using };
            return last.by(Evidence::KInductive(found));
        }
        last.reason = Some(match undecided {
            Some(why) => format!("k = {states}: {why}"),
            None => format!("not inductive for k up to {states}"),
        });
    }
    last
}

/// A wait-for formula as an invariance of the system with its stages.
pub(crate) fn waiting(judge: &Judge<'_>, (p, q): (&Term, &[Term]), background: &[Lemma]) -> Attempt {
    let (fts, goal) = history::stages(judge.fts, p, q);
    k_induction(&Judge { fts: &fts, seen: &Seen::default(), ..*judge }, &goal, background)
}

struct Search<'a> {
    judge: &'a Judge<'a>,
    p: &'a Term,
    background: &'a [Lemma],
    /// What is assumed of the states before the last step, too.
    known: Vec<Lemma>,
    unrolling: Unrolling<'a>,
    distinct: bool,
}

/// Why there is nothing to look for any more.
enum Stopped {
    /// The property is false in some state that a run begins with.
    Run(Box<Attempt>),
    Undecided(String),
}

impl Stopped {
    fn after(self, last: Attempt, states: usize) -> Attempt {
        match self {
            Stopped::Run(attempt) => *attempt,
            Stopped::Undecided(why) => Attempt { reason: Some(format!("k = {states}: {why}")), ..last },
        }
    }
}

/// The name of what is known of an earlier state.
const EARLIER: &str = "earlier!";

impl Search<'_> {
    /// That some steps lead to the present state, with what is known of the states before it, which
    /// are numbered backwards.
    fn steps_before(&self, steps: usize) -> (Vec<Term>, Vec<Lemma>) {
        let every: Vec<usize> = (0..self.unrolling.ways.len()).collect();
        let mut taken = Vec::new();
        let mut lemmas = self.background.to_vec();
        for back in (1..=steps).rev() {
            taken.extend(self.unrolling.step(back, back - 1, &every, false));
            taken.push(self.unrolling.at(self.p, back));
            let earlier = |(n, l): (usize, &Lemma)| {
                Lemma::new(format!("{EARLIER}{n}"), self.unrolling.at(&l.formula, back))
            };
            lemmas.extend(self.known.iter().enumerate().map(earlier));
        }
        (taken, lemmas)
    }

    /// p is true after some steps from the beginning.
    fn begins(&self, steps: usize) -> Result<Obligation, Stopped> {
        let (mut given, lemmas) = self.steps_before(steps);
        given.push(self.unrolling.at(&self.judge.fts.initial, steps));
        let name = if steps == 0 { "Theta".to_string() } else { format!("Theta after {steps}") };
        let condition = Condition::implication(name, Term::all(given), self.p.clone(), &lemmas);
        let obligation = self.judge.judge(RULE, &condition);
        match obligation.status {
            Status::Proved => Ok(obligation),
            Status::Unknown => {
                Err(Stopped::Undecided(obligation.reason.unwrap_or_else(|| "undecided".to_string())))
            }
            Status::Failed => {
                let copies: Vec<usize> = (0..=steps).rev().collect();
                let run = match self.judge.answer(&condition) {
                    Answer::Invalid { model } => self.unrolling.run(&model, &copies),
                    _ => None,
                };
                let obligations = vec![obligation];
                let reason =
                    run.is_none().then(|| "it is false on some run, which has no values to show".to_string());
                Err(Stopped::Run(Box::new(Attempt { run, obligations, reason, ..Attempt::default() })))
            }
        }
    }

    /// From some states in which p is true every step leads to another one; up to what fails first.
    fn steps(&self, states: usize) -> Vec<Obligation> {
        let (mut before, lemmas) = self.steps_before(states - 1);
        if self.distinct {
            before.extend(
                (1..states)
                    .flat_map(|a| (0..a).map(move |b| (a, b)))
                    .map(|(a, b)| self.unrolling.differ(a, b)),
            );
        }
        before.push(self.p.clone());
        let before = Term::all(before);
        let mut all = Vec::new();
        for transition in &self.judge.fts.transitions {
            let condition = Condition::triple(&before, transition, self.p, &lemmas);
            let name = format!("{states} {}", transition.name);
            all.push(self.judge.judge(RULE, &condition.named(name)));
            if all.last().is_some_and(|o| o.status != Status::Proved) {
                break;
            }
        }
        all
    }

    /// What was used of the states before the last step; it gets its own names in what is shown.
    fn used(&self, obligations: &mut [Obligation]) -> Vec<Term> {
        let mut used = BTreeSet::new();
        for obligation in obligations {
            for name in &mut obligation.lemmas {
                let number = name.strip_prefix(EARLIER).and_then(|n| n.parse::<usize>().ok());
                if let Some(lemma) = number.and_then(|n| self.known.get(n)) {
                    used.extend(number);
                    name.clone_from(&lemma.name);
                }
            }
            obligation.lemmas.sort();
            obligation.lemmas.dedup();
        }
        used.into_iter().map(|n| self.known[n].formula.clone()).collect()
    }
}

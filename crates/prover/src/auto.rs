//! Strategies for properties without a proof script, as methods that can be tried one by one.
//!
//! An invariance: B-INV, then WLPC; k-induction (`induction`); a property-directed search; Houdini
//! over templates; Strengthen. A wait-for formula: G-WAIT with assertions found top-down, then
//! k-induction and the search on the system with its stages. A response: stages found backwards
//! ([`respond`]), then ranks ([`rank`]). The first attempt that proves the property, or breaks it
//! by a run, is the answer. Who has a clock may try the methods in slices, in any order
//! ([`attempt`]); who has none tries them in turn ([`prove`]).

use crate::condition::{Condition, Lemma};
use crate::discharge::{Judge, OUT_OF_TIME, Status};
use crate::rules::Target;
use crate::shape::{Recurrence, Shape};
use crate::strengthen::{self, Attempt};
use crate::{clauses, induction, rank, respond};
use logic::fol::Term;
use system::fts::Evidence;

/// A way to prove a property, or to find a run that breaks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// The rules that need no search.
    Rules,
    /// Stages found backwards from the goal of a response.
    Stages,
    /// Stages with ranks.
    Ranks,
    /// k-induction.
    Induction,
    /// Property-directed search.
    Directed,
    /// Clauses over process indices that small instances show.
    Clauses,
    /// Houdini over templates.
    Templates,
    /// Strengthening by preconditions.
    Strengthening,
}

impl Method {
    /// All of them, cheap ones first.
    pub const ALL: [Method; 8] = [
        Method::Rules,
        Method::Stages,
        Method::Ranks,
        Method::Induction,
        Method::Directed,
        Method::Clauses,
        Method::Templates,
        Method::Strengthening,
    ];

    /// What it is called where one reads what was tried.
    pub fn name(self) -> &'static str {
        match self {
            Method::Rules => "rules",
            Method::Stages => "stages",
            Method::Ranks => "ranks",
            Method::Directed => "PDR",
            Method::Clauses => "clauses",
            Method::Templates => "Houdini",
            Method::Induction => "k-induction",
            Method::Strengthening => "Strengthen",
        }
    }

    /// Whether it is for properties of this shape.
    pub fn fits(self, shape: &Shape) -> bool {
        match (shape, self) {
            (Shape::Conjunction(parts), _) => parts.iter().any(|part| self.fits(part)),
            (Shape::Initial(_), method) => method == Method::Rules,
            (Shape::Invariance(_), method) => !matches!(method, Method::Stages | Method::Ranks),
            (Shape::WaitFor(..) | Shape::Precedence(_), method) => {
                let fitting = [Method::Rules, Method::Induction, Method::Directed, Method::Clauses];
                fitting.contains(&method)
            }
            (Shape::Response(..) | Shape::Guarantee(_) | Shape::Recurrence(_), method) => {
                matches!(method, Method::Stages | Method::Ranks)
            }
        }
    }
}

/// What is to be proved: the shape of a property, and what is known of its rigid values.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'a> {
    pub shape: &'a Shape,
    pub given: &'a Term,
    /// Rounds of strengthening.
    pub rounds: usize,
}

/// Tries all methods in turn; if none settles the matter, the first one is shown.
pub fn prove(judge: &Judge<'_>, goal: Goal<'_>, background: &[Lemma]) -> Attempt {
    if let Shape::Conjunction(parts) = goal.shape {
        let one = |shape: &Shape| prove(judge, Goal { shape, ..goal }, background);
        return together(parts.iter().map(one));
    }
    let mut shown: Option<Attempt> = None;
    for method in Method::ALL.into_iter().filter(|m| m.fits(goal.shape)) {
        let next = attempt(judge, method, goal, background);
        // A property that is false at the beginning cannot be saved.
        if next.is_final() || (method > Method::Directed && is_lost(shown.as_ref())) {
            return if next.is_final() { next } else { shown.unwrap_or_default() };
        }
        shown = Some(match shown {
            None => next,
            Some(first) => Attempt { reason: first.reason.clone().or(next.reason), ..first },
        });
    }
    let shown = shown.unwrap_or_default();
    let reason = if judge.is_over() { Some(OUT_OF_TIME.to_string()) } else { shown.reason.clone() };
    Attempt { reason, ..shown }
}

/// Whether the first condition, about the beginning, has a countermodel.
fn is_lost(first: Option<&Attempt>) -> bool {
    first.and_then(|a| a.obligations.first()).is_some_and(|o| o.status == Status::Failed)
}

/// Tries one method. Each part of a conjunction may take any method up to this one.
pub fn attempt(judge: &Judge<'_>, method: Method, goal: Goal<'_>, background: &[Lemma]) -> Attempt {
    let Goal { shape, given, rounds } = goal;
    match shape {
        Shape::Conjunction(parts) => together(parts.iter().map(|shape| {
            let goal = Goal { shape, ..goal };
            let methods = Method::ALL.into_iter().filter(|m| *m <= method && m.fits(shape));
            let mut tried = methods.map(|m| attempt(judge, m, goal, background));
            let mut last = Attempt::given_up("no method fits");
            tried.find(|a| {
                last = a.clone();
                a.is_final()
            });
            last
        })),
        Shape::Invariance(p) => {
            let p = Term::implication(given.clone(), p.clone());
            match method {
                Method::Rules => rules(judge, &p, background),
                Method::Induction => induction::k_induction(judge, &p, background),
                Method::Directed => strengthen::property_directed(judge, &p, background),
                Method::Clauses => clauses::clauses(judge, &p, background),
                Method::Templates => strengthen::templates(judge, &p, background),
                _ => strengthen::strengthen(judge, &p, background, rounds),
            }
        }
        Shape::WaitFor(p, q) => waits(judge, method, (p, q), goal, background),
        Shape::Precedence(q) => waits(judge, method, (&judge.fts.initial, q), goal, background),
        Shape::Initial(p) => {
            let from = Term::all([given.clone(), judge.fts.initial.clone()]);
            let condition = Condition::implication("Theta", from, p.clone(), background);
            Attempt::of(vec![judge.judge("Check-Valid", &condition)]).by(Evidence::Initial)
        }
        Shape::Response(p, q) => progress(judge, method, (p, q), given, background),
        Shape::Guarantee(q) => {
            let from = judge.fts.initial.clone();
            progress(judge, method, (&from, q), given, background)
        }
        Shape::Recurrence(recurrence) => recurs(judge, method, recurrence, given, background),
    }
}

/// `p ==> q_m W … W q_0`.
fn waits(
    judge: &Judge<'_>,
    method: Method,
    (p, q): (&Term, &[Term]),
    Goal { given, rounds, .. }: Goal<'_>,
    background: &[Lemma],
) -> Attempt {
    let p = &Term::all([given.clone(), p.clone()]);
    match method {
        Method::Rules => strengthen::g_wait_top_down(judge, p, q, background, rounds),
        Method::Induction => induction::waiting(judge, (p, q), background),
        Method::Clauses => strengthen::waiting_directed(judge, (p, q), background, clauses::clauses),
        _ => strengthen::waiting_directed(judge, (p, q), background, strengthen::property_directed),
    }
}

fn progress(
    judge: &Judge<'_>,
    method: Method,
    (p, q): (&Term, &Term),
    given: &Term,
    background: &[Lemma],
) -> Attempt {
    let from = &Term::all([given.clone(), p.clone()]);
    match method {
        Method::Ranks => rank::ranked(judge, Target { from, goal: q, again: &[] }, given, background),
        _ => respond::respond(judge, from, q, given, background),
    }
}

/// A goal that comes where others recur: with ranks that may wait for these, or from one of these
/// alone.
fn recurs(
    judge: &Judge<'_>,
    method: Method,
    Recurrence { from, again, goal }: &Recurrence,
    given: &Term,
    background: &[Lemma],
) -> Attempt {
    let from = from.clone().unwrap_or_else(|| judge.fts.initial.clone());
    let from = &Term::all([given.clone(), from]);
    let mut first = None;
    if method == Method::Ranks || again.is_empty() {
        let attempt = match method {
            Method::Ranks => rank::ranked(judge, Target { from, goal, again }, given, background),
            _ => respond::respond(judge, from, goal, given, background),
        };
        if attempt.proved {
            return attempt;
        }
        first = Some(attempt);
    }
    for (n, one) in again.iter().enumerate() {
        let attempt = progress(judge, method, (one, goal), given, background);
        if let (true, Some(evidence)) = (attempt.proved, attempt.evidence.clone()) {
            return attempt.by(Evidence::Again(n, Box::new(evidence)));
        }
        first = first.or(Some(attempt));
    }
    first.unwrap_or_default()
}

/// B-INV, then WLPC; what is left open by the first is shown.
fn rules(judge: &Judge<'_>, p: &Term, background: &[Lemma]) -> Attempt {
    let first = strengthen::b_inv(judge, p, background);
    if first.proved {
        return first;
    }
    let second = strengthen::wlpc_rule(judge, p, background);
    if second.proved { second } else { first }
}

/// Attempts at the parts of a conjunction as one.
fn together(parts: impl Iterator<Item = Attempt>) -> Attempt {
    let mut all = Attempt { proved: true, ..Attempt::default() };
    let (mut found, mut evidence) = (Vec::new(), Vec::new());
    for attempt in parts {
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

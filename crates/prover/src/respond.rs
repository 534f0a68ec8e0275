//! Responses without a proof script: `p ==> <> q` by stages that are found backwards from q.
//!
//! G is where q is known to come: q itself at first. A fair transition τ helps in the states in
//! which it leads to G and which no other transition leaves but to G: the largest such set, φ =
//! wlpc(τ, G) ∧ wlpc(σ, φ ∨ G) for all σ, by strengthening. If τ is just, φ is where it is enabled
//! as well (RESP-J); if it is compassionate, that it is enabled again and again is a response of
//! its own (RESP-C). Then φ belongs to G. When p → G, the stages are a proof, by induction on their
//! number; its conditions are those of the rules and are proved like any others. For finite
//! programs this is the fixpoint of a model checker; where a rank is needed it ends with the
//! limits, or finds no new stage.

use crate::condition::{Condition, Lemma, wlpc};
use crate::discharge::{Judge, OUT_OF_TIME};
use crate::rules::{self, NotApplicable, Stage};
use crate::strengthen::{self, Attempt};
use logic::fol::{Sort, Term};
use system::fts::{Evidence, Fairness, Fts, Helped, Helpful, Transition};

/// Stages of one proof.
const STAGES: usize = 30;
/// Strengthenings of one stage.
const ROUNDS: usize = 8;
/// Compassionate transitions that may wait for each other.
const NESTING: usize = 2;

/// Proves p ==> <> q; what the property's values are known to satisfy belongs to p.
pub fn respond(judge: &Judge<'_>, p: &Term, q: &Term, given: &Term, background: &[Lemma]) -> Attempt {
    let search = Search { judge, given, background };
    match search.conditions(p, q, NESTING) {
        Ok((conditions, stages)) => {
            let judged = conditions.into_iter().flat_map(|(rule, all)| judge.judge_all(rule, &all));
            Attempt::of(judged.collect()).by(Evidence::Progress(stages))
        }
        Err(NotApplicable(reason)) => Attempt::given_up(reason),
    }
}

/// Conditions, by the rule they belong to.
type Conditions = Vec<(&'static str, Vec<Condition>)>;

/// A proof: its conditions, and its stages from the goal backwards.
type Staged = (Conditions, Vec<Helped>);

struct Search<'a> {
    judge: &'a Judge<'a>,
    given: &'a Term,
    background: &'a [Lemma],
}

impl Search<'_> {
    fn conditions(&self, p: &Term, q: &Term, nesting: usize) -> Result<Staged, NotApplicable> {
        let candidates = helpful(self.judge.fts, p, nesting > 0);
        let mut goal = q.clone();
        let (mut proof, mut stages) = (Vec::new(), Vec::new());
        loop {
            let before = proof.len();
            for (transition, helpful) in &candidates {
                let covered = Condition::implication("J1", p.clone(), goal.clone(), self.background);
                if self.judge.is_valid(&covered) {
                    proof.push(("CHAIN-J", vec![covered]));
                    return Ok((proof, stages));
                }
                if self.judge.is_over() {
                    return Err(NotApplicable(OUT_OF_TIME.to_string()));
                }
                let Some((stage, conditions)) = self.stage(transition, helpful, &goal, nesting) else {
                    continue;
                };
                proof.extend(conditions);
                goal = Term::any([goal, stage.phi.clone()]);
                stages.push(stage);
            }
            if proof.len() == before || proof.len() > STAGES {
                return Err(NotApplicable("no fair transition is found that helps".to_string()));
            }
        }
    }

    /// The states in which a transition helps towards a goal, and why it does.
    fn stage(
        &self,
        transition: &Transition,
        helpful: &Helpful,
        goal: &Term,
        nesting: usize,
    ) -> Option<(Helped, Conditions)> {
        let fts = self.judge.fts;
        let just = transition.fairness == Fairness::Weak;
        let one = Stage { phi: self.given.clone(), helpful: helpful.clone(), rank: Vec::new() };
        let helping = rules::instance(fts, &one)?;
        let place = if just { helping.enabled() } else { control(fts, &helping) };
        let phi = self.stable(Term::all([self.given.clone(), place, wlpc(&helping, goal)]), goal)?;
        let known = Condition::implication("", phi.clone(), goal.clone(), self.background);
        if self.judge.is_valid(&known) {
            return None;
        }
        let stage = Stage { phi: phi.clone(), ..one };
        let helped = Helped { phi: phi.clone(), helpful: helpful.clone(), rank: Vec::new(), again: None };
        if just {
            let conditions = rules::chain(fts, &phi, goal, &[stage], self.background).ok()?;
            return Some((helped, vec![("RESP-J", conditions)]));
        }
        let (conditions, enabled) = rules::resp_c(fts, &phi, goal, &stage, self.background).ok()?;
        let (mut proof, again) = self.conditions(&phi, &enabled, nesting.checked_sub(1)?).ok()?;
        proof.push(("RESP-C", conditions));
        Some((Helped { again: Some(again), ..helped }, proof))
    }

    /// The largest part that is left only to the goal; none if it is not found soon.
    fn stable(&self, mut phi: Term, goal: &Term) -> Option<Term> {
        for _ in 0..ROUNDS {
            let target = Term::any([goal.clone(), phi.clone()]);
            let open = strengthen::failing(self.judge, &phi, &target, self.background);
            if open.is_empty() {
                return Some(phi);
            }
            if strengthen::hopeless(self.judge, &phi).is_some() {
                return None;
            }
            phi = Term::all(
                std::iter::once(phi).chain(open.iter().map(|t| wlpc(t, &target)).collect::<Vec<_>>()),
            );
        }
        None
    }
}

/// The fair transitions; of families, those of the processes that the property speaks of.
fn helpful<'a>(fts: &'a Fts, p: &Term, compassion: bool) -> Vec<(&'a Transition, Helpful)> {
    let named = p.symbols().into_values().filter(|s| s.sort == Sort::Int && fts.variable(&s.name).is_none());
    let values: Vec<Term> = named.map(|s| s.term()).collect();
    let mut found = Vec::new();
    for transition in &fts.transitions {
        let wanted = match transition.fairness {
            Fairness::None => false,
            Fairness::Weak => true,
            Fairness::Strong => compassion,
        };
        let mut tuples = vec![Vec::new()];
        for _ in &transition.parameters {
            let longer = |tuple: &Vec<Term>| -> Vec<Vec<Term>> {
                values.iter().map(|v| [&tuple[..], std::slice::from_ref(v)].concat()).collect()
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        let all = tuples.into_iter().filter(|_| wanted);
        found.extend(
            all.map(|parameters| (transition, Helpful { name: transition.name.clone(), parameters })),
        );
    }
    found
}

/// Where control must be for a transition: the part of its guards that speaks of locations.
fn control(fts: &Fts, transition: &Transition) -> Term {
    let is_control =
        |e: &Term| e.symbols().keys().any(|name| fts.threads.iter().any(|t| t.control.name == *name));
    let of_branch = |guard: &Term| Term::all(guard.conjuncts().into_iter().filter(is_control));
    Term::any(transition.branches.iter().map(|b| of_branch(&b.guard)).collect::<Vec<_>>())
}

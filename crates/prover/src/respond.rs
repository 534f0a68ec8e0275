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
use logic::fol::{Op, Sort, Symbol, Term};
use system::fts::{Evidence, Fairness, Fts, Helped, Helpful, Mode, Transition};

/// Stages of one proof.
const STAGES: usize = 30;
/// Strengthenings of one stage.
const ROUNDS: usize = 8;
/// Variables that may say which transition of a family helps.
const STATE_PARAMETERS: usize = 3;
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
        let candidates = helpful(self.judge.fts, (p, q), nesting > 0);
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
        let helping = taken_with(fts, transition, helpful)?;
        let place = if just { helping.enabled() } else { self.stable_guard(&helping, goal) };
        let start = Term::all([self.given.clone(), place, wlpc(&helping, goal)]);
        // A transition that depends on the state must stay the same.
        let (named, values) = names(fts, helpful);
        let phi = self.stable(Term::all([start].into_iter().chain(named)), goal)?;
        let phi = phi.substitute(&|s| values.iter().find(|(name, _)| name == s).map(|(_, v)| v.clone()));
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

    /// The part of a guard that stays true until the goal is reached, and where control must be.
    fn stable_guard(&self, transition: &Transition, goal: &Term) -> Term {
        let [branch] = &transition.branches[..] else { return control(self.judge.fts, transition) };
        let stays = |c: &Term| {
            let before = Term::all([self.given.clone(), c.clone()]);
            let after = Term::any([goal.clone(), c.clone()]);
            strengthen::failing(self.judge, &before, &after, self.background).is_empty()
        };
        let kept = branch.guard.conjuncts().into_iter().filter(stays);
        Term::all([control(self.judge.fts, transition)].into_iter().chain(kept.collect::<Vec<_>>()))
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
fn helpful<'a>(fts: &'a Fts, (p, q): (&Term, &Term), compassion: bool) -> Vec<(&'a Transition, Helpful)> {
    let named = p.symbols().into_values().filter(|s| s.sort == Sort::Int && fts.variable(&s.name).is_none());
    let mut values: Vec<Term> = named.map(|s| s.term()).collect();
    let mut numbers = Vec::new();
    [p, q].into_iter().for_each(|e| indices(e, &mut numbers));
    values.extend(numbers.into_iter().take(STATE_PARAMETERS));
    // Who is next may be in a variable; the state decides then which transition helps.
    let numbers = fts.variables.iter().filter(|v| v.mode != Mode::Control && v.symbol.sort == Sort::Int);
    values.extend(
        numbers.filter(|v| fts.changes(&v.symbol.name)).take(STATE_PARAMETERS).map(|v| v.symbol.term()),
    );
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

/// The numbers by which elements of arrays are named.
fn indices(e: &Term, found: &mut Vec<Term>) {
    if let (Op::Select, [_, index]) = (e.op(), e.arguments())
        && matches!(index.op(), Op::Int(_))
        && !found.contains(index)
    {
        found.push(index.clone());
    }
    e.arguments().iter().for_each(|part| indices(part, found));
}

/// A transition of a family, with terms for its parameters.
fn taken_with(fts: &Fts, transition: &Transition, helpful: &Helpful) -> Option<Transition> {
    let flexible = |e: &Term| e.symbols().keys().any(|name| fts.variable(name).is_some());
    let depends = helpful.parameters.iter().any(flexible);
    if depends && transition.fairness == Fairness::Strong {
        return None;
    }
    let value = |s: &Symbol| {
        let at = transition.parameters.iter().position(|p| p.symbol == *s)?;
        helpful.parameters.get(at).cloned()
    };
    let at_value = |e: &Term| e.substitute(&value);
    let bounds = at_value(&transition.bounds());
    let branches = transition.branches.iter().map(|b| {
        let mut branch = b.map(at_value);
        if depends {
            branch.guard = Term::all([bounds.clone(), branch.guard]);
        }
        branch
    });
    Some(Transition { parameters: Vec::new(), branches: branches.collect(), ..transition.clone() })
}

/// Names for parameters that depend on the state, with the terms that they stand for, and that they
/// are equal.
fn names(fts: &Fts, helpful: &Helpful) -> (Vec<Term>, Vec<(Symbol, Term)>) {
    let flexible = |e: &&Term| e.symbols().keys().any(|name| fts.variable(name).is_some());
    let (mut equal, mut values) = (Vec::new(), Vec::new());
    for (n, value) in helpful.parameters.iter().filter(flexible).enumerate() {
        let name = Symbol::constant(format!("same!{n}"), Sort::Int);
        equal.push(Term::eq(value.clone(), name.term()));
        values.push((name, value.clone()));
    }
    (equal, values)
}

/// Where control must be for a transition: the part of its guards that speaks of locations.
fn control(fts: &Fts, transition: &Transition) -> Term {
    let is_control =
        |e: &Term| e.symbols().keys().any(|name| fts.threads.iter().any(|t| t.control.name == *name));
    let of_branch = |guard: &Term| Term::all(guard.conjuncts().into_iter().filter(is_control));
    Term::any(transition.branches.iter().map(|b| of_branch(&b.guard)).collect::<Vec<_>>())
}

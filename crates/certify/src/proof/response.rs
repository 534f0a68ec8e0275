//! Responses: stages from which a fair transition leads on (RESP-J, RESP-C, CHAIN-J), or to lower
//! ranks (WELL-J).
//!
//! A run that stays in a stage keeps the helpful transition enabled (if it is just) or enabled
//! again and again (if it is compassionate), so it is taken, and leads on. Fairness is about one
//! transition of a family: parameters that depend on the state are given names that do not.

use super::claim::Recurs;
use super::relation::Extended;
use super::{Case, Certifier, Refused};
use logic::fol::{Sort, Symbol, Term};
use system::fts::evidence::RECURS;
use system::fts::{Evidence, Fairness, Helped, Transition};

/// A stage with its transition at hand.
pub(super) struct Stage<'a> {
    /// The assertion, and that the parameters are what they are called.
    pub(super) phi: Vec<Term>,
    pub(super) transition: &'a Transition,
    pub(super) parameters: Vec<Term>,
}

/// A response: where it begins, where it ends, and what is true infinitely often.
pub(super) struct Leads<'a> {
    pub(super) from: &'a Term,
    pub(super) goal: &'a Term,
    pub(super) again: &'a [Term],
}

impl Certifier<'_> {
    /// A goal that comes on runs on which others recur: by ranks, or from one of the others alone.
    pub(super) fn recurring(
        &self,
        case: &Case<'_>,
        claim: &Recurs,
        evidence: &Evidence,
    ) -> Result<(), Refused> {
        let Recurs { from, again, goal } = claim;
        let first = || Term::all(case.system.initially());
        match evidence {
            Evidence::Ranked(stages) => {
                let from = from.clone().unwrap_or_else(first);
                let from = &Term::all([from, case.given.clone()]);
                self.ranked(case, &Leads { from, goal, again }, stages)
            }
            Evidence::Progress(stages) => {
                let from = from.clone().unwrap_or_else(first);
                self.progress(case, &Term::all([from, case.given.clone()]), goal, stages)
            }
            Evidence::Again(n, evidence) => {
                let one = again.get(*n).ok_or(Refused::Form("there is no such part"))?;
                let one = Recurs { from: Some(one.clone()), again: Vec::new(), goal: goal.clone() };
                self.recurring(case, &one, evidence)
            }
            _ => Err(Refused::Form("the evidence does not fit the property")),
        }
    }

    /// `from ==> <> goal` by stages, from the goal backwards.
    pub(super) fn progress(
        &self,
        case: &Case<'_>,
        from: &Term,
        goal: &Term,
        stages: &[Helped],
    ) -> Result<(), Refused> {
        let mut reached = goal.clone();
        for helped in stages {
            let stage = self.stage(case, helped)?;
            let stays = Term::any([reached.clone(), Term::all(stage.phi.iter().cloned())]);
            self.keep(case, &stage.phi, &stays)?;
            self.taken(case.system, &stage, &[], &reached)?;
            let enabled = case.system.enabled(stage.transition, &stage.parameters);
            let enabled = Term::any([reached.clone(), enabled]);
            match (stage.transition.fairness, &helped.again) {
                (Fairness::Weak, _) => self.ask("enabled", &stage.phi, &enabled)?,
                (Fairness::Strong, None) => self.ask("enabled", &stage.phi, &enabled)?,
                (Fairness::Strong, Some(again)) => {
                    let phi = Term::all(stage.phi.iter().cloned());
                    if phi != helped.phi {
                        return Err(Refused::Form("the compassionate transition depends on the state"));
                    }
                    self.progress(case, &phi, &enabled, again)?;
                }
                (Fairness::None, _) => return Err(Refused::Form("the helpful transition is not fair")),
            }
            reached = Term::any([reached, helped.phi.clone()]);
        }
        self.ask("covered", std::slice::from_ref(from), &reached)
    }

    /// `from ==> <> goal` by stages whose rank goes down. In a stage that is left because something
    /// recurs, that is false.
    pub(super) fn ranked(
        &self,
        case: &Case<'_>,
        Leads { from, goal, again }: &Leads<'_>,
        stages: &[Helped],
    ) -> Result<(), Refused> {
        let width = stages.first().map_or(0, |s| s.rank.len());
        let whole = |e: &Term| *e.sort() == Sort::Int;
        if width == 0 || stages.iter().any(|s| s.rank.len() != width || !s.rank.iter().all(whole)) {
            return Err(Refused::Form("every stage needs a rank of whole numbers, all of one length"));
        }
        let old: Vec<Term> =
            (0..width).map(|n| Symbol::constant(format!("rank#{n}"), Sort::Int).term()).collect();
        let lower = stages.iter().map(|s| Term::all([s.phi.clone(), lower(&s.rank, &old)]));
        let down = Term::any(std::iter::once((*goal).clone()).chain(lower));
        for helped in stages {
            self.speak(case, &helped.rank)?;
            let bounded = helped.rank.iter().map(|r| Term::le(Term::int(0), r.clone()));
            self.ask("bounded", std::slice::from_ref(&helped.phi), &Term::all(bounded))?;
            if helped.helpful.name == RECURS {
                self.awaits(case, helped, (&old, &down), again)?;
                continue;
            }
            let stage = self.stage(case, helped)?;
            if stage.transition.fairness == Fairness::None {
                return Err(Refused::Form("the helpful transition is not fair"));
            }
            let same = helped.rank.iter().zip(&old).map(|(r, u)| Term::eq(r.clone(), u.clone()));
            let before: Vec<Term> = stage.phi.iter().cloned().chain(same).collect();
            let stays = Term::any([down.clone(), Term::all(before.iter().cloned())]);
            self.keep(case, &before, &stays)?;
            self.taken(case.system, &stage, &before, &down)?;
            let enabled = case.system.enabled(stage.transition, &stage.parameters);
            self.ask("enabled", &stage.phi, &Term::any([(*goal).clone(), enabled]))?;
        }
        let phis = stages.iter().map(|s| s.phi.clone());
        let covered = Term::any(std::iter::once((*goal).clone()).chain(phis));
        self.ask("covered", std::slice::from_ref(*from), &covered)
    }

    /// A stage that a run leaves because something is true infinitely often that is false in it.
    fn awaits(
        &self,
        case: &Case<'_>,
        helped: &Helped,
        (old, down): (&[Term], &Term),
        again: &[Term],
    ) -> Result<(), Refused> {
        self.speak(case, std::slice::from_ref(&helped.phi))?;
        let number = helped.helpful.parameters.first();
        let found = (0..again.len()).find(|n| number == Some(&Term::int(*n as i64)));
        let recurs = found.and_then(|n| again.get(n)).ok_or(Refused::Form("nothing of this kind recurs"))?;
        let same = helped.rank.iter().zip(old).map(|(r, u)| Term::eq(r.clone(), u.clone()));
        let before: Vec<Term> = std::iter::once(helped.phi.clone()).chain(same).collect();
        let stays = Term::any([down.clone(), Term::all(before.iter().cloned())]);
        self.keep(case, &before, &stays)?;
        self.ask("false", std::slice::from_ref(&helped.phi), &Term::negation(recurs.clone()))
    }

    pub(super) fn stage<'s>(&self, case: &'s Case<'_>, helped: &Helped) -> Result<Stage<'s>, Refused> {
        self.speak(case, std::slice::from_ref(&helped.phi))?;
        self.speak(case, &helped.helpful.parameters)?;
        let found = case.system.transition(&helped.helpful);
        let transition = found.ok_or(Refused::Form("there is no such transition"))?;
        let flexible = |e: &Term| e.symbols().keys().any(|name| !is_rigid(case, name));
        let (mut phi, mut parameters) = (vec![helped.phi.clone()], Vec::new());
        for (n, value) in helped.helpful.parameters.iter().enumerate() {
            if *value.sort() != Sort::Int {
                return Err(Refused::Form("the parameters of a transition are whole numbers"));
            }
            if flexible(value) {
                let named = Symbol::constant(format!("helpful#{n}"), Sort::Int).term();
                phi.push(Term::eq(value.clone(), named.clone()));
                parameters.push(named);
            } else {
                parameters.push(value.clone());
            }
        }
        Ok(Stage { phi, transition, parameters })
    }

    /// The helpful transition leads from the stage to the goal.
    fn taken(
        &self,
        system: &Extended<'_>,
        stage: &Stage<'_>,
        also: &[Term],
        goal: &Term,
    ) -> Result<(), Refused> {
        let before: Vec<Term> = stage.phi.iter().chain(also).cloned().collect();
        let ways = system.of(stage.transition, Some(&stage.parameters));
        ways.iter().try_for_each(|way| self.leads(way, &before, goal))
    }
}

fn is_rigid(case: &Case<'_>, name: &str) -> bool {
    case.rigid.iter().any(|s| &*s.name == name) || case.system.fts.rigid.iter().any(|r| &*r.name == name)
}

/// `a < b`, lexicographically.
fn lower(a: &[Term], b: &[Term]) -> Term {
    match (a.split_first(), b.split_first()) {
        (Some((a0, a)), Some((b0, b))) => {
            let same = Term::all([Term::eq(a0.clone(), b0.clone()), lower(a, b)]);
            Term::any([Term::lt(a0.clone(), b0.clone()), same])
        }
        _ => Term::truth(false),
    }
}

//! The meaning of a model: the trait [`space::Reference`] over two-valued states.
//!
//! An initial structure stands for states of every size, so the caller says with which ones runs
//! begin. States keep their individuals in place along a step; the canonical form tells which of
//! them are the same.

use crate::concrete::{Concrete, State, Step};
use crate::constraint::{Constraint, generated};
use crate::embed::Embedding;
use crate::formula::Formula;
use crate::model::{Group, Model};
use space::{Fault, Move, Requirement, Rest, Undefined};

/// The two-valued semantics of a model from some states on.
pub struct Meaning<'a> {
    /// The description.
    pub model: &'a Model,
    /// Evaluates its formulas.
    pub concrete: Concrete<'a>,
    /// The states with which runs begin.
    pub initial: Vec<State>,
    /// Closed formulas: the propositions.
    pub letters: Vec<Formula>,
    groups: Vec<Formula>,
    deadlock: (Vec<Formula>, Formula),
}

impl<'a> Meaning<'a> {
    /// Runs of the model from these states; `letters` become the propositions.
    pub fn new(
        model: &'a Model,
        concrete: Concrete<'a>,
        initial: Vec<State>,
        letters: &[Formula],
    ) -> Meaning<'a> {
        let groups = model.fairness.iter().map(|group| group.enabled(model)).collect();
        Meaning { model, concrete, initial, letters: letters.to_vec(), groups, deadlock: model.deadlock() }
    }

    /// Every step that is enabled, and the state after it. While an individual is at a place that
    /// is left at once, only it moves.
    pub fn steps(&self, state: &State) -> Vec<(Step, State)> {
        let transient = self.transient(state);
        let actions = self.model.actions.iter().enumerate();
        let all = actions.flat_map(|(number, action)| self.concrete.steps(state, number, action));
        all.filter(|(step, _)| transient.is_none() || step.part.get(&0).copied() == transient).collect()
    }

    /// Who is at a place that is left at once.
    pub fn transient(&self, state: &State) -> Option<usize> {
        let there = |u: &usize| self.model.transient.iter().any(|p| self.concrete.get(state, *p, [*u, 0]));
        (0..state.individuals).find(there)
    }

    /// No step that is progress is enabled, and an individual is where it may not rest.
    pub fn is_deadlock(&self, state: &State) -> bool {
        let (progress, waits) = &self.deadlock;
        self.concrete.holds(state, waits) && !progress.iter().any(|f| self.concrete.holds(state, f))
    }

    /// Whether a step is one of a group.
    pub fn takes(&self, state: &State, step: &Step, group: &Group) -> bool {
        let action = &self.model.actions[step.action];
        let actor = action.actor.as_ref().and_then(|_| step.part.get(&0));
        let by = |p| actor.is_some_and(|u| self.concrete.get(state, p, [*u, 0]));
        group.actions.contains(&step.action) && group.who.is_none_or(by)
    }
}

impl space::Reference for Meaning<'_> {
    type State = State;

    fn initial(&self) -> Result<Vec<State>, Undefined> {
        Ok(self.initial.clone())
    }

    /// One of those that the caller names, or one that an initial structure of the model stands
    /// for.
    fn is_initial(&self, state: &State) -> Result<bool, Undefined> {
        if self.initial.contains(state) {
            return Ok(true);
        }
        let vocabulary = &self.model.vocabulary;
        let embedding = Embedding { concrete: &self.concrete, layout: vocabulary.layout() };
        let covered = self.model.initial.iter().any(|i| embedding.covers(&i.structure, state));
        let mut constraints = generated(vocabulary).into_iter().chain(self.model.constraints.iter().cloned());
        let keeps = |c: Constraint| self.concrete.holds(state, &c.formula());
        Ok(covered && constraints.all(keeps))
    }

    fn read(&self, text: &str) -> Option<State> {
        self.concrete.read(text)
    }

    fn moves(&self, state: &State) -> Result<Vec<Move<State>>, Undefined> {
        let fault = |step: &Step| {
            self.model.actions[step.action].error.as_ref().map(|_| Fault::Error(step.action as u32))
        };
        let one = |(step, next): (Step, State)| Move {
            fault: fault(&step),
            ..Move::to(space::Step::from(&step), next)
        };
        Ok(self.steps(state).into_iter().map(one).collect())
    }

    fn rest(&self, state: &State) -> Result<Rest, Undefined> {
        // What only says that an individual waits may be enabled in a deadlock.
        Ok(match self.is_deadlock(state) {
            true => Rest::Deadlock,
            false if self.steps(state).is_empty() => Rest::Terminated,
            false => Rest::Enabled,
        })
    }

    fn waits(&self, state: &State, actor: usize) -> Result<bool, Undefined> {
        if self.model.actions.iter().any(|a| a.retain.is_some()) {
            return Err(Undefined("individuals do not keep their numbers".to_string()));
        }
        let mut places = self.model.restless();
        Ok(actor < state.individuals && places.any(|p| self.concrete.get(state, p, [actor, 0])))
    }

    fn letter(&self, state: &State) -> Result<u64, Undefined> {
        let bit = |(at, f): (usize, &Formula)| u64::from(self.concrete.holds(state, f)) << at;
        Ok(self.letters.iter().enumerate().map(bit).fold(0, |all, bit| all | bit))
    }

    fn requirements(&self) -> Result<Vec<Requirement>, Undefined> {
        Ok(requirements(self.model))
    }

    fn asks(&self, state: &State) -> Result<Vec<usize>, Undefined> {
        let enabled = |at: &usize| self.concrete.holds(state, &self.groups[*at]);
        Ok((0..self.groups.len()).filter(enabled).collect())
    }

    fn meets(&self, from: &State, m: &Move<State>) -> Result<Vec<usize>, Undefined> {
        let step = Step::read(&m.step).filter(|s| s.action < self.model.actions.len());
        let Some(step) = step else { return Ok(Vec::new()) };
        let groups = self.model.fairness.iter().enumerate();
        Ok(groups.filter(|(_, group)| self.takes(from, &step, group)).map(|(at, _)| at).collect())
    }

    fn canonical(&self, state: &State) -> State {
        self.concrete.normal(state).0
    }
}

/// What the scheduler owes: one requirement for each group of the model.
pub fn requirements(model: &Model) -> Vec<Requirement> {
    let of = |(at, group): (usize, &Group)| Requirement {
        name: format!("group {}", at + 1),
        strength: group.strength,
    };
    model.fairness.iter().enumerate().map(of).collect()
}

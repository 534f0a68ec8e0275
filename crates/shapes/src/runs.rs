//! Concrete runs with few individuals: everything reachable, up to a bound.
//!
//! States that differ only in the order of individuals are one, as far as a cheap normal form can tell. Closed formulas, actions and
//! unary predicates do not know individuals apart, so a way back to a state in another order can be taken again and again, and
//! comes back to the very state after some rounds: a cycle here is a cycle.

use crate::concrete::{Concrete, State, Step};
use crate::model::Model;
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub to: usize,
    pub action: usize,
    /// The individual that moves, in the state the arrow starts from.
    pub actor: Option<usize>,
    pub step: Step,
    /// The individual of the state before at each place of the state after; new ones are above those.
    pub order: Vec<usize>,
}

#[derive(Clone, Debug, Default)]
pub struct Runs {
    pub states: Vec<State>,
    pub initial: Vec<usize>,
    pub arrows: Vec<Vec<Arrow>>,
    pub parents: Vec<Option<(usize, usize)>>,
    /// States of which some arrow was left out for the bounds.
    pub cut: Vec<bool>,
    /// Nothing was cut off.
    pub complete: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Not counting those in which somebody is at a place that is left at once.
    pub states: usize,
    pub individuals: usize,
}

/// Explores breadth-first from some states; `stop` may end it at a state of interest.
pub fn runs(
    concrete: &Concrete<'_>,
    model: &Model,
    initial: &[State],
    bounds: Bounds,
    stop: &mut dyn FnMut(&Runs, usize) -> bool,
) -> Runs {
    let mut runs = Runs { complete: true, ..Runs::default() };
    let mut index: HashMap<State, usize> = HashMap::new();
    for state in initial {
        let (normal, _) = concrete.normal(state);
        let at = add(&mut runs, &mut index, normal, None);
        if !runs.initial.contains(&at) {
            runs.initial.push(at);
        }
    }
    let (mut at, mut resting) = (0, runs.states.len());
    while at < runs.states.len() {
        let somebody = passing(concrete, model, &runs.states[at]);
        for (number, action) in model.actions.iter().enumerate() {
            for (step, next) in concrete.steps(&runs.states[at], number, action) {
                if somebody.is_some() && step.part.get(&0).copied() != somebody {
                    continue;
                }
                let rests = model.passing.is_empty() || passing(concrete, model, &next).is_none();
                if next.individuals > bounds.individuals || rests && resting >= bounds.states {
                    runs.complete = false;
                    runs.cut[at] = true;
                    continue;
                }
                let (normal, order) = concrete.normal(&next);
                let (arrow, known) = (runs.arrows[at].len(), runs.states.len());
                let to = add(&mut runs, &mut index, normal, Some((at, arrow)));
                resting += usize::from(rests && runs.states.len() > known);
                let actor = action.actor.as_ref().and_then(|_| step.part.get(&0).copied());
                runs.arrows[at].push(Arrow { to, action: number, actor, step, order });
            }
        }
        if stop(&runs, at) {
            runs.complete = false;
            runs.cut[at..].fill(true);
            return runs;
        }
        at += 1;
    }
    runs
}

/// Who is at a place that is left at once.
pub fn passing(concrete: &Concrete<'_>, model: &Model, state: &State) -> Option<usize> {
    (0..state.individuals).find(|u| model.passing.iter().any(|p| concrete.get(state, *p, [*u, 0])))
}

fn add(
    runs: &mut Runs,
    index: &mut HashMap<State, usize>,
    state: State,
    parent: Option<(usize, usize)>,
) -> usize {
    if let Some(at) = index.get(&state) {
        return *at;
    }
    let at = runs.states.len();
    index.insert(state.clone(), at);
    runs.states.push(state);
    runs.arrows.push(Vec::new());
    runs.cut.push(false);
    runs.parents.push(parent);
    at
}

impl Runs {
    /// The states and arrows on a shortest way to a state.
    pub fn way(&self, state: usize) -> Vec<(usize, usize)> {
        let mut way = Vec::new();
        let mut at = state;
        while let Some((parent, arrow)) = self.parents[at] {
            way.push((parent, arrow));
            at = parent;
        }
        way.reverse();
        way
    }
}

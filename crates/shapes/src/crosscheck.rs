//! Cross-check: every concrete state with few individuals must be one that some abstract state stands for.

use crate::concrete::{Concrete, State, Step};
use crate::concretize::{Concretizer, populations};
use crate::embed::Embedding;
use crate::model::{Model, Roots};
use crate::prepared::Prepared;
use crate::runs::{Bounds, Runs, passing, runs};
use crate::space::Space;

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Concrete states, over all populations.
    pub states: usize,
    pub populations: usize,
    /// Populations of which everything reachable was looked at.
    pub complete: usize,
}

/// A concrete state that no abstract state stands for, and how it is reached: a bug of ours, or a broken promise.
#[derive(Clone, Debug)]
pub struct Uncovered {
    pub state: State,
    pub steps: Vec<Step>,
}

/// Concrete runs from every initial structure, for every population of at most `most` individuals behind summary nodes. `visit` gets
/// the runs of each and may end it.
pub fn each_population(
    model: &Model,
    prepared: &Prepared,
    most: usize,
    bounds: Bounds,
    visit: &mut dyn FnMut(&Concrete<'_>, Runs) -> bool,
) {
    each_population_until(model, prepared, most, bounds, &mut |_, _, _| false, visit);
}

/// The same; the runs of a population end at the first state at which `stop` says so.
pub fn each_population_until(
    model: &Model,
    prepared: &Prepared,
    most: usize,
    bounds: Bounds,
    stop: &mut dyn FnMut(&Concrete<'_>, &Runs, usize) -> bool,
    visit: &mut dyn FnMut(&Concrete<'_>, Runs) -> bool,
) {
    let mut concrete = Concrete::new(&prepared.vocabulary);
    concrete.roots = model.roots.as_ref().filter(|_| model.collects);
    let concretizer = Concretizer {
        vocabulary: &prepared.vocabulary,
        coercion: &prepared.machine.coercion,
        constraints: &prepared.machine.coercion.constraints,
    };
    let mut cases = Vec::new();
    for (at, s) in prepared.initial.iter().enumerate() {
        let summaries = concretizer.summaries(s).len();
        cases.extend(populations(summaries, most.max(summaries)).into_iter().map(|sizes| (at, sizes)));
    }
    cases.sort_by_key(|(at, sizes)| (sizes.iter().sum::<usize>(), *at));
    for (at, sizes) in cases {
        let (initial, all) = concretizer.states(&prepared.initial[at], &sizes);
        let ends = &mut |runs: &Runs, state: usize| stop(&concrete, runs, state);
        let mut found = runs(&concrete, model, &initial, bounds, ends);
        found.complete &= all;
        if visit(&concrete, found) {
            return;
        }
    }
}

/// Looks whether abstract states stand for all concrete ones.
pub fn crosscheck(
    model: &Model,
    prepared: &Prepared,
    space: &Space,
    most: usize,
    bounds: Bounds,
) -> Result<Checked, Box<Uncovered>> {
    let mut checked = Checked::default();
    let mut uncovered = None;
    // Abstract states forget who surely cannot be reached; concrete ones here forget nobody.
    let roots = model.roots.as_ref().filter(|_| model.collects);
    let model = &Model { collects: false, ..model.clone() };
    each_population(model, prepared, most, bounds, &mut |concrete, runs| {
        checked.populations += 1;
        checked.complete += usize::from(runs.complete);
        checked.states += runs.states.len();
        let embedding = Embedding { concrete, layout: prepared.vocabulary.layout() };
        let covers = |state: &State| space.states.iter().any(|s| embedding.covers(s, state));
        let covered = |state: &State| {
            covers(state) || roots.is_some_and(|r| without_some(concrete, state, r).iter().any(covers))
        };
        if let Some(at) =
            runs.states.iter().position(|state| passing(concrete, model, state).is_none() && !covered(state))
        {
            let way = runs.way(at).into_iter().map(|(s, a)| runs.arrows[s][a].step.clone());
            uncovered = Some(Box::new(Uncovered { state: runs.states[at].clone(), steps: way.collect() }));
        }
        uncovered.is_some()
    });
    uncovered.map_or(Ok(checked), Err)
}

/// The state without some of those that cannot be reached, in every way.
fn without_some(concrete: &Concrete<'_>, state: &State, roots: &Roots) -> Vec<State> {
    let reached = concrete.reached(state, roots);
    let lost: Vec<usize> = (0..state.individuals).filter(|u| !reached.contains(u)).collect();
    let one = |kept: u32| {
        let stays = |u: &usize| lost.iter().position(|l| l == u).is_none_or(|at| kept >> at & 1 == 1);
        let mut picked = concrete.picked(state, &(0..state.individuals).filter(stays).collect::<Vec<_>>());
        concrete.derive(&mut picked);
        picked
    };
    (0..(1_u32 << lost.len()) - 1).map(one).collect()
}

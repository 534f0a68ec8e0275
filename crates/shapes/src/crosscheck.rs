//! Cross-check: every concrete state with few individuals must be one that some abstract state stands for.

use crate::concrete::{Concrete, State, Step};
use crate::concretize::{Concretizer, populations};
use crate::embed::Embedding;
use crate::model::{Model, Prepared};
use crate::runs::{Bounds, Runs, runs};
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
    let concrete = Concrete::new(&prepared.vocabulary);
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
        let mut found = runs(&concrete, &model.actions, &initial, bounds, &mut |_, _| false);
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
    each_population(model, prepared, most, bounds, &mut |concrete, runs| {
        checked.populations += 1;
        checked.complete += usize::from(runs.complete);
        checked.states += runs.states.len();
        let embedding = Embedding { concrete, layout: prepared.vocabulary.layout() };
        let covered = |state: &State| space.states.iter().any(|s| embedding.covers(s, state));
        if let Some(at) = runs.states.iter().position(|state| !covered(state)) {
            let way = runs.way(at).into_iter().map(|(s, a)| runs.arrows[s][a].step.clone());
            uncovered = Some(Box::new(Uncovered { state: runs.states[at].clone(), steps: way.collect() }));
        }
        uncovered.is_some()
    });
    uncovered.map_or(Ok(checked), Err)
}

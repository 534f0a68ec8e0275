//! Cross-check: every concrete state with few individuals must be one that some abstract state
//! stands for.

use crate::abstracted::Space;
use crate::concrete::{Bounds, Concrete, Runs, State, Step, runs};
use crate::concretize::{Concretizer, populations};
use crate::prepared::Prepared;
use structures::embed::Embedding;
use structures::formula::Formula;
use structures::model::{Model, Roots};
use structures::reference::Meaning;
use structures::structure::Structure;

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Concrete states, over all populations.
    pub states: usize,
    /// How many numbers of individuals were tried.
    pub populations: usize,
    /// Populations of which everything reachable was looked at.
    pub complete: usize,
}

/// A concrete state that no abstract state stands for, and how it is reached: a bug of ours, or a
/// violated constraint.
#[derive(Clone, Debug)]
pub struct Uncovered {
    /// The state that is not represented.
    pub state: State,
    /// From an initial state to it.
    pub steps: Vec<Step>,
}

/// Concrete runs from every initial structure, for every population of at most `most` individuals
/// behind summary nodes. `visit` gets the runs of each and may end it.
pub fn each_population(
    model: &Model,
    prepared: &Prepared,
    most: usize,
    bounds: Bounds,
    visit: &mut dyn FnMut(&Runs<'_>) -> bool,
) {
    Populations::new(model, prepared, most, bounds).each(&mut |_, _| false, visit);
}

/// What is looked at in concrete runs.
pub struct Populations<'a> {
    /// The description.
    pub model: &'a Model,
    /// The same, made ready for abstract steps.
    pub prepared: &'a Prepared,
    /// At most this many individuals behind summary nodes.
    pub most: usize,
    /// Limits of the search of each population.
    pub bounds: Bounds,
    /// Closed formulas: the propositions of infinite runs.
    pub letters: &'a [Formula],
}

impl<'a> Populations<'a> {
    /// Without propositions.
    pub fn new(model: &'a Model, prepared: &'a Prepared, most: usize, bounds: Bounds) -> Populations<'a> {
        Populations { model, prepared, most, bounds, letters: &[] }
    }

    /// The runs of every population, the smallest first; those of one end at the first state at
    /// which `stop` says so.
    pub fn each(
        &self,
        stop: &mut dyn FnMut(&Runs<'_>, usize) -> bool,
        visit: &mut dyn FnMut(&Runs<'_>) -> bool,
    ) {
        let Populations { model, prepared, .. } = *self;
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
            let sizes = populations(summaries, self.most.max(summaries));
            cases.extend(sizes.into_iter().map(|sizes| (at, sizes)));
        }
        cases.sort_by_key(|(at, sizes)| (sizes.iter().sum::<usize>(), *at));
        for (at, sizes) in cases {
            let (initial, all) = concretizer.states(&prepared.initial[at], &sizes);
            let meaning = Meaning::new(model, concrete.clone(), initial, self.letters);
            let mut recorded = runs(&meaning, self.bounds, None, &mut |runs, state, _| stop(runs, state));
            recorded.report.cut |= !all;
            if visit(&Runs { meaning: &meaning, recorded: &recorded }) {
                return;
            }
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
    // Abstract states forget who surely cannot be reached; concrete ones here forget none.
    let roots = model.roots.as_ref().filter(|_| model.collects);
    let model = &Model { collects: false, ..model.clone() };
    let abstracted: Vec<Structure> = space.states().collect();
    each_population(model, prepared, most, bounds, &mut |runs| {
        checked.populations += 1;
        checked.complete += usize::from(runs.complete());
        checked.states += runs.len();
        let concrete = runs.concrete();
        let embedding = Embedding { concrete, layout: prepared.vocabulary.layout() };
        let covers = |state: &State| abstracted.iter().any(|s| embedding.covers(s, state));
        let covered = |state: &State| {
            covers(state) || roots.is_some_and(|r| without_some(concrete, state, r).iter().any(covers))
        };
        let open = |state: &State| runs.meaning.transient(state).is_none() && !covered(state);
        let found = runs.states().enumerate().find(|(_, state)| open(state));
        uncovered = found.map(|(at, state)| Box::new(Uncovered { state, steps: runs.steps(at) }));
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

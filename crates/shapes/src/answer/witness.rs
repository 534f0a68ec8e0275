//! Concrete runs for what may be violated: the fewest individuals first, each run taken again step
//! by step.

use super::races::complete;
use super::states::{Asking, Shared};
use super::{Kind, Witness};
use crate::concrete::{Concrete, Edge, Runs, State, Step};
use crate::crosscheck::Populations;
use crate::prepared::Prepared;
use explore::recorded::{Lasso, Noted, accepted};
use logic::automata::Automaton;
use space::{Ending, Fault, Start};
use std::cell::RefCell;
use structures::formula::{Formula, not};
use structures::model::Claim;
use structures::reference::requirements;

/// How far concrete runs were tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempt {
    pub(super) states: usize,
    /// All runs that begin with up to this many individuals were looked at.
    pub(super) complete: Option<usize>,
    cut: bool,
}

impl Attempt {
    /// Populations come in the order of their sizes.
    fn add(&mut self, runs: &Runs<'_>) {
        self.states += runs.len();
        self.cut |= !runs.complete();
        let size = runs.recorded.initial.iter().map(|s| runs.state(*s as usize).individuals).max();
        match (self.cut, size) {
            (false, Some(size)) => self.complete = Some(self.complete.map_or(size, |c| c.max(size))),
            // Others of this size may have been looked at before.
            (true, Some(size)) => {
                self.complete = self.complete.map(|c| c.min(size.saturating_sub(1))).filter(|c| *c > 0)
            }
            (_, None) => {}
        }
    }
}

impl Asking<'_, '_> {
    /// For each of some properties of states, a shortest concrete run to a bad state, with few
    /// individuals.
    pub(super) fn concrete_states(&self, asked: &[(String, Kind)]) -> (Vec<Option<Witness>>, Attempt) {
        let mut attempt = Attempt::default();
        let error = |a: &Edge| self.model.actions[a.action].error.clone();
        let broken = |name: &str| {
            let claims = self.model.properties.iter().filter(|p| p.name == name).map(|p| &p.claim);
            let bad = |c: &Claim| match c {
                Claim::Invariant(f) => Some(not(f.clone())),
                Claim::Race { bad, .. } => Some(bad.clone()),
                _ => None,
            };
            claims.into_iter().find_map(bad)
        };
        let broken: Vec<Option<Formula>> = asked.iter().map(|(name, _)| broken(name)).collect();
        let holds = |runs: &Runs<'_>, at: usize, f: Option<&Formula>| {
            f.is_some_and(|f| runs.concrete().holds(&runs.state(at), f))
        };
        // What is wrong with a state, or with a step from it.
        let wrong = |runs: &Runs<'_>, at: usize, property: usize| match asked[property].1 {
            Kind::Deadlock => {
                let dead = runs.meaning.is_deadlock(&runs.state(at));
                dead.then(|| "no thread can move, and one is not at a valid end".to_string())
            }
            Kind::Invariant => {
                let breaks = holds(runs, at, broken[property].as_ref());
                breaks.then(|| format!("the invariant `{}` does not hold", asked[property].0))
            }
            Kind::Race => {
                let races = holds(runs, at, broken[property].as_ref());
                races.then(|| format!("data {}", asked[property].0))
            }
            _ => runs.edges(at).find_map(|edge| error(&edge)),
        };
        let bad: RefCell<Vec<Option<usize>>> = RefCell::new(vec![None; asked.len()]);
        let found: RefCell<Vec<Option<Witness>>> = RefCell::new(vec![None; asked.len()]);
        let stop = &mut |runs: &Runs<'_>, at: usize| {
            let mut bad = bad.borrow_mut();
            for (property, bad) in bad.iter_mut().enumerate() {
                if bad.is_none() && wrong(runs, at, property).is_some() {
                    *bad = Some(at);
                }
            }
            let found = found.borrow();
            let settled = |n: usize| bad[n].is_some() || found[n].is_some();
            // One data race is enough, unless all are listed.
            let is_race = |n: usize| asked[n].1 == Kind::Race && !self.request.all_races;
            let raced = (0..asked.len()).any(|n| is_race(n) && settled(n));
            (0..asked.len()).all(|n| settled(n) || raced && is_race(n)) || !self.goes_on()
        };
        self.populations(&self.prepared, &[]).each(stop, &mut |runs| {
            attempt.add(runs);
            let mut found = found.borrow_mut();
            for (property, bad) in bad.borrow_mut().iter_mut().enumerate() {
                let Some(at) = bad.take().filter(|_| found[property].is_none()) else { continue };
                let Some(message) = wrong(runs, at, property) else { continue };
                let fails = asked[property].1 == Kind::Error;
                let last = runs.edges(at).position(|a| fails && error(&a).is_some());
                let (name, kind) = &asked[property];
                let run = replay(runs, at, last).map(|taken| taken.witness(runs.concrete(), *kind, message));
                found[property] = match kind {
                    Kind::Race => run.and_then(|run| complete(self.model, runs.concrete(), name, run)),
                    _ => run,
                };
            }
            found.iter().all(Option::is_some) || !self.goes_on()
        });
        (found.into_inner(), attempt)
    }

    pub(super) fn concrete_state(&self, name: &str, kind: Kind) -> (Option<Witness>, Attempt) {
        let (mut runs, attempt) = self.concrete_states(&[(name.to_string(), kind)]);
        (runs.pop().flatten(), attempt)
    }

    /// A concrete infinite run that is bad, with few individuals.
    pub(super) fn concrete_lasso(
        &self,
        prepared: &Prepared,
        bad: &Automaton,
        letters: &[Formula],
    ) -> (Option<Witness>, Attempt) {
        let (mut run, mut attempt) = (None, Attempt::default());
        let populations = self.populations(prepared, letters);
        populations.each(&mut |_, _| !self.goes_on(), &mut |runs| {
            attempt.add(runs);
            let (letters, noted) = (runs.letters(), Noted::default());
            let finished = runs.finished(&letters, &noted);
            let owed = finished.requirements(&requirements(self.model));
            let found = accepted(finished, bad, &owed, &mut Shared(self.watch));
            run = found.lasso.and_then(|lasso| replay_lasso(runs, &lasso));
            run.is_some() || !self.goes_on()
        });
        (run, attempt)
    }

    fn populations<'b>(&'b self, prepared: &'b Prepared, letters: &'b [Formula]) -> Populations<'b> {
        let (most, bounds) = (self.request.individuals, self.request.bounds);
        Populations { letters, ..Populations::new(self.model, prepared, most, bounds) }
    }

    pub(super) fn goes_on(&self) -> bool {
        let progress = explore::Progress::default();
        self.watch.borrow_mut().look(&progress).is_continue()
    }
}

/// A run that grows: its states, and the steps between them.
pub(super) struct Taken {
    pub(super) states: Vec<State>,
    pub(super) steps: Vec<Step>,
}

impl Taken {
    pub(super) fn new(first: State) -> Taken {
        Taken { states: vec![first], steps: Vec::new() }
    }

    /// The run, as bad as its last state or step is. It is a shortest one.
    pub(super) fn witness(self, c: &Concrete<'_>, kind: Kind, message: String) -> Witness {
        let last = self.steps.last().map_or(0, |step| step.action as u32);
        let ending = match kind {
            Kind::Deadlock => Ending::Deadlock,
            Kind::Error => Ending::Fault(Fault::Error(last)),
            _ => Ending::Prefix,
        };
        self.ending(c, ending, message)
    }

    pub(super) fn ending(self, c: &Concrete<'_>, ending: Ending, message: String) -> Witness {
        let start = Start::Text(self.states.first().map(|first| c.written(first)).unwrap_or_default());
        let run = space::Run { start, steps: self.steps.iter().map(space::Step::from).collect(), ending };
        Witness { run, message, shortest: !matches!(ending, Ending::Lasso { .. }) }
    }

    /// Adds a step. The individuals of the run are those of its first state, whatever order the
    /// state has in `runs`.
    fn take(&mut self, runs: &Runs<'_>, state: usize, edge: usize) -> Option<()> {
        let (here, c) = (self.states.last()?, runs.concrete());
        let (normal, order) = c.normal(here);
        if normal != runs.state(state) {
            return None;
        }
        let mut step = runs.edge(state, edge).step;
        step.part.values_mut().for_each(|u| *u = order[*u]);
        let next = c.step(here, &step, &runs.model().actions[step.action])?;
        self.steps.push(step);
        self.states.push(next);
        Some(())
    }
}

/// Takes a run again from its first state; `None` if that is not possible, which would be our bug.
fn replay(runs: &Runs<'_>, at: usize, last: Option<usize>) -> Option<Taken> {
    let mut edges = runs.way(at).into_iter().chain(last.map(|edge| (at, edge))).peekable();
    let first = edges.peek().map_or(at, |(state, _)| *state);
    let mut taken = Taken::new(runs.state(first));
    for (state, edge) in edges {
        taken.take(runs, state, edge)?;
    }
    Some(taken)
}

fn replay_lasso(runs: &Runs<'_>, lasso: &Lasso) -> Option<Witness> {
    let first = lasso.stem.first().or(lasso.cycle.first())?.0;
    let mut taken = Taken::new(runs.state(first));
    let edges = |part: &[(usize, Option<usize>)]| -> Vec<(usize, usize)> {
        part.iter().filter_map(|(state, edge)| Some((*state, (*edge)?))).collect()
    };
    for (state, edge) in edges(&lasso.stem) {
        taken.take(runs, state, edge)?;
    }
    let loop_start = taken.steps.len();
    // Round by round until the very individuals are back in their places.
    let back = taken.states.last()?.clone();
    for _ in 0..24 {
        for (state, edge) in edges(&lasso.cycle) {
            taken.take(runs, state, edge)?;
        }
        if *taken.states.last()? == back {
            let message = "the run violates it".to_string();
            return Some(taken.ending(runs.concrete(), Ending::Lasso { loop_start }, message));
        }
    }
    None
}

//! Concrete runs for what may be violated: the fewest individuals first, each run taken again step by step.

use super::races::complete;
use super::states::{Asking, Shared};
use super::{Kind, Run};
use crate::concrete::{Arrow, Runs};
use crate::crosscheck::Populations;
use crate::formula::{Formula, not};
use crate::model::Claim;
use crate::prepared::Prepared;
use explore::recorded::{Lasso, Noted, accepted};
use logic::automata::Automaton;
use logic::ltl::{self, semantics};
use std::cell::RefCell;
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
    /// For each of some properties of states, a shortest concrete run to a bad state, with few individuals.
    pub(super) fn concrete_states(&self, asked: &[(String, Kind)]) -> (Vec<Option<Run>>, Attempt) {
        let mut attempt = Attempt::default();
        let error = |a: &Arrow| self.model.actions[a.action].error.clone();
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
                dead.then(|| "nobody can move, and somebody is not where it may rest".to_string())
            }
            Kind::Invariant => {
                let breaks = holds(runs, at, broken[property].as_ref());
                breaks.then(|| format!("the invariant `{}` does not hold", asked[property].0))
            }
            Kind::Race => {
                let races = holds(runs, at, broken[property].as_ref());
                races.then(|| format!("data {}", asked[property].0))
            }
            _ => runs.arrows(at).find_map(|arrow| error(&arrow)),
        };
        let bad: RefCell<Vec<Option<usize>>> = RefCell::new(vec![None; asked.len()]);
        let found: RefCell<Vec<Option<Run>>> = RefCell::new(vec![None; asked.len()]);
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
                let last = runs.arrows(at).position(|a| fails && error(&a).is_some());
                let run = self.replay(runs, at, last, message);
                found[property] = match &asked[property] {
                    (name, Kind::Race) => {
                        run.and_then(|run| complete(self.model, runs.concrete(), name, run))
                    }
                    _ => run,
                };
            }
            found.iter().all(Option::is_some) || !self.goes_on()
        });
        (found.into_inner(), attempt)
    }

    pub(super) fn concrete_state(&self, name: &str, kind: Kind) -> (Option<Run>, Attempt) {
        let (mut runs, attempt) = self.concrete_states(&[(name.to_string(), kind)]);
        (runs.pop().flatten(), attempt)
    }

    /// Takes a run again from its first state; `None` if that is not possible, which would be our bug.
    fn replay(&self, runs: &Runs<'_>, at: usize, last: Option<usize>, message: String) -> Option<Run> {
        let way = runs.way(at).into_iter().chain(last.map(|arrow| (at, arrow)));
        let mut run = Run { message, shortest: true, ..Run::default() };
        let mut arrows = way.peekable();
        let first = arrows.peek().map_or(at, |(state, _)| *state);
        run.states.push(runs.state(first));
        for (state, arrow) in arrows {
            take(runs, state, arrow, &mut run)?;
        }
        Some(run)
    }

    /// A concrete infinite run that is bad, with few individuals.
    pub(super) fn concrete_lasso(
        &self,
        prepared: &Prepared,
        bad: &Automaton,
        letters: &[Formula],
        formula: Option<&ltl::Formula<usize>>,
    ) -> (Option<Run>, Attempt) {
        let (mut run, mut attempt) = (None, Attempt::default());
        let populations = self.populations(prepared, letters);
        populations.each(&mut |_, _| !self.goes_on(), &mut |runs| {
            attempt.add(runs);
            let (letters, noted) = (runs.letters(), Noted::default());
            let finished = runs.finished(&letters, &noted);
            let owed = finished.requirements(&requirements(self.model));
            let found = accepted(finished, bad, &owed, &mut Shared(self.watch));
            let Some(lasso) = found.lasso else { return !self.goes_on() };
            let word = |part: &[(usize, Option<usize>)]| part.iter().map(|(s, _)| letters[*s]).collect();
            let word = ltl::Lasso::new(word(&lasso.stem), word(&lasso.cycle));
            let holds = |f| semantics::holds(f, &word, |atom, letter| letter >> atom & 1 == 1);
            let is_bad = formula.is_none_or(|f| !holds(f));
            if is_bad {
                run = self.replay_lasso(runs, &lasso);
            }
            is_bad || !self.goes_on()
        });
        (run, attempt)
    }

    fn populations<'b>(&'b self, prepared: &'b Prepared, letters: &'b [Formula]) -> Populations<'b> {
        let (most, bounds) = (self.request.individuals, self.request.bounds);
        Populations { letters, ..Populations::new(self.model, prepared, most, bounds) }
    }

    fn replay_lasso(&self, runs: &Runs<'_>, lasso: &Lasso) -> Option<Run> {
        let first = lasso.stem.first().or(lasso.cycle.first())?.0;
        let mut run = Run { message: "the run violates it".to_string(), ..Run::default() };
        run.states.push(runs.state(first));
        for (state, arrow) in &lasso.stem {
            if let Some(arrow) = arrow {
                take(runs, *state, *arrow, &mut run)?;
            }
        }
        let start = run.steps.len();
        // Round by round until the very individuals are back in their places.
        let back = run.states.last()?.clone();
        for _ in 0..24 {
            for (state, arrow) in &lasso.cycle {
                if let Some(arrow) = arrow {
                    take(runs, *state, *arrow, &mut run)?;
                }
            }
            if *run.states.last()? == back {
                run.loop_start = Some(start);
                return Some(run);
            }
        }
        None
    }

    pub(super) fn goes_on(&self) -> bool {
        let progress = explore::Progress::default();
        self.watch.borrow_mut().look(&progress).is_continue()
    }
}

/// Adds a step. The individuals of the run are those of its first state, whatever order the state has in `runs`.
fn take(runs: &Runs<'_>, state: usize, arrow: usize, run: &mut Run) -> Option<()> {
    let (here, c) = (run.states.last()?, runs.concrete());
    let (normal, order) = c.normal(here);
    if normal != runs.state(state) {
        return None;
    }
    let mut step = runs.arrow(state, arrow).step;
    step.part.values_mut().for_each(|u| *u = order[*u]);
    let next = c.step(here, &step, &runs.model().actions[step.action])?;
    run.steps.push(step);
    run.states.push(next);
    Some(())
}

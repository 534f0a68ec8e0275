//! All reachable states, breadth-first, up to a limit.

use super::{CONSTRAINED, Question, words};
use crate::watch::Watcher;
use explore::{Stop, Watch};
use std::collections::HashMap;
use std::ops::ControlFlow;
use system::fts::evaluate::holds;
use system::fts::step::{self, Given, State};
use system::fts::{Expr, Fts};

#[derive(Debug, Default)]
pub(super) struct Reached {
    pub(super) states: Vec<State>,
    pub(super) initial: usize,
    /// Distinct steps between states, without idling.
    pub(super) edges: u64,
    pub(super) depth: u64,
    pub(super) stopped: Option<Stop>,
    /// Whether a state was not entered because it breaks an invariant.
    constrained: bool,
    /// Why a state could not be left.
    pub(super) error: Option<String>,
    parents: Vec<Option<usize>>,
}

impl Reached {
    pub(super) fn why_incomplete(&self) -> Option<String> {
        let stopped = || self.stopped.map(|stop| words(stop).to_string());
        let constrained = || self.constrained.then(|| CONSTRAINED.to_string());
        self.error.clone().or_else(stopped).or_else(constrained)
    }

    /// The states on a shortest way to one.
    pub(super) fn way_to(&self, at: usize) -> Vec<State> {
        let ways = std::iter::successors(Some(at), |at| self.parents[*at]);
        let mut states: Vec<State> = ways.map(|at| self.states[at].clone()).collect();
        states.reverse();
        states
    }

    /// Those of some states that may be entered.
    fn enter(
        &mut self,
        states: Vec<State>,
        may: impl Fn(&State) -> Result<bool, String>,
    ) -> Result<Vec<State>, String> {
        let before = states.len();
        let kept = states.into_iter().map(|s| Ok(may(&s)?.then_some(s)));
        let kept: Vec<State> = kept.filter_map(Result::transpose).collect::<Result<_, String>>()?;
        self.constrained |= kept.len() < before;
        Ok(kept)
    }

    /// A rough count of bytes.
    pub(super) fn memory(&self) -> u64 {
        let width = self.states.first().map_or(0, |s| s.len() * 32 + 64);
        (self.states.len() * width) as u64
    }
}

pub(super) fn reach(question: &Question<'_>, limit: u64, watcher: &mut Watcher<'_>) -> Reached {
    let Question { given, invariants, .. } = question;
    let fts = &question.source.fts;
    let mut reached = Reached::default();
    let initial = match step::initial(fts, given) {
        // Nothing would be violated, for the wrong reason.
        Ok(initial) if initial.is_empty() => {
            return Reached { error: Some("no state is initial".to_string()), ..reached };
        }
        Ok(initial) => initial,
        Err(error) => return Reached { error: Some(with_help(&error)), ..reached },
    };
    let initial = match reached.enter(initial, |state| keeps(fts, given, invariants, state)) {
        Ok(initial) => initial,
        Err(error) => return Reached { error: Some(error), ..reached },
    };
    let mut ids: HashMap<State, usize> = HashMap::new();
    let mut depths = Vec::new();
    reached.initial = initial.len();
    for state in initial {
        ids.insert(state.clone(), reached.states.len());
        reached.states.push(state);
        reached.parents.push(None);
        depths.push(0u64);
    }
    let mut at = 0;
    while at < reached.states.len() {
        let next = match step::successors(fts, given, &reached.states[at]) {
            Ok(next) => next,
            Err(error) => {
                reached.error = Some(error);
                return reached;
            }
        };
        let mut targets: Vec<State> = next.into_iter().map(|(_, state)| state).collect();
        targets.sort();
        targets.dedup();
        let targets = match reached.enter(targets, |state| keeps(fts, given, invariants, state)) {
            Ok(targets) => targets,
            Err(error) => {
                reached.error = Some(error);
                return reached;
            }
        };
        for state in targets {
            reached.edges += 1;
            if ids.contains_key(&state) {
                continue;
            }
            if reached.states.len() as u64 >= limit {
                reached.stopped = Some(Stop::States);
                return reached;
            }
            ids.insert(state.clone(), reached.states.len());
            reached.states.push(state);
            reached.parents.push(Some(at));
            depths.push(depths[at] + 1);
            reached.depth = reached.depth.max(depths[at] + 1);
        }
        at += 1;
        if at % 256 == 0 {
            let progress = explore::Progress {
                states: reached.states.len() as u64,
                transitions: reached.edges,
                depth: reached.depth,
                memory_bytes: reached.memory(),
                cache: None,
            };
            if let ControlFlow::Break(stop) = watcher.look(&progress) {
                reached.stopped = Some(stop);
                return reached;
            }
        }
    }
    reached
}

/// Whether a state keeps to invariants.
pub(super) fn keeps(fts: &Fts, given: &Given, invariants: &[Expr], state: &State) -> Result<bool, String> {
    let within = step::In { fts, given, state, extra: Vec::new() };
    for invariant in invariants {
        match holds(invariant, &within) {
            Some(true) => {}
            Some(false) => return Ok(false),
            None => return Err(format!("`{invariant}` cannot be evaluated")),
        }
    }
    Ok(true)
}

fn with_help(error: &str) -> String {
    format!("{error}; give inputs and constants a value: -D NAME=VALUE")
}

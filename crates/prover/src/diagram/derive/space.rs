//! The states of an abstraction, and the steps between them, without what a step did to numbers:
//! that is a label of the step.

use crate::abstraction::Abstracted;
use crate::discharge::Judge;
use crate::rules::NotApplicable;
use logic::fol::{Term, Value, holds};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use system::fts::step::{In, State, Valuation, initial, successors};
use system::fts::{Fairness, Mode};

/// Abstractions with more states get no diagram: it could not be read.
const STATES: usize = 2_000;

/// The location of each thread, then a truth value for each assertion of the basis.
pub(super) type Point = Vec<i64>;

/// A step to another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    pub(super) to: usize,
    /// The transition that is taken.
    pub(super) by: usize,
    /// The numbers that it makes smaller, as a set.
    pub(super) lowers: u64,
    /// The numbers that it makes larger.
    pub(super) raises: u64,
}

/// The reachable states of an abstraction.
pub(super) struct Space<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) made: &'a Abstracted,
    pub(super) points: Vec<Point>,
    pub(super) initial: Vec<usize>,
    /// From each state.
    pub(super) steps: Vec<Vec<Step>>,
    states: Vec<State>,
}

impl<'a> Space<'a> {
    /// All that can be reached.
    pub(super) fn of(judge: &'a Judge<'a>, made: &'a Abstracted) -> Result<Space<'a>, NotApplicable> {
        let given = Valuation::new();
        let refused = |why: space::Undefined| NotApplicable(why.0);
        let mut found = Space {
            judge,
            made,
            points: Vec::new(),
            initial: Vec::new(),
            steps: Vec::new(),
            states: Vec::new(),
        };
        let mut known: BTreeMap<State, usize> = BTreeMap::new();
        for state in initial(&made.fts, &given).map_err(refused)? {
            let at = found.number(&mut known, state)?;
            if !found.initial.contains(&at) {
                found.initial.push(at);
            }
        }
        let mut at = 0;
        while at < found.states.len() {
            let mut steps = Vec::new();
            for (taken, next) in successors(&made.fts, &given, &found.states[at]).map_err(refused)? {
                let (lowers, raises) = found.moved(&next);
                let to = found.number(&mut known, next)?;
                steps.push(Step { to, by: taken.transition, lowers, raises });
            }
            // Idling is not asked about: every node allows it.
            steps.retain(|step| made.fts.transitions[step.by].name != "Idle");
            steps.sort_unstable();
            steps.dedup();
            found.steps.push(steps);
            at += 1;
        }
        Ok(found)
    }

    fn number(&mut self, known: &mut BTreeMap<State, usize>, state: State) -> Result<usize, NotApplicable> {
        let kept = self.kept();
        let (mut state, mut point) = (state, Point::new());
        state[kept..].fill(Value::Bool(false));
        for value in &state[..kept] {
            let number = match value {
                Value::Bool(b) => Some(i64::from(*b)),
                value => value.as_int().and_then(ToPrimitive::to_i64),
            };
            point.push(number.ok_or_else(|| NotApplicable("a location is not a number".to_string()))?);
        }
        if let Some(at) = known.get(&state) {
            return Ok(*at);
        }
        if self.states.len() == STATES {
            return Err(NotApplicable(format!("the abstraction has more than {STATES} states")));
        }
        known.insert(state.clone(), self.states.len());
        self.states.push(state);
        self.points.push(point);
        Ok(self.states.len() - 1)
    }

    /// How many variables are not about the last step.
    pub(super) fn kept(&self) -> usize {
        self.made.fts.variables.len() - 2 * self.made.watched.len()
    }

    /// How many of these are locations.
    pub(super) fn threads(&self) -> usize {
        self.made.fts.variables.iter().filter(|v| v.mode == Mode::Control).count()
    }

    /// What the step to a state made smaller, and what larger.
    fn moved(&self, state: &State) -> (u64, u64) {
        let flags = &state[self.kept()..];
        let set = |which: usize| -> u64 {
            let of = flags.iter().skip(which).step_by(2).enumerate();
            of.map(|(at, value)| u64::from(*value == Value::Bool(true)) << at).sum()
        };
        (set(0), set(1))
    }

    /// The states where an abstract assertion holds.
    pub(super) fn where_holds(&self, e: &Term) -> Result<Vec<bool>, NotApplicable> {
        let given = Valuation::new();
        let one = |state: &State| {
            let within = In { fts: &self.made.fts, given: &given, state, extra: Vec::new() };
            holds(e, &within).ok_or_else(|| NotApplicable(format!("`{e}` has no value in the abstraction")))
        };
        self.states.iter().map(one).collect()
    }

    /// Whether a transition can be taken in a state.
    pub(super) fn enabled(&self, state: usize, by: usize) -> bool {
        self.steps[state].iter().any(|step| step.by == by)
    }

    /// The transitions that are treated fairly, the just ones first.
    pub(super) fn fair(&self) -> Vec<usize> {
        let of = |fairness: Fairness| {
            let all = self.made.fts.transitions.iter().enumerate();
            all.filter(move |(_, t)| t.fairness == fairness).map(|(at, _)| at)
        };
        of(Fairness::Weak).chain(of(Fairness::Strong)).collect()
    }

    pub(super) fn is_compassionate(&self, by: usize) -> bool {
        self.made.fts.transitions[by].fairness == Fairness::Strong
    }

    /// All states on paths from some states that end where a goal is reached; no goal among them.
    pub(super) fn until(&self, from: impl Iterator<Item = usize>, goal: &[bool]) -> Vec<usize> {
        let mut seen = vec![false; self.points.len()];
        let mut open: Vec<usize> = from.filter(|at| !goal[*at]).collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(self.steps[at].iter().map(|s| s.to).filter(|to| !goal[*to]));
            }
        }
        (0..seen.len()).filter(|at| seen[*at]).collect()
    }
}

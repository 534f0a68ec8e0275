//! Everything reachable, by the reference stepper and a plain loop: no packing, no hashing of our
//! own, no merging.
//!
//! A visible state is one in which no process has control. From a visible state everything inside
//! atomic sequences is looked at; the paths through them are counted, unless one comes back to
//! where it was and there is no end to them.

use std::collections::{BTreeSet, HashMap, VecDeque};
use system::{Fault, Move, ProcessTypeId, Reference, State, System, TransitionId};

/// A fault and the transition it happens in (none in a `provided` clause).
pub type Place = (Fault, ProcessTypeId, Option<TransitionId>);

/// What is reachable.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reach {
    pub states: usize,
    /// Paths between visible states, and one for the initial state.
    pub transitions: usize,
    pub deadlocks: usize,
    /// Visible states out of which an assertion fails, or a fatal fault happens.
    pub assertions: usize,
    pub faults: usize,
    pub places: BTreeSet<Place>,
    /// By process type: the transitions that some move without fatal fault executes.
    pub executed: BTreeSet<(ProcessTypeId, TransitionId)>,
    /// Some atomic sequence need not end.
    pub endless: bool,
}

struct Search<'a> {
    system: &'a System,
    reference: Reference<'a>,
    keeps_last: bool,
    reach: Reach,
}

/// What is reachable, if that are no more than `limit` states. `text` is the model's, to see what
/// it asks for.
pub fn reach(system: &System, text: &str, limit: usize) -> Option<Result<Reach, Fault>> {
    let reference = Reference::new(system);
    let keeps_last = outside_of_formulas(text).contains("_last");
    let mut search = Search { system, reference, keeps_last, reach: Reach::default() };
    let initial = match reference.initial() {
        Ok(initial) => initial,
        Err(fault) => return Some(Err(fault)),
    };
    let mut known = HashMap::from([(search.key(&initial), ())]);
    let mut queue = VecDeque::from([initial]);
    search.reach.transitions = 1;
    while let Some(state) = queue.pop_front() {
        if known.len() > limit {
            return None;
        }
        for next in search.successors(&state) {
            if known.insert(search.key(&next), ()).is_none() {
                queue.push_back(next);
            }
        }
    }
    search.reach.states = known.len();
    Some(Ok(search.reach))
}

/// A model's text without its comments and without lines of formulas: what its processes ask for.
fn outside_of_formulas(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_string();
    let bare = parts.fold(first, |bare, part| bare + part.split_once("*/").map_or("", |(_, rest)| rest));
    bare.lines().filter(|line| !line.trim_start().starts_with("ltl ")).collect::<Vec<_>>().join("\n")
}

impl Search<'_> {
    /// What tells states apart: not who moved last, unless asked for.
    fn key(&self, state: &State) -> State {
        let mut key = state.clone();
        if !self.keeps_last {
            key.last = 0;
        }
        key
    }

    /// The visible states one path away; adds the number of paths.
    fn successors(&mut self, state: &State) -> Vec<State> {
        let inside = self.inside(state);
        if inside[0].1.is_empty() && !state.is_valid_end(self.system) {
            self.reach.deadlocks += 1;
        }
        let moves = || inside.iter().flat_map(|(_, moves)| moves);
        self.reach.assertions += usize::from(moves().any(|m| m.fault == Some(Fault::Assertion)));
        self.reach.faults += usize::from(moves().any(|m| m.fault.is_some_and(Fault::is_fatal)));
        inside.iter().for_each(|(at, moves)| moves.iter().for_each(|m| self.note(at, m)));
        match paths(&inside, 0, &mut vec![None; inside.len()], &mut Vec::new()) {
            Some(paths) => self.reach.transitions += paths,
            None => self.reach.endless = true,
        }
        moves().filter_map(|m| m.next.clone()).filter(|next| next.control.is_none()).collect()
    }

    /// The state and all states inside atomic sequences that it leads to, with their moves.
    fn inside(&self, state: &State) -> Vec<(State, Vec<Move>)> {
        let mut inside = vec![(state.clone(), self.reference.moves(state))];
        let mut next = 0;
        while next < inside.len() {
            for after in inside[next].1.clone().into_iter().filter_map(|m| m.next) {
                if after.control.is_some() && !inside.iter().any(|(known, _)| *known == after) {
                    let moves = self.reference.moves(&after);
                    inside.push((after, moves));
                }
            }
            next += 1;
        }
        inside
    }

    fn note(&mut self, state: &State, taken: &Move) {
        let step = &taken.step;
        let process_type = |pid: usize| state.processes[pid].process_type;
        let last = step.partner.as_ref().unwrap_or(&(step.actor, Vec::new())).clone();
        let path = if step.partner.is_some() { &last.1 } else { &step.path };
        if let Some(fault) = taken.fault {
            self.reach.places.insert((fault, process_type(last.0), path.last().copied()));
        }
        if taken.next.is_some() {
            let own = step.path.iter().map(|t| (process_type(step.actor), *t));
            let partners =
                step.partner.iter().flat_map(|(p, path)| path.iter().map(|t| (process_type(*p), *t)));
            self.reach.executed.extend(own.chain(partners));
        }
    }
}

/// How many paths lead from the `at`-th state to visible ones; none if there is no end to them.
fn paths(
    inside: &[(State, Vec<Move>)],
    at: usize,
    known: &mut Vec<Option<usize>>,
    way: &mut Vec<usize>,
) -> Option<usize> {
    if way.contains(&at) {
        return None;
    }
    if let Some(count) = known[at] {
        return Some(count);
    }
    way.push(at);
    let mut count = 0;
    for next in inside[at].1.iter().filter_map(|m| m.next.as_ref()) {
        count += match next.control {
            None => 1,
            Some(_) => paths(inside, inside.iter().position(|(s, _)| s == next)?, known, way)?,
        };
    }
    way.pop();
    known[at] = Some(count);
    Some(count)
}

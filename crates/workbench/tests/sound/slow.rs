//! Everything reachable, by the reference stepper and a plain loop: no packing, no hashing of our own, no merging.
//!
//! A visible state is one in which nobody has control. From a visible state every path through atomic sequences is
//! followed to the next visible states; a path that comes back to a state it went through is an atomic sequence without
//! end and is cut there.

use std::collections::{BTreeSet, HashMap, VecDeque};
use system::{Fault, Move, Reference, State, System, TemplateId, TransitionId};

/// A fault and the transition it happens in (none in a `provided` clause).
pub type Place = (Fault, TemplateId, Option<TransitionId>);

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
    /// By template: the transitions that some move without fatal fault executes.
    pub executed: BTreeSet<(TemplateId, TransitionId)>,
    /// Some atomic sequence need not end.
    pub endless: bool,
}

struct Search<'a> {
    system: &'a System,
    reference: Reference<'a>,
    keeps_last: bool,
    reach: Reach,
}

/// What is reachable, if that are no more than `limit` states. `text` is the model's, to see what it asks for.
pub fn reach(system: &System, text: &str, limit: usize) -> Option<Result<Reach, Fault>> {
    let reference = Reference::new(system);
    let mut search =
        Search { system, reference, keeps_last: text.contains("_last"), reach: Reach::default() };
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
            search.reach.transitions += 1;
            if known.insert(search.key(&next), ()).is_none() {
                queue.push_back(next);
            }
        }
    }
    search.reach.states = known.len();
    Some(Ok(search.reach))
}

impl Search<'_> {
    /// What tells states apart: not who moved last, if nobody asks, and not what is hidden.
    fn key(&self, state: &State) -> State {
        let mut key = state.clone();
        if !self.keeps_last {
            key.last = 0;
        }
        for (object, value) in self.system.globals.iter().zip(&mut key.globals) {
            if object.hidden {
                *value = system::Value::Parts(Vec::new());
            }
        }
        key
    }

    /// The visible states one path away.
    fn successors(&mut self, state: &State) -> Vec<State> {
        let moves = self.reference.moves(state);
        if moves.is_empty() && !state.is_valid_end(self.system) {
            self.reach.deadlocks += 1;
        }
        let (mut failed, mut fatal, mut found) = (false, false, Vec::new());
        let mut pending: Vec<(State, Vec<State>)> = vec![(state.clone(), Vec::new())];
        while let Some((at, way)) = pending.pop() {
            for next in self.reference.moves(&at) {
                failed |= next.fault == Some(Fault::Assertion);
                fatal |= next.fault.is_some_and(Fault::is_fatal);
                self.note(&at, &next);
                let Some(after) = next.next else { continue };
                if after.control.is_none() {
                    found.push(after);
                } else if way.contains(&after) {
                    self.reach.endless = true;
                } else {
                    let way = way.iter().cloned().chain([after.clone()]).collect();
                    pending.push((after, way));
                }
            }
        }
        self.reach.assertions += usize::from(failed);
        self.reach.faults += usize::from(fatal);
        found
    }

    fn note(&mut self, state: &State, taken: &Move) {
        let step = &taken.step;
        let template = |pid: usize| state.processes[pid].template;
        let last = step.partner.as_ref().unwrap_or(&(step.process, Vec::new())).clone();
        let path = if step.partner.is_some() { &last.1 } else { &step.path };
        if let Some(fault) = taken.fault {
            self.reach.places.insert((fault, template(last.0), path.last().copied()));
        }
        if taken.next.is_some() {
            let own = step.path.iter().map(|t| (template(step.process), *t));
            let partners = step.partner.iter().flat_map(|(p, path)| path.iter().map(|t| (template(*p), *t)));
            self.reach.executed.extend(own.chain(partners));
        }
    }
}

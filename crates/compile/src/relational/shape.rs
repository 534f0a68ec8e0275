//! Which process types may live in which slot: what a state has room for.
//!
//! A relation has a fixed set of variables, but processes are created. The shape says which
//! instances there is room for. It is built from states that were seen: it need not be complete,
//! because a step that needs more room leads to a state of its own ([`super::BEYOND`]), which must
//! be shown to be unreachable, or else extends the shape.

use super::refuse::{NotRelational, Reason};
use std::collections::{BTreeSet, HashSet, VecDeque};
use system::{Move, Operation, ProcessTypeId, Reference, State, System};

/// No more processes than this have a slot.
pub const MAX_SLOTS: usize = 24;

/// No more states than this are looked at for a first shape.
const LOOK: usize = 400;

/// No process is created after this many steps of the first runs, as far as they are looked at.
const WALK: usize = 400;

/// Which processes a state may have, slot by slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// By slot: the types that may live there.
    pub slots: Vec<BTreeSet<ProcessTypeId>>,
}

impl Shape {
    /// The shape of some of the first states, breadth first and along one long run.
    pub fn of(system: &System) -> Result<Shape, NotRelational> {
        let reference = Reference::new(system);
        let fault = |fault: system::Fault| NotRelational::new(Reason::Initial(fault.to_string()));
        let first = reference.initial().map_err(fault)?;
        let mut shape = Shape::default();
        shape.learn(&first);
        let mut seen = HashSet::from([first.clone()]);
        let mut open = VecDeque::from([first.clone()]);
        while let Some(state) = open.pop_front().filter(|_| seen.len() < LOOK) {
            for m in reference.moves(&state) {
                shape.learn_move(system, &state, &m);
                if let Some(next) = m.next.filter(|next| seen.insert(next.clone())) {
                    open.push_back(next);
                }
            }
        }
        for salt in 0..4 {
            shape.walk(&reference, first.clone(), salt);
        }
        shape.checked()
    }

    fn walk(&mut self, reference: &Reference<'_>, first: State, salt: usize) {
        let mut state = first;
        for number in 0..WALK {
            let moves = reference.moves(&state);
            moves.iter().for_each(|m| self.learn_move(reference.system, &state, m));
            let next: Vec<State> = moves.into_iter().filter_map(|m| m.next).collect();
            if next.is_empty() {
                return;
            }
            state = next[(number * (2 * salt + 1) + salt) % next.len()].clone();
        }
    }

    /// Makes room for what a move leads to, or for the process that it has a fault in
    /// creating.
    pub fn learn_move(&mut self, system: &System, from: &State, m: &Move) {
        if let Some(next) = &m.next {
            return self.learn(next);
        }
        let Some(process) = from.processes.get(m.step.actor) else { return };
        let transitions = &system.process_types[process.process_type].transitions;
        let commands = m.step.path.iter().filter_map(|t| transitions.get(*t)).flat_map(|t| &t.command);
        for (number, process_type) in commands.filter_map(Operation::starts).enumerate() {
            let slot = from.processes.len() + number;
            let missing = (slot + 1).saturating_sub(self.slots.len());
            self.slots.extend(std::iter::repeat_n(BTreeSet::new(), missing));
            self.slots[slot].insert(process_type);
        }
    }

    /// Makes room for the processes of a state.
    pub fn learn(&mut self, state: &State) {
        let missing = state.processes.len().saturating_sub(self.slots.len());
        self.slots.extend(std::iter::repeat_n(BTreeSet::new(), missing));
        for (slot, process) in self.slots.iter_mut().zip(&state.processes) {
            slot.insert(process.process_type);
        }
    }

    /// Itself, if it is small enough to be written down.
    pub fn checked(self) -> Result<Shape, NotRelational> {
        if self.slots.len() > MAX_SLOTS {
            return Err(NotRelational::new(Reason::Processes(MAX_SLOTS)));
        }
        Ok(self)
    }

    /// Whether a process of a type may live in a slot.
    pub fn has(&self, slot: usize, process_type: ProcessTypeId) -> bool {
        self.slots.get(slot).is_some_and(|types| types.contains(&process_type))
    }
}

//! A system as a [`space::Reference`]: the reference stepper, what observers see, and what fairness
//! asks.
//!
//! A fair run owes each process that it moves: one requirement for each process number.

use crate::fault::Fault;
use crate::model::MAX_PROCESSES;
use crate::property::{is_observed, letter};
use crate::reference::{Move, Reference};
use crate::state::State;
use crate::walk::reads_last;
use space::{Fairness, Requirement, Rest, Undefined};

fn undefined(fault: Fault) -> Undefined {
    Undefined(format!("a proposition is undefined: {fault}"))
}

/// The processes that take part in a step.
fn participants(step: &space::Step) -> impl Iterator<Item = usize> {
    std::iter::once(step.actor).chain(step.partner.as_ref().map(|(pid, _)| *pid))
}

impl space::Reference for Reference<'_> {
    type State = State;

    fn initial(&self) -> Result<Vec<State>, Undefined> {
        Reference::initial(self).map(|state| vec![state]).map_err(undefined)
    }

    fn no_initial(&self) -> Option<space::Fault> {
        Reference::initial(self).err().map(space::Fault::from)
    }

    fn moves(&self, state: &State) -> Result<Vec<space::Move<State>>, Undefined> {
        let one = |Move { step, next, fault, printed }| {
            let fault = fault.map(space::Fault::from);
            space::Move { step, next, fault, printed }
        };
        Ok(Reference::moves(self, state).into_iter().map(one).collect())
    }

    fn rest(&self, state: &State) -> Result<Rest, Undefined> {
        Ok(match Reference::moves(self, state).is_empty() {
            false => Rest::Enabled,
            true if state.is_valid_end(self.system) => Rest::Terminated,
            true => Rest::Deadlock,
        })
    }

    fn letter(&self, state: &State) -> Result<u64, Undefined> {
        letter(self.system, state).map_err(undefined)
    }

    fn observed(&self, state: &State) -> bool {
        is_observed(state)
    }

    fn requirements(&self) -> Result<Vec<Requirement>, Undefined> {
        let one = |pid| Requirement { name: format!("process {pid}"), strength: self.fairness };
        let processes = if self.fairness == Fairness::None { 0 } else { MAX_PROCESSES };
        Ok((0..processes).map(one).collect())
    }

    fn asks(&self, state: &State) -> Result<Vec<usize>, Undefined> {
        let moves = Reference::moves(self, state);
        Ok(moves.iter().flat_map(|m| participants(&m.step)).collect())
    }

    fn meets(&self, _: &State, m: &space::Move<State>) -> Result<Vec<usize>, Undefined> {
        Ok(participants(&m.step).collect())
    }

    /// Which process moved last counts only if the system reads it.
    fn canonical(&self, state: &State) -> State {
        let last = if reads_last(self.system) { state.last } else { 0 };
        State { last, ..state.clone() }
    }
}

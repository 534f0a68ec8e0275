//! Replaying a run: the moves that the reference stepper takes for its steps, and the states in between.

use crate::fault::Fault;
use crate::model::System;
use crate::reference::{Move, Reference};
use crate::state::State;
use crate::walk::reads_last;
use space::Step;

/// A run that the reference stepper can follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    pub initial: State,
    /// One for each step. Only the last may lead to no state.
    pub moves: Vec<Move>,
}

/// Why a run cannot be followed.
#[derive(Clone, Debug, PartialEq)]
pub enum Astray {
    /// The system has no initial state.
    NoBeginning(Fault),
    /// The state before this step (0-based) has no such move.
    NoSuchMove { step: usize },
    /// The step before this one ended the run with a fault.
    GoesOnAfter { step: usize, fault: Option<Fault> },
}

impl Replay {
    /// Follows the steps from the initial state.
    pub fn follow(system: &System, steps: &[Step]) -> Result<Replay, Astray> {
        let reference = Reference::new(system);
        let initial = reference.initial().map_err(Astray::NoBeginning)?;
        let mut replay = Replay { initial, moves: Vec::new() };
        for (number, step) in steps.iter().enumerate() {
            let Some(state) = replay.last() else {
                let fault = replay.moves.last().and_then(|m| m.fault);
                return Err(Astray::GoesOnAfter { step: number, fault });
            };
            let taken = reference.moves(state).into_iter().find(|m| m.step == *step);
            replay.moves.push(taken.ok_or(Astray::NoSuchMove { step: number })?);
        }
        Ok(replay)
    }

    /// The initial state and the state after each step (but a last step that ends in a fatal fault has none).
    pub fn states(&self) -> impl Iterator<Item = &State> {
        std::iter::once(&self.initial).chain(self.moves.iter().filter_map(|m| m.next.as_ref()))
    }

    /// The state the run ends in, unless it ends in a fatal fault.
    pub fn last(&self) -> Option<&State> {
        self.moves.last().map_or(Some(&self.initial), |m| m.next.as_ref())
    }
}

/// Whether two states are the same to the system. Who moved last counts only if somebody asks.
pub fn is_same(system: &System, a: &State, b: &State) -> bool {
    let forget = |s: &State| State { last: 0, ..s.clone() };
    if reads_last(system) { a == b } else { forget(a) == forget(b) }
}

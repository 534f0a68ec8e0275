//! What a description means, on plain values: slow, and written to be obviously right.
//!
//! A [`crate::Stepper`] is searched; a `Reference` decides. Every fast stepper is held against one,
//! and every run that is reported is executed again by one. It shares no code with the stepper that
//! found the run.

use crate::edges::Fault;
use crate::fairness::Requirement;
use crate::run::Step;
use crate::stepper::{Rest, Undefined};
use std::hash::Hash;

/// A step that is enabled, and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move<S> {
    /// What is taken.
    pub step: Step,
    /// The state it leads to; `None` if a fault ends the run.
    pub next: Option<S>,
    /// What is wrong with it.
    pub fault: Option<Fault>,
    /// Lines of output.
    pub printed: Vec<String>,
}

impl<S> Move<S> {
    /// A step without a fault or output.
    pub fn to(step: Step, next: S) -> Move<S> {
        Move { step, next: Some(next), fault: None, printed: Vec::new() }
    }
}

/// The semantics of a description.
pub trait Reference {
    /// A state, as plain values.
    type State: Clone + Eq + Hash;

    /// The initial states.
    fn initial(&self) -> Result<Vec<Self::State>, Undefined>;

    /// The fault that keeps the description from having an initial state.
    fn no_initial(&self) -> Option<Fault> {
        None
    }

    /// Whether runs may begin here.
    fn is_initial(&self, state: &Self::State) -> Result<bool, Undefined> {
        Ok(self.initial()?.contains(state))
    }

    /// The state that is written down so; none if the text is no state.
    fn read(&self, _: &str) -> Option<Self::State> {
        None
    }

    /// Every step that is enabled, always in the same order.
    fn moves(&self, state: &Self::State) -> Result<Vec<Move<Self::State>>, Undefined>;

    /// Whether the run may stay here, besides the moves there are.
    fn rest(&self, state: &Self::State) -> Result<Rest, Undefined>;

    /// Whether an actor is where it may not end. Asked where actors keep their numbers along steps.
    fn waits(&self, _: &Self::State, _: usize) -> Result<bool, Undefined> {
        Ok(false)
    }

    /// The propositions that hold in an observed state, as bits.
    fn letter(&self, state: &Self::State) -> Result<u64, Undefined>;

    /// Whether properties of runs look at this state: not inside an atomic sequence.
    fn observed(&self, _: &Self::State) -> bool {
        true
    }

    /// What a fair run owes.
    fn requirements(&self) -> Result<Vec<Requirement>, Undefined> {
        Ok(Vec::new())
    }

    /// The numbers of the requirements that a state asks for.
    fn asks(&self, _: &Self::State) -> Result<Vec<usize>, Undefined> {
        Ok(Vec::new())
    }

    /// The numbers of the requirements that a move out of a state meets.
    fn meets(&self, _: &Self::State, _: &Move<Self::State>) -> Result<Vec<usize>, Undefined> {
        Ok(Vec::new())
    }

    /// The state as a search stores it: two states with one canonical form are the same to it.
    fn canonical(&self, state: &Self::State) -> Self::State {
        state.clone()
    }
}

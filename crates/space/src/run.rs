//! Runs: finite runs and lassos, as the steps taken from an initial state.

use crate::edges::Fault;

/// One step of one actor, or a handshake of two. Its numbers are read by the reference of the
/// description: of a system, the transitions executed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Who takes it, by number.
    pub actor: usize,
    /// One transition, or the whole path through a d_step.
    pub path: Vec<usize>,
    /// The receiver of a handshake and its transitions.
    pub partner: Option<(usize, Vec<usize>)>,
}

/// Where a run begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// In the initial state of this number.
    Number(usize),
    /// In the state that is written down here.
    Text(String),
}

/// What a run shows at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The last step has this fault.
    Fault(Fault),
    /// No step is enabled, and the run may not end here.
    Deadlock,
    /// This actor can take no step in any state that may follow, and may not end where it is.
    Blocked {
        /// Its number.
        actor: usize,
    },
    /// The run goes back to the state before step `loop_start` (0-based) and on without end. If
    /// that is after the last step, no step is enabled and the run idles there.
    Lasso {
        /// The first step of the loop.
        loop_start: usize,
    },
    /// However the run goes on, the property is broken.
    Prefix,
    /// Nothing in particular: a simulation, or a run to a state asked for.
    Open,
}

/// A run from an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where it begins.
    pub start: Start,
    /// What is taken, in order.
    pub steps: Vec<Step>,
    /// What it shows at its end.
    pub ending: Ending,
}

/// A run as the states it goes through: what is known where sets of states or formulas are computed
/// with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path<S> {
    /// The states, in order.
    pub states: Vec<S>,
    /// After the last state it goes on as from this one. Without, nothing is said of what follows.
    pub loop_start: Option<usize>,
}

impl<S> Path<S> {
    /// A finite path.
    pub fn to(states: Vec<S>) -> Path<S> {
        Path { states, loop_start: None }
    }

    /// The same path of other states.
    pub fn map<T>(self, f: impl FnMut(S) -> T) -> Path<T> {
        Path { states: self.states.into_iter().map(f).collect(), loop_start: self.loop_start }
    }
}

impl Step {
    /// No transition is taken.
    pub const IDLE: Step = Step { actor: 0, path: Vec::new(), partner: None };
}

impl Run {
    /// A run from the first initial state.
    pub fn new(steps: Vec<Step>, ending: Ending) -> Run {
        Run { start: Start::Number(0), steps, ending }
    }
}

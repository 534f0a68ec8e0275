//! Runs: finite runs and lassos, as the steps taken from an initial state.

use crate::edges::Fault;

/// One step of one actor, or a handshake of two. Its numbers are read by the reference of the description: of a system, the
/// transitions executed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
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
    /// The run goes back to the state before step `loop_start` (0-based) and on without end. If that is after the last
    /// step, no step is enabled and the run idles there.
    Lasso { loop_start: usize },
    /// However the run goes on, the property is broken.
    Prefix,
    /// Nothing in particular: a simulation, or a run to a state asked for.
    Open,
}

/// A run from an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub start: Start,
    pub steps: Vec<Step>,
    pub ending: Ending,
}

impl Run {
    /// A run from the first initial state.
    pub fn new(steps: Vec<Step>, ending: Ending) -> Run {
        Run { start: Start::Number(0), steps, ending }
    }
}

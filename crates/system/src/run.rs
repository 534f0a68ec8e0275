//! Runs: finite traces and lassos, as the steps taken from the initial state.

use crate::fault::Fault;
use crate::model::{Pid, TransitionId};

/// One move of one process, or a handshake of two.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub process: Pid,
    /// The transitions executed: one, or the whole way through a d_step.
    pub path: Vec<TransitionId>,
    /// The receiver of a handshake and its transitions.
    pub partner: Option<(Pid, Vec<TransitionId>)>,
}

/// What a run shows at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The last step has this fault.
    Fault(Fault),
    /// Nobody can move, and some process is not where it may rest.
    Deadlock,
    /// The run goes back to the state before step `loop_start` (0-based) and on for ever. If that is after the last step,
    /// nobody can move and the run rests there.
    Lasso { loop_start: usize },
    /// However the run goes on, the property is broken.
    Prefix,
    /// Nothing in particular: a simulation, or a run to a state asked for.
    Open,
}

/// A run from the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub steps: Vec<Step>,
    pub ending: Ending,
}

//! Promela's scheduling rules: how its constructs filter and group the enabled transitions of a
//! system.
//!
//! After SPIN 6.5.2's verifier (what `pan` does, which is what its users' counts mean):
//! * **tiers** render `unless` and `else`. The transitions of a point are listed in tiers, escapes
//!   first; the first tier in which something is enabled is the only one that may run. In a tier,
//!   an `otherwise` choice runs only if no choice listed before it is enabled (a receive on a
//!   rendezvous channel never is: its sender moves).
//! * **keeps**: after this transition the process is inside an atomic sequence: it alone moves as
//!   long as it can. A handshake hands control to the receiver if the receiver's transition keeps
//!   it, and ends it otherwise.
//! * **deterministic** points lie inside a d_step: the step goes on with the first enabled
//!   transition in order; none is a fault.
//! * **provided**: a process moves only while its condition holds. **priorities**: only processes
//!   of the highest priority among those that can move do move.
//! * A process that executes `Stop` waits for all younger processes to end (this one is in the
//!   operation itself).

use crate::model::{Expr, TransitionId};

/// Promela's scheduling rules for a system.
#[derive(Clone, Debug, Default)]
pub struct Scheduling {
    /// By process type.
    pub process_types: Vec<ProcessRules>,
    /// Whether only the enabled processes of the highest priority move.
    pub priorities: bool,
}

/// The rules of one process type.
#[derive(Clone, Debug, Default)]
pub struct ProcessRules {
    /// The condition under which its processes may move; none if always.
    pub provided: Option<Expr>,
    /// By control point.
    pub points: Vec<LocationRules>,
    /// By transition: whether it keeps (or takes) control, being followed inside an atomic
    /// sequence.
    pub keeps: Vec<bool>,
}

/// The rules of one location.
#[derive(Clone, Debug, Default)]
pub struct LocationRules {
    /// Transitions in order of precedence: a tier counts only if nothing before it is enabled.
    pub tiers: Vec<Tier>,
    /// Inside a d_step: left in the same step it was reached.
    pub deterministic: bool,
}

/// Transitions of equal precedence.
#[derive(Clone, Debug, Default)]
pub struct Tier {
    /// In order: an `otherwise` choice looks at those before it.
    pub choices: Vec<Choice>,
}

/// A transition out of a location.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its index in the process type.
    pub transition: TransitionId,
    /// Promela's `else`.
    pub otherwise: bool,
}

//! One run of a file of any kind, step by step: a reference with names.
//!
//! Replay, simulation and the interactive loop are written once, over [`Executor`] (see
//! `simulate`). It has an implementation for each description: [`system`] (Promela),
//! [`relation`] (SPL and FTS), [`structures`] (`.tvm` and `.java`, in the two-valued semantics),
//! [`program`].

mod heap;
mod messages;
pub mod program;
pub mod relation;
pub mod structures;
pub mod system;

use crate::failure::Failure;
use crate::recording::Recording;
use crate::report::{Ending, Report, Statement};
use crate::values::{Change, Variable};
use space::{Start, Step};

/// An enabled step, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What is executed.
    pub step: Step,
    /// Who: `P[1]`, or `P[1] -> Q[2]` for a handshake.
    pub who: String,
    /// The statements it executes.
    pub statements: Vec<Statement>,
    /// What tells it from other steps with the same statements.
    pub changes: Vec<Change>,
    /// What goes wrong if it is taken.
    pub fault: Option<String>,
}

/// What is possible at the end of the run so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// Some step is enabled.
    Enabled,
    /// Nothing is enabled, and the run may end here.
    Terminated,
    /// No step is enabled, and the run may not end here.
    Deadlock,
    /// The last step failed.
    Failed,
}

impl RunStatus {
    /// How a run ends that ends here.
    fn ending(self) -> Ending {
        match self {
            RunStatus::Failed => Ending::Fault,
            RunStatus::Enabled => Ending::Open,
            RunStatus::Terminated => Ending::End,
            RunStatus::Deadlock => Ending::Deadlock,
        }
    }
}

/// Executes runs of one subject, step by step, and reports them.
pub trait Executor {
    /// The file and its text, as recordings name them: a recording without steps.
    fn origin(&self) -> Recording;

    /// How many initial states there are to choose from.
    fn starts(&self) -> usize {
        1
    }

    /// Begins a new run.
    fn restart(&mut self, start: &Start) -> Result<(), Failure>;

    /// Where the run began, as it is written down.
    fn start(&self) -> Start {
        Start::Number(0)
    }

    /// The enabled steps, always in the same order.
    fn offers(&self) -> Vec<Offer>;

    /// Takes a step; refused if it is not enabled.
    fn take(&mut self, step: &Step) -> Result<(), Failure>;

    /// Every variable now.
    fn variables(&self) -> Vec<Variable>;

    /// What tells the state now from every other; `None` if there is no state that can be compared.
    fn identity(&self) -> Option<String> {
        None
    }

    /// What is possible after the steps so far.
    fn status(&self) -> RunStatus;

    /// Whether the run so far shows this at its end.
    fn shows(&self, ending: Ending) -> bool;

    /// The run so far. Its ending is the one given, which it shows, or what its last state says.
    fn report(&self, ending: Option<Ending>) -> Report;
}

/// A step that is not enabled.
fn not_enabled() -> Failure {
    Failure::Request("no such step is enabled here".to_string())
}

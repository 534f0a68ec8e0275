//! Why a run is a counterexample, beyond its steps: the condition that fails with its values, what
//! blocked processes wait for, the truth of a formula along the run.
//!
//! Nothing here decides anything. What is said of a run is evaluated in the states through which
//! the reference goes; what cannot be said is left out.

mod condition;
pub(crate) mod course;
mod names;
mod needs;
pub(crate) mod relation;

pub(crate) use condition::failing;
pub use course::{Course, Row};
pub(crate) use needs::{Changed, needs};

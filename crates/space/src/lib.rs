//! The waist of Everyweave: what every description offers and every engine reads.
//!
//! * [`stepper`]: packed states and the edges between them, for searches. [`edges`]: the edges out
//!   of one state.
//! * [`mod@reference`]: what a description means, on plain values; it decides about runs.
//! * [`fairness`]: requirements of runs; an edge asks for a requirement and meets it.
//! * [`run`]: finite runs and lassos, as the steps taken.

pub mod edges;
pub mod fairness;
pub mod reference;
pub mod run;
pub mod stepper;

pub use edges::{Edges, Fault, FaultAt, Label};
pub use fairness::{Fairness, Requirement};
pub use reference::{Move, Reference};
pub use run::{Ending, Path, Run, Start, Step};
pub use stepper::{Joins, Observer, Rest, Stepper, Undefined, Which};

//! Linear temporal logic with past.
//!
//! * [`formula`]: the formulas, generic in their atoms.

pub mod formula;

pub use formula::{Binary, Formula, Unary};

//! Emptiness: is there an infinite path that is accepted, and fair?
//!
//! * [`graph`]: what is searched: states in bytes, arrows with marks, and which marks make an infinite path count.

pub mod graph;

pub use graph::{Acceptance, Arrows, Graph, Lasso, Outcome, Pair};

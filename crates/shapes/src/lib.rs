//! Three-valued structures: programs with unboundedly many threads and objects.
//!
//! After Yahav, Reps and Sagiv, "LTL Model Checking for Systems with Unbounded Number of Dynamically Created Threads and Objects" (3VMC).

pub mod answer;
pub mod blur;
pub mod codes;
pub mod coerce;
pub mod concretize;
pub mod crosscheck;
pub mod difference;
pub mod evaluate;
pub mod expand;
pub mod ground;
pub mod java;
pub mod machine;
pub mod names;
pub mod obligation;
pub mod picture;
pub mod plan;
pub mod prepared;
pub mod promise;
pub mod race;
pub mod reach;
pub mod reduce;
pub mod runs;
pub mod space;
pub mod temporal;
pub mod tvm;

pub use structures::{action, concrete, constraint, embed, formula, kleene, model, structure, vocabulary};

//! Three-valued structures: programs with unboundedly many threads and objects.
//!
//! After Yahav, Reps and Sagiv, "LTL Model Checking for Systems with Unbounded Number of Dynamically Created Threads and Objects" (3VMC).

pub mod action;
pub mod answer;
pub mod blur;
pub mod canonical;
pub mod codes;
pub mod coerce;
pub mod concrete;
pub mod concretize;
pub mod constraint;
pub mod crosscheck;
pub mod difference;
pub mod embed;
pub mod evaluate;
pub mod expand;
pub mod formula;
pub mod ground;
pub mod java;
pub mod kleene;
pub mod machine;
pub mod model;
pub mod names;
pub mod obligation;
pub mod picture;
pub mod plan;
pub mod promise;
pub mod race;
pub mod reach;
pub mod reduce;
pub mod runs;
pub mod sat;
pub mod space;
pub mod structure;
pub mod temporal;
pub mod tvm;
pub mod vocabulary;

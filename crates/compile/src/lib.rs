//! Finite systems as packed bytes and bytecode: the fast [`space::Stepper`].
//!
//! * [`layout`]: where each object lives in a packed state; refuses what is not finite.
//! * `emit`, `transition`: terms and transitions to the bytecode of `code`; `constant`: what is
//!   known at compile time.
//! * `machine`: executes bytecode on a packed state. `rules`, `enabled`: which transitions to try.
//!   `worker`: all successors of a state. [`program`]: the stepper. `selective`: what reduction
//!   asks of a packed state. [`locals`]: which local states were met.
//! * [`relation`]: fair transition systems as a stepper. [`relational`]: systems as fair transition
//!   systems.
//! * [`simplify`]: smaller systems with the same verdicts.

mod atomic;
mod channels;
mod code;
mod constant;
mod emit;
mod enabled;
pub mod layout;
pub mod locals;
mod machine;
mod pending;
mod pids;
mod place;
pub mod program;
mod record;
pub mod relation;
pub mod relational;
mod rules;
mod selective;
pub mod simplify;
mod tables;
mod transition;
mod worker;

pub use layout::NotFinite;
pub use program::Program;

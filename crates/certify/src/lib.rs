//! Re-checks what engines claim, with nothing but the reference stepper. No unsafe, no cleverness.

pub mod fts;
pub mod proof;
mod property;
mod replay;

pub use property::{NoViolation, violates};
pub use replay::{Because, Refusal, Replayed, replay};

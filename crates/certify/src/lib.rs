//! Re-checks what engines claim, with nothing but the references of descriptions. No unsafe, no
//! cleverness.

pub mod proof;
mod property;
mod replay;
mod safety;

pub use property::{Asked, NoViolation, confirms, violates};
pub use replay::{Because, Refusal, Replayed, replay, through};

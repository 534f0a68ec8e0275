//! Re-checks what engines claim, with nothing but the reference stepper. No unsafe, no cleverness.

mod replay;

pub use replay::{Because, Refusal, Replayed, replay};

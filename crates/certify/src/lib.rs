//! Re-checks what engines claim, with nothing but the references of descriptions. No unsafe, no
//! cleverness.

mod closed;
mod empty;
pub mod proof;
mod property;
mod reading;
mod replay;
mod safety;

pub use closed::{Forbidden, NotClosed, closed};
pub use empty::{NotEmpty, Numbered, Ranked, Ranking, Reason, empty};
pub use property::{Asked, NoViolation, confirms, violates};
pub use reading::{Edge, Node, Reading};
pub use replay::{Because, Refusal, Replayed, replay, through};

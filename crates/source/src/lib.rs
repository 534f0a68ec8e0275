//! Texts, spans and diagnostics.

mod span;

pub use span::{FileId, Span};

//! Texts, spans and diagnostics.
//!
//! A [`SourceMap`] holds the texts of one run, a [`Span`] points into one of them, a [`Diagnostic`]
//! says what is wrong there, and a [`CodeTable`] holds the long explanation of each diagnostic
//! code. Every language has its own table.

mod codes;
mod diagnostic;
mod render;
mod text;

pub use codes::{Code, CodeTable};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use render::{Look, render};
pub use text::{FileId, Position, SourceMap, Span, Text};

//! The Java front end.

use crate::model::Model;
use source::{Diagnostic, FileId, SourceMap, Span};

/// Reads a program; `None` if there are errors.
pub fn read(_: &SourceMap, file: FileId) -> (Option<Model>, Vec<Diagnostic>) {
    (None, vec![Diagnostic::error("E0802", Span::new(file, 0, 0), "Java is not read yet")])
}

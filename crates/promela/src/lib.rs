//! Promela text to system.
//!
//! ```
//! let mut map = source::SourceMap::new();
//! let file = map.add("door.pml", "init { byte x; x = 1 }");
//! let (model, diagnostics) = promela::read(&mut map, file, &promela::NoFiles, &[]);
//! assert!(diagnostics.is_empty());
//! let system = promela::lower::lower(&model.unwrap(), "door.pml");
//! assert_eq!(system.process_types.len(), 1);
//! ```
#![warn(missing_docs)]

#[cfg(test)]
extern crate self as promela;

/// The syntax tree, open for the printer and the oracle of the tests; not an interface.
#[doc(hidden)]
pub mod ast;
/// Names and types, open for the tests; not an interface.
#[doc(hidden)]
pub mod check;
pub mod codes;
mod lexer;
pub mod lower;
pub mod model;
mod parser;
mod preprocess;
/// Statements as text, open for the tests; not an interface.
#[doc(hidden)]
pub mod print;
mod separators;
mod walk;

use source::{Diagnostic, FileId, SourceMap};

pub use preprocess::{COMMAND_LINE, Define, Files, NoFiles, Unreadable};

/// The syntax tree of a text of `map`, and all that is wrong with it so far.
pub fn parse(
    map: &mut SourceMap,
    root: FileId,
    files: &dyn Files,
    defines: &[Define],
) -> (ast::Program, Vec<Diagnostic>) {
    parse_all(map, &[root], files, defines)
}

/// The syntax tree of several texts of `map`, one behind the other: macros of the first are known
/// in the second.
fn parse_all(
    map: &mut SourceMap,
    texts: &[FileId],
    files: &dyn Files,
    defines: &[Define],
) -> (ast::Program, Vec<Diagnostic>) {
    let (tokens, mut diagnostics) = preprocess::preprocess(map, texts, files, defines);
    let (program, mut more) = parser::parse(tokens);
    source::blame_unclosed(map, &mut more, &[('{', '}'), ('(', ')'), ('[', ']')]);
    diagnostics.extend(more);
    (program, limited(diagnostics))
}

/// The checked model of a text of `map`; none if a diagnostic is an error.
pub fn read(
    map: &mut SourceMap,
    root: FileId,
    files: &dyn Files,
    defines: &[Define],
) -> (Option<model::Model>, Vec<Diagnostic>) {
    read_all(map, &[root], files, defines)
}

/// The checked model of several texts, one behind the other.
pub fn read_all(
    map: &mut SourceMap,
    texts: &[FileId],
    files: &dyn Files,
    defines: &[Define],
) -> (Option<model::Model>, Vec<Diagnostic>) {
    let (program, mut diagnostics) = parse_all(map, texts, files, defines);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let (model, more) = check::check(&program);
    diagnostics.extend(more);
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    (good.then_some(model), limited(diagnostics))
}

/// How many errors, and how many warnings, are reported in one go.
const MAX_DIAGNOSTICS: usize = 100;

fn limited(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut left = [MAX_DIAGNOSTICS; 2];
    let mut keep = |diagnostic: &Diagnostic| {
        let left = &mut left[usize::from(diagnostic.is_error())];
        let keep = *left > 0;
        *left = left.saturating_sub(1);
        keep
    };
    diagnostics.into_iter().filter(|diagnostic| keep(diagnostic)).collect()
}

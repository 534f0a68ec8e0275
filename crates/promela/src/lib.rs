//! Promela text to system.

pub mod ast;
pub mod lexer;
pub mod parser;
pub mod preprocess;
pub mod print;
pub mod separators;
pub mod token;

use source::{Diagnostic, FileId, SourceMap};

pub use preprocess::{Define, Files, NoFiles};

/// The syntax tree of a text of `map`, and all that is wrong with it so far.
pub fn parse(
    map: &mut SourceMap,
    root: FileId,
    files: &dyn Files,
    defines: &[Define],
) -> (ast::Program, Vec<Diagnostic>) {
    let (tokens, mut diagnostics) = preprocess::preprocess(map, root, files, defines);
    let (program, more) = parser::parse(tokens);
    diagnostics.extend(more);
    (program, diagnostics)
}

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

use source::{Diagnostic, FileId, Index, Name, SourceMap, Span, Token};
use std::collections::HashMap;

pub use preprocess::{COMMAND_LINE, Define, Files, NoFiles, Unreadable, macros_among};

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
    let (tokens, mut diagnostics, _) = preprocess::preprocess(map, texts, files, defines);
    let (program, mut more, _) = parser::parse(tokens);
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

/// What an editor wants of a text that may be in the middle of a change.
#[derive(Debug)]
pub struct Reading {
    /// What the names mean, as far as the text could be read.
    pub index: Index,
    /// The formulas of the text: their names and places.
    pub formulas: Vec<(Name, Span)>,
    /// All that is wrong. Beside mistakes of the grammar, names without a meaning are reported too.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a text for an editor: by the same parser and the same checker as [`read`], but names are
/// resolved in what could be read although there are mistakes elsewhere.
pub fn read_names(map: &mut SourceMap, root: FileId, files: &dyn Files, defines: &[Define]) -> Reading {
    let (tokens, mut diagnostics, mut names) = preprocess::preprocess(map, &[root], files, defines);
    let expanded = expanded(&tokens);
    let (program, more, inlines) = parser::parse(tokens);
    diagnostics.extend(more);
    let (model, more, checked) = check::check_names(&program);
    match diagnostics.iter().any(Diagnostic::is_error) {
        true => diagnostics.extend(source::certain(map, &more, &check::UNKNOWN)),
        false => diagnostics.extend(more),
    }
    names.append(inlines);
    names.append(checked);
    let formulas = model.formulas.iter().map(|formula| (formula.name.clone(), formula.span)).collect();
    Reading { index: names.settle(map, &expanded), formulas, diagnostics: limited(diagnostics) }
}

/// The names that come out of macros: where they stand now, and where they were typed.
fn expanded(tokens: &[Token]) -> HashMap<(Span, Name), Vec<Span>> {
    let mut expanded: HashMap<(Span, Name), Vec<Span>> = HashMap::new();
    for token in tokens {
        if let (Some(name), Some(origin)) = (token.name(), token.origin) {
            let places = expanded.entry((token.span, name.clone())).or_default();
            if !places.contains(&origin) {
                places.push(origin);
            }
        }
    }
    expanded
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

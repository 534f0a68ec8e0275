//! SPL and fair-transition-system text to fair transition systems.
//!
//! `lexer` → `parser` → `ast` → `lower`. SPL is the Simple Programming Language of Manna
//! and Pnueli, as the STeP tutorial writes it; `.fts` files give transitions directly.
//! Specifications and proofs stand in the same file or in one of their own.
//!
//! ```
//! let mut map = source::SourceMap::new();
//! let text = "local x : int where x = 0\nP::[ l0: x := 1 ]\nPROPERTY small : [] (x <= 1)\n";
//! let file = map.add("one.spl", text);
//! let (fts, _) = spl::read(&map, &[file]);
//! assert_eq!(fts.unwrap().properties[0].name, "small");
//! ```

#![warn(missing_docs)]

mod ast;
pub mod codes;
mod lexer;
mod lower;
mod parser;

use source::{Diagnostic, FileId, Index, Name, SourceMap, Span};
use std::collections::HashMap;
use system::fts::{Fts, Property};

/// How many diagnostics are reported in one go.
const MAX_DIAGNOSTICS: usize = 100;

/// The syntax tree of a text, and all that is wrong with it so far.
pub fn parse(map: &SourceMap, root: FileId) -> (ast::File, Vec<Diagnostic>) {
    let text = map.get(root).map_or("", |text| &text.content);
    let (tokens, diagnostics) = lexer::lex(root, text);
    let (file, mut diagnostics) = parser::parse(tokens, diagnostics);
    source::blame_unclosed(map, &mut diagnostics, &[('[', ']'), ('(', ')'), ('{', '}')]);
    (file, diagnostics)
}

/// The system that texts describe together: a program, and perhaps a specification of its own.
pub fn read(map: &SourceMap, roots: &[FileId]) -> (Option<Fts>, Vec<Diagnostic>) {
    let (file, mut diagnostics) = joined(map, roots);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, limited(diagnostics));
    }
    let name = roots.first().map_or("", |root| map.name(*root));
    let (fts, more) = lower::lower(&file, map, name);
    diagnostics.extend(more);
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    if good && file.body.is_none() && file.transitions.is_empty() {
        let first = roots.first().copied().unwrap_or_default();
        let nowhere = Span { file: first, start: 0, end: 0 };
        diagnostics.push(
            Diagnostic::error("E0705", nowhere, "there is no program")
                .help("write a program, `P:: [ … ]`, or transitions, `Transition t Just: …`"),
        );
        return (None, limited(diagnostics));
    }
    (good.then_some(fts), limited(diagnostics))
}

/// What an editor wants of a text that may be in the middle of a change.
#[derive(Debug)]
pub struct Reading {
    /// What the names mean, as far as the text could be read.
    pub index: Index,
    /// The properties of the text: their names and places.
    pub properties: Vec<(Name, Span)>,
    /// All that is wrong. Beside mistakes of the grammar, names without a meaning are reported too.
    pub diagnostics: Vec<Diagnostic>,
}

/// The codes that say of a name that it means nothing.
const UNKNOWN: [&str; 3] = ["E0710", "E0711", "E0741"];

/// Reads a text for an editor: by the same parser and the same lowering as [`read`], but names are
/// resolved in what could be read although there are mistakes elsewhere. A specification without a
/// program belongs to one that is not known here: of it only the grammar is looked at.
pub fn read_names(map: &SourceMap, root: FileId) -> Reading {
    let (file, mut diagnostics) = joined(map, &[root]);
    let (fts, more, names) = lower::lower_names(&file, map);
    let is_whole = file.body.is_some() || !file.transitions.is_empty();
    match diagnostics.iter().any(Diagnostic::is_error) {
        true if is_whole => diagnostics.extend(source::certain(map, &more, &UNKNOWN)),
        false if is_whole => diagnostics.extend(more),
        _ => {}
    }
    let properties = fts.properties.iter().map(|p| (p.name.as_str().into(), p.span)).collect();
    Reading { index: names.settle(map, &HashMap::new()), properties, diagnostics: limited(diagnostics) }
}

/// A formula about the system that texts describe, read from a text of its own.
pub fn read_formula(
    map: &SourceMap,
    roots: &[FileId],
    formula: FileId,
) -> (Option<Property>, Vec<Diagnostic>) {
    let (file, diagnostics) = joined(map, roots);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, limited(diagnostics));
    }
    let text = map.get(formula).map_or("", |text| &text.content);
    let (tokens, diagnostics) = lexer::lex(formula, text);
    let (expr, mut diagnostics) = parser::parse_formula(tokens, diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, limited(diagnostics));
    }
    let name = ast::Ident { name: text.trim().into(), span: expr.span };
    let (_, property, more) = lower::lower_with(&file, map, "", &ast::Claim { name, formula: expr });
    diagnostics.extend(more.into_iter().filter(|d| d.primary.span.file == formula));
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    (good.then_some(property), limited(diagnostics))
}

/// Named assertions about the system that texts describe, read from a text of their own: `b1: y1
/// = 0, b2: y2 = 0`.
pub fn read_basis(
    map: &SourceMap,
    roots: &[FileId],
    basis: FileId,
) -> (Option<Vec<Property>>, Vec<Diagnostic>) {
    let (file, diagnostics) = joined(map, roots);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, limited(diagnostics));
    }
    let text = map.get(basis).map_or("", |text| &text.content);
    let (tokens, diagnostics) = lexer::lex(basis, text);
    let (claims, mut diagnostics) = parser::parse_basis(tokens, diagnostics);
    let (properties, more) = lower::lower_claims(&file, map, &claims);
    diagnostics.extend(more.into_iter().filter(|d| d.primary.span.file == basis));
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    (good.then_some(properties), limited(diagnostics))
}

/// All texts as one file.
fn joined(map: &SourceMap, roots: &[FileId]) -> (ast::File, Vec<Diagnostic>) {
    let mut whole = ast::File::default();
    let mut diagnostics = Vec::new();
    for root in roots {
        let (mut file, more) = parse(map, *root);
        diagnostics.extend(more);
        whole.types.append(&mut file.types);
        whole.macros.append(&mut file.macros);
        whole.declarations.append(&mut file.declarations);
        whole.body = whole.body.or(file.body);
        whole.initially.append(&mut file.initially);
        whole.transitions.append(&mut file.transitions);
        whole.axioms.append(&mut file.axioms);
        whole.properties.append(&mut file.properties);
        whole.proofs.append(&mut file.proofs);
        whole.diagrams.append(&mut file.diagrams);
    }
    (whole, diagnostics)
}

fn limited(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|d| (!d.is_error(), d.primary.span.file, d.primary.span.start));
    diagnostics.dedup();
    diagnostics.truncate(MAX_DIAGNOSTICS);
    diagnostics
}

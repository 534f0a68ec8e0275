//! The language `.tvm`: text → tokens → syntax tree → [`structures::model::Model`].
//!
//! * `parser`, `ast`: reading, which never fails; formulas are those of `structures::syntax`.
//! * `procedures`: calls and exceptions are written out. `expand`: sets and `foreach`.
//! * `lower`: names, arities, and what the items mean. [`codes`]: what can be wrong.
//!
//! ```
//! let mut map = source::SourceMap::new();
//! let text = "predicate taken\naction take { when !taken  taken := 1 }\ninitial { node t }\n";
//! let file = map.add("lock.tvm", text);
//! let (model, diagnostics) = tvm::read(&map, file);
//! assert!(model.is_some(), "{diagnostics:?}");
//! ```

#![warn(missing_docs)]

mod ast;
pub mod codes;
mod expand;
mod lower;
mod parser;
mod procedures;

use source::{Diagnostic, FileId, Index, Name, SourceMap, Span};
use std::collections::HashMap;
use structures::model::Model;

/// Reads a model; `None` if there are errors.
pub fn read(map: &SourceMap, file: FileId) -> (Option<Model>, Vec<Diagnostic>) {
    let text = map.get(file).map_or("", |text| &*text.content);
    let (items, mut diagnostics) = parser::parse(file, text);
    source::blame_unclosed(map, &mut diagnostics, &[('{', '}'), ('(', ')')]);
    let items = procedures::expand(items, &mut diagnostics);
    let (model, more, _) = lower::lower(&items, text);
    diagnostics.extend(more);
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    (good.then_some(model), diagnostics)
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
const UNKNOWN: [&str; 6] = ["E0902", "E0903", "E0904", "E0913", "E0916", "E0923"];

/// Reads a text for an editor: by the same parser and the same lowering as [`read`], but names are
/// resolved in what could be read although there are mistakes elsewhere.
pub fn read_names(map: &SourceMap, file: FileId) -> Reading {
    let text = map.get(file).map_or("", |text| &*text.content);
    let (items, mut diagnostics) = parser::parse(file, text);
    let mut more = Vec::new();
    let items = procedures::expand(items, &mut more);
    let (model, lowered, names) = lower::lower(&items, text);
    more.extend(lowered);
    match diagnostics.iter().any(Diagnostic::is_error) {
        true => diagnostics.extend(source::certain(map, &more, &UNKNOWN)),
        false => diagnostics.extend(more),
    }
    let properties = model.properties.iter().map(|p| (p.name.as_str().into(), p.span)).collect();
    Reading { index: names.settle(map, &HashMap::new()), properties, diagnostics }
}

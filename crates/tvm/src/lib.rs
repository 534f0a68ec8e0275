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

use source::{Diagnostic, FileId, SourceMap};
use structures::model::Model;

/// Reads a model; `None` if there are errors.
pub fn read(map: &SourceMap, file: FileId) -> (Option<Model>, Vec<Diagnostic>) {
    let text = map.get(file).map_or("", |text| &*text.content);
    let (items, mut diagnostics) = parser::parse(file, text);
    source::blame_unclosed(map, &mut diagnostics, &[('{', '}'), ('(', ')')]);
    let items = procedures::expand(items, &mut diagnostics);
    let (model, more) = lower::lower(&items, text);
    diagnostics.extend(more);
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    (good.then_some(model), diagnostics)
}

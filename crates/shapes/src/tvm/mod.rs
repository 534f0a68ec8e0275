//! The language `.tvm`: text → tokens → syntax tree → model.
//!
//! * [`parser`], [`ast`]: reading, which never fails. [`lower`]: names, arities, and
//!   what the items mean.
//! * [`formulas`]: formulas with names to formulas with numbers. [`expand`]: sets, `foreach` and
//!   the parameters of actions.
//! * [`procedures`]: calls and exceptions.

pub mod ast;
pub mod expand;
pub mod formulas;
pub mod lower;
pub mod parser;
pub mod procedures;

use crate::model::Model;
use source::{Diagnostic, FileId, SourceMap};

/// Reads a model; `None` if there are errors.
pub fn read(map: &SourceMap, file: FileId) -> (Option<Model>, Vec<Diagnostic>) {
    let text = map.get(file).map_or("", |text| &*text.content);
    let (items, mut diagnostics) = parser::parse(file, text);
    let items = procedures::expand(items, &mut diagnostics);
    let (model, more) = lower::lower(&items, text);
    diagnostics.extend(more);
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    (good.then_some(model), diagnostics)
}

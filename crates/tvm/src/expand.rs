//! Sets and `foreach`: items that stand for several.

use crate::ast::Item;
use source::Diagnostic;
use structures::syntax::Meaning;

/// Calls `visit` on every item outside of `foreach`, and inside of one once for each member of its
/// set.
pub fn each<'a>(
    items: &'a [Item],
    meaning: &Meaning,
    diagnostics: &mut Vec<Diagnostic>,
    visit: &mut dyn FnMut(&'a Item, &Meaning, &mut Vec<Diagnostic>),
) {
    for item in items {
        match item {
            Item::Foreach { variable, set, items } => {
                for member in meaning.members(set, diagnostics) {
                    each(items, &meaning.with(&variable.text, &member), diagnostics, visit);
                }
            }
            item => visit(item, meaning, diagnostics),
        }
    }
}

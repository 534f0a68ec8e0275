//! Sets and `foreach`: items that stand for several.

use crate::ast::Item;
use source::Diagnostic;
use structures::syntax::Meaning;

/// Every item outside of `foreach`, and inside of one once for each member of its set, with what
/// names mean there.
pub fn each<'a>(
    items: &'a [Item],
    meaning: &Meaning,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(&'a Item, Meaning)> {
    let mut all = Vec::new();
    for item in items {
        match item {
            Item::Foreach { variable, set, items } => {
                for member in meaning.members(set, diagnostics) {
                    all.extend(each(items, &meaning.with(variable, &member), diagnostics));
                }
            }
            item => all.push((item, meaning.clone())),
        }
    }
    all
}

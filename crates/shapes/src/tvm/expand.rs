//! Sets, `foreach` and the parameters of actions: names that stand for other names.

use crate::tvm::ast::{Ident, Item, Name};
use source::Diagnostic;
use std::collections::HashMap;

/// What names stand for here.
#[derive(Clone, Debug, Default)]
pub struct Meaning {
    pub sets: HashMap<String, Vec<String>>,
    pub stands_for: HashMap<String, String>,
}

impl Meaning {
    pub fn word(&self, ident: &Ident) -> String {
        self.stands_for.get(&ident.text).unwrap_or(&ident.text).clone()
    }

    /// `at[l]` with `l` replaced.
    pub fn name(&self, name: &Name) -> String {
        let base = self.word(&name.base);
        if name.index.is_empty() {
            return base;
        }
        let index: Vec<String> = name.index.iter().map(|i| self.word(i)).collect();
        format!("{base}[{}]", index.join(","))
    }

    pub fn with(&self, variable: &str, value: &str) -> Meaning {
        let mut inner = self.clone();
        inner.stands_for.insert(variable.to_string(), value.to_string());
        inner
    }

    /// The members of a set; unknown sets are told and empty.
    pub fn members(&self, set: &Ident, diagnostics: &mut Vec<Diagnostic>) -> Vec<String> {
        match self.sets.get(&set.text) {
            Some(members) => members.clone(),
            None => {
                let message = format!("no set `{}`", set.text);
                let help = format!("declare it: set {} = {{ … }}", set.text);
                diagnostics
                    .push(Diagnostic::error("E0902", set.span, message).label("not declared").help(help));
                Vec::new()
            }
        }
    }
}

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

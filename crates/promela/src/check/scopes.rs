//! Local names: block scopes, and what was probably meant by an unknown name.

use source::{Diagnostic, Span};

use super::{Checker, Symbol};
use crate::ast::Ident;
use crate::model::*;

/// What a name stands for at some place.
pub(super) enum Meaning {
    Local(LocalId),
    Global(GlobalId),
    Mtype { set: MtypeSetId, value: i32 },
    Process,
    Record,
    Unknown,
}

impl Checker {
    /// Enters a local into the innermost scope.
    pub(super) fn enter_local(&mut self, name: &Ident, id: LocalId) {
        let outer = self.frame.scopes.iter().rev().skip(1).find_map(|scope| scope.get(&name.name));
        let outer = outer.and_then(|id| self.locals().get(*id)).map(|variable| variable.span);
        let global = self.globals.get(&name.name).map(|(_, span)| *span);
        let innermost = self.frame.scopes.last_mut();
        let same = innermost.and_then(|scope| scope.insert(name.name.clone(), id));
        if let Some(first) = same.and_then(|id| self.locals().get(id)).map(|variable| variable.span) {
            self.redeclared(name, first);
        } else if let Some(hidden) = outer.or(global) {
            self.hides(name, hidden);
        }
    }

    /// An inner name hides an outer one. In an inline the arguments of the call could mean the
    /// outer one, so it is refused.
    fn hides(&mut self, name: &Ident, hidden: Span) {
        let message = format!("`{}` hides another declaration", name.name);
        let diagnostic = match self.frame.inlines {
            0 => {
                Diagnostic::warning("W0301", name.span, message).note("SPIN refuses this as a redeclaration")
            }
            _ => Diagnostic::error("E0302", name.span, message)
                .help("give the variable of the inline a name of its own"),
        };
        self.diagnostics.push(diagnostic.also(hidden, "this one is hidden"));
    }

    pub(super) fn locals(&self) -> &[Variable] {
        self.model.processes.get(self.frame.process).map_or(&[], |process| &process.locals)
    }

    pub(super) fn meaning(&self, name: &str) -> Meaning {
        if let Some(id) = self.frame.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            return Meaning::Local(*id);
        }
        match self.globals.get(name) {
            Some((Symbol::Variable(id), _)) => Meaning::Global(*id),
            Some((Symbol::Mtype { set, value }, _)) => Meaning::Mtype { set: *set, value: *value },
            Some((Symbol::Process(_), _)) => Meaning::Process,
            Some((Symbol::Record(_), _)) => Meaning::Record,
            None => Meaning::Unknown,
        }
    }

    /// Notes what a name means here.
    pub(super) fn mentioned(&mut self, name: &Ident) {
        let local = self.frame.scopes.iter().rev().find_map(|scope| scope.get(&name.name));
        match local.and_then(|id| self.locals().get(*id)).map(|variable| variable.span) {
            Some(defined) => self.names.mean(name, defined),
            None => self.uses(name),
        }
    }

    pub(super) fn unknown(&mut self, name: &str, span: Span) {
        let mut diagnostic =
            Diagnostic::error("E0301", span, format!("no variable or constant named `{name}`"));
        diagnostic = diagnostic.label("not declared");
        let locals = self.frame.scopes.iter().flat_map(|scope| scope.keys()).map(|name| &**name);
        let has_value = |symbol: &Symbol| matches!(symbol, Symbol::Variable(_) | Symbol::Mtype { .. });
        diagnostic = diagnostic.meant(name, locals.chain(self.global_names(has_value)));
        self.diagnostics.push(diagnostic);
    }

    /// The global names of one kind of thing.
    pub(super) fn global_names(&self, wanted: impl Fn(&Symbol) -> bool) -> impl Iterator<Item = &str> {
        let found = self.globals.iter().filter(move |(_, (symbol, _))| wanted(symbol));
        found.map(|(name, _)| &**name)
    }
}

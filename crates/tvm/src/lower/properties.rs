//! What is asked: invariants, temporal formulas, automata of bad runs; and which schedulers are
//! fair.

use super::Lower;
use crate::ast::{Expr, FairDef, Ident};
use logic::automata::hoa;
use source::{Diagnostic, NameKind, Span};
use std::collections::BTreeSet;
use structures::action::Action;
use structures::model::{Claim, Fairness, Group, Property};
use structures::syntax::{Meaning, Scope, closed, temporal};

impl Lower<'_> {
    fn ask(&mut self, meaning: &Meaning, name: &Ident, (claim, place): (Claim, Span)) {
        meaning.define(name, NameKind::Property);
        let text = self.text.get(place.start as usize..place.end as usize).unwrap_or("").trim();
        let (name, span) = (meaning.word(name), name.span);
        self.model.properties.push(Property { name, text: text.to_string(), span, claim });
    }

    pub(super) fn invariant(&mut self, meaning: &Meaning, name: &Ident, body: &Expr) {
        let formula = self.formula(meaning, body, Scope::default());
        self.ask(meaning, name, (Claim::Invariant(formula), body.span));
    }

    pub(super) fn ltl(&mut self, meaning: &Meaning, name: &Ident, span: Span) {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or("");
        match temporal(&self.model.vocabulary, meaning, text, span) {
            Ok((claim, warnings)) => {
                self.diagnostics.extend(warnings);
                self.ask(meaning, name, (claim, span));
            }
            Err(errors) => self.diagnostics.extend(errors),
        }
    }

    pub(super) fn never(&mut self, meaning: &Meaning, name: &Ident, span: Span) {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or("");
        let automaton = match hoa::read(text, span.file).map(|all| all.into_iter().next()) {
            Ok(Some(automaton)) => automaton,
            Ok(None) => return,
            Err(error) => {
                let message = format!("not an automaton in the Hanoi format: {}", error.message);
                return self.diagnostics.push(Diagnostic::error("E0922", span, message));
            }
        };
        let letter = |atom: &String| {
            let (letter, more) = closed(&self.model.vocabulary, meaning, atom, span);
            self.diagnostics.extend(more);
            letter
        };
        let letters = automaton.names.iter().map(letter).collect();
        self.ask(meaning, name, (Claim::Never { letters, automaton: automaton.automaton }, Span::default()));
    }

    pub(super) fn fair(&mut self, meaning: &Meaning, def: &FairDef) {
        let mut actions = BTreeSet::new();
        for name in &def.actions {
            let text = meaning.name(name);
            let thread = self.model.threads.iter().position(|t| t.name == text);
            let matches = |a: &Action| match thread {
                Some(thread) => a.thread == Some(thread),
                None => a.name == text || a.name.split([' ', '[']).any(|word| word == text),
            };
            let defined = thread.map(|at| self.model.threads[at].span);
            let defined = defined.or_else(|| self.actions.get(&text).map(|def| def.name.span));
            defined.into_iter().for_each(|place| meaning.mean(&name.base, place));
            let numbered = self.model.actions.iter().enumerate();
            let found: Vec<usize> = numbered.filter(|(_, a)| matches(a)).map(|(n, _)| n).collect();
            if found.is_empty() {
                let message = format!("no action and no thread `{text}`");
                let error = Diagnostic::error("E0913", name.span, message);
                let known = self.actions.keys().map(|name| &**name);
                let threads = self.model.threads.iter().map(|t| t.name.as_str());
                let error = error.label("not declared").meant(&text, known.chain(threads));
                self.diagnostics.push(error);
            }
            actions.extend(found);
        }
        let mut lowering = self.names(meaning);
        let who = def.who.as_ref().and_then(|name| lowering.symbol(name, 1));
        let strength = if def.strong { Fairness::Strong } else { Fairness::Weak };
        let actions = actions.into_iter().collect();
        self.model.fairness.push(Group { span: def.span, strength, actions, who });
    }
}

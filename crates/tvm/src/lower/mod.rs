//! What the items of a file mean together.
//!
//! Three passes: sets; predicates, with `at[l]` for every place l of a thread; everything else. A
//! derived predicate may use those above it.
//!
//! * `actions`: threads, the environment and what they do. `initial`: where a model begins.
//! * `properties`: what is asked, and of which schedulers.

mod actions;
mod initial;
mod properties;

use crate::ast::{ActionDef, Expr, Ident, Item, Name};
use crate::expand::each;
use source::{Diagnostic, NameKind, Recorder, Span};
use std::collections::{BTreeSet, HashMap};
use structures::constraint::{self, Origin};
use structures::formula::Formula;
use structures::model::Model;
use structures::syntax::{Lowering, Meaning, Scope};
use structures::vocabulary::{Attribute, Symbol, Vocabulary};

/// Items, each with what names mean there.
type Items<'i, 'a> = &'i [(&'a Item, Meaning)];

/// The model that items describe, what is wrong with them, and what the names mean.
pub fn lower(items: &[Item], text: &str) -> (Model, Vec<Diagnostic>, Recorder) {
    let mut lower = Lower {
        model: Model { vocabulary: Vocabulary::new(), ..Model::default() },
        actions: HashMap::new(),
        diagnostics: Vec::new(),
        text,
    };
    let sets = lower.sets(items);
    let items = each(items, &sets, &mut lower.diagnostics);
    lower.predicates(&items);
    lower.definitions(&items);
    lower.rest(&items);
    let names = sets.names.take();
    (lower.model, lower.diagnostics, names)
}

struct Lower<'a> {
    model: Model,
    actions: HashMap<String, &'a ActionDef>,
    diagnostics: Vec<Diagnostic>,
    /// Of the file, for the parts with a language of their own.
    text: &'a str,
}

impl<'a> Lower<'a> {
    /// What the names of sets mean; actions by their names.
    fn sets(&mut self, items: &'a [Item]) -> Meaning {
        let mut meaning = Meaning::default();
        for item in items {
            match item {
                Item::Set { name, members } => {
                    meaning.define(name, NameKind::Type);
                    meaning.places.insert(name.text.clone(), name.span);
                    for member in members {
                        meaning.define(member, NameKind::Constant);
                        meaning.places.insert(member.text.clone(), member.span);
                    }
                    let members = members.iter().map(|m| m.text.clone()).collect();
                    meaning.sets.insert(name.text.clone(), members);
                }
                Item::Action(def) => {
                    meaning.define(&def.name, NameKind::Action);
                    let before = self.actions.insert(def.name.text.clone(), def);
                    before.iter().for_each(|_| self.twice(&def.name.text, def.name.span));
                }
                _ => {}
            }
        }
        meaning
    }

    fn twice(&mut self, name: &str, span: Span) {
        let message = format!("`{name}` is declared twice");
        self.diagnostics.push(Diagnostic::error("E0907", span, message).label("the second time"));
    }

    /// Names of this place become predicates and variables.
    fn names<'l>(&'l mut self, meaning: &'l Meaning) -> Lowering<'l> {
        let (vocabulary, diagnostics) = (&self.model.vocabulary, &mut self.diagnostics);
        Lowering { vocabulary, meaning, diagnostics }
    }

    /// A formula whose free variables are these.
    fn formula(&mut self, meaning: &Meaning, e: &Expr, mut scope: Scope) -> Formula {
        self.names(meaning).formula(e, &mut scope)
    }

    /// Declares every predicate, places first; definitions come later.
    fn predicates(&mut self, items: Items<'_, 'a>) {
        for (item, meaning) in items {
            let Item::Thread(thread) = item else { continue };
            meaning.names.borrow_mut().define_whole(&thread.name.written(), NameKind::Process, thread.span);
            let named = thread.transitions.iter().flat_map(|t| [&t.from, &t.to]).chain(&thread.ends);
            for place in named {
                let name = format!("at[{}]", meaning.word(place));
                match self.model.vocabulary.find(&name) {
                    Some(declared) => meaning.mean(place, declared.span),
                    None => {
                        meaning.define(place, NameKind::Label);
                        self.model.vocabulary.declare(&name, 1, place.span);
                    }
                }
            }
        }
        for (item, meaning) in items {
            if let Item::Predicate { name, parameters, attributes, .. } = item {
                self.predicate(meaning, name, parameters, attributes);
            }
        }
    }

    fn predicate(&mut self, meaning: &Meaning, name: &Name, parameters: &[Ident], attributes: &[Ident]) {
        let text = meaning.name(name);
        if self.model.vocabulary.find(&text).is_some() {
            return self.twice(&text, name.span);
        }
        if parameters.len() > 2 {
            let message = format!("`{text}` has {} arguments", parameters.len());
            let error = Diagnostic::error("E0908", name.span, message).label("at most two are possible");
            let help = "use several binary predicates, or an individual for the tuple";
            return self.diagnostics.push(error.help(help));
        }
        meaning.define(&name.base, NameKind::Predicate);
        self.model.vocabulary.declare(&text, parameters.len(), name.span);
        attributes.iter().for_each(|word| self.attribute(word, parameters.len()));
    }

    /// An attribute of the predicate that was declared last.
    fn attribute(&mut self, word: &Ident, arity: usize) {
        let Some(predicate) = self.model.vocabulary.predicates.last_mut() else { return };
        let error = match Attribute::ALL.iter().find(|(name, _)| *name == word.text) {
            Some((_, attribute)) if attribute.arity() == arity => {
                return predicate.attributes.push(*attribute);
            }
            None if word.text == "nonabs" => {
                predicate.abstraction = false;
                return;
            }
            Some((_, attribute)) => {
                let message =
                    format!("`{}` is for predicates with {} arguments", word.text, attribute.arity());
                Diagnostic::error("E0909", word.span, message)
            }
            None => {
                let known: Vec<&str> = Attribute::ALL.iter().map(|(name, _)| *name).collect();
                let message = format!("no attribute `{}`", word.text);
                let note = format!("there are: nonabs, {}", known.join(", "));
                Diagnostic::error("E0909", word.span, message).note(note).meant(&word.text, known.into_iter())
            }
        };
        self.diagnostics.push(error);
    }

    fn definitions(&mut self, items: Items<'_, 'a>) {
        for (item, meaning) in items {
            let Item::Predicate { name, parameters, definition: Some(definition), .. } = item else {
                continue;
            };
            let Some(symbol) = self.model.vocabulary.symbol(&meaning.name(name)) else { continue };
            parameters.iter().for_each(|p| meaning.define(p, NameKind::Parameter));
            let formula = self.formula(meaning, definition, Scope::of(parameters));
            let mut made_of = BTreeSet::new();
            formula.symbols(&mut made_of);
            let vocabulary = &mut self.model.vocabulary;
            let place = vocabulary.place(symbol);
            let early = |s: &&Symbol| vocabulary.place(**s) >= place;
            if let Some(later) = made_of.iter().find(early).map(|s| vocabulary.name(*s)) {
                let message =
                    format!("`{}` is defined by `{later}`, which is not above it", meaning.name(name));
                let error = Diagnostic::error("E0910", definition.span, message);
                let help = "derived predicates use those that are declared before them";
                self.diagnostics.push(error.help(help));
            } else {
                vocabulary.predicates[place].definition = Some(formula);
            }
        }
    }

    fn rest(&mut self, items: Items<'_, 'a>) {
        for (item, meaning) in items {
            match item {
                Item::Constraint { span, body, head } => self.constraint(meaning, *span, body, head),
                Item::Thread(thread) => self.thread(meaning, thread),
                Item::Environment { calls } => {
                    for call in calls {
                        let draft = self.action(meaning, call, call.name.span, None);
                        self.model.actions.extend(draft.map(|d| d.action.finish()));
                    }
                }
                Item::Initial { name, span, facts } => self.initial(meaning, name.as_ref(), *span, facts),
                Item::Invariant { name, body } => self.invariant(meaning, name, body),
                Item::Ltl { name, text } => self.ltl(meaning, name, *text),
                Item::Never { name, text } => self.never(meaning, name, *text),
                Item::Procedure(def) => {
                    let message = "procedures are not declared inside of foreach";
                    self.diagnostics.push(Diagnostic::error("E0923", def.name.span, message));
                }
                _ => {}
            }
        }
        // Fairness speaks of actions, so these must be there.
        for (item, meaning) in items {
            if let Item::Fair(def) = item {
                self.fair(meaning, def);
            }
        }
        if self.model.initial.is_empty() && self.diagnostics.is_empty() {
            let span = Span::new(Span::default().file, 0, 0);
            let error = Diagnostic::error("E0911", span, "no `initial` structure");
            self.diagnostics.push(error.help("initial { node t: … }"));
        }
    }

    fn constraint(&mut self, meaning: &Meaning, span: Span, body: &Expr, head: &Expr) {
        let mut scope = Scope { open: true, ..Scope::default() };
        let mut lowering = self.names(meaning);
        let enforced = lowering.formula(head, &mut scope);
        let body = lowering.formula(body, &mut scope);
        match constraint::rule(body, enforced, Origin::Declared(span)) {
            Some(rule) => self.model.constraints.push(rule),
            None => {
                let error = Diagnostic::error("E0912", head.span, "this cannot be enforced");
                self.diagnostics.push(error.help("after `=>` comes a literal, an equality or 0"));
            }
        }
    }
}

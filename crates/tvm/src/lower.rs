//! What the items of a file mean together.
//!
//! Three passes: sets; predicates, with `at[l]` for every place l of a thread; everything else. A
//! derived predicate may use those above it.

use crate::ast::{ActionDef, Call, Clause, Expr, Fact, Ident, Item, Name, Transition};
use crate::expand::each;
use logic::automata::hoa;
use source::{Diagnostic, Span};
use std::collections::{BTreeSet, HashMap};
use structures::action::{Action, Literal, Update};
use structures::constraint::{self, Origin};
use structures::evaluate::define;
use structures::formula::{self as f, Formula, Var};
use structures::kleene::Kleene;
use structures::model::{Claim, Fairness, Group, Initial, Model, Property, Thread};
use structures::structure::Structure;
use structures::syntax::{Lowering, Meaning, Scope, closed, temporal};
use structures::vocabulary::{Attribute, Symbol, Vocabulary};

pub fn lower(items: &[Item], text: &str) -> (Model, Vec<Diagnostic>) {
    let mut lowering = Lower {
        model: Model { vocabulary: Vocabulary::new(), ..Model::default() },
        meaning: Meaning::default(),
        actions: HashMap::new(),
        diagnostics: Vec::new(),
        text,
    };
    lowering.sets(items);
    lowering.predicates(items);
    lowering.definitions(items);
    lowering.rest(items);
    (lowering.model, lowering.diagnostics)
}

struct Lower<'a> {
    model: Model,
    meaning: Meaning,
    actions: HashMap<String, &'a ActionDef>,
    diagnostics: Vec<Diagnostic>,
    /// Of the file, for the parts with a language of their own.
    text: &'a str,
}

/// What an action is lowered into.
struct Draft {
    action: Action,
    scope: Scope,
    updates: Vec<(Symbol, Span)>,
}

impl<'a> Lower<'a> {
    fn sets(&mut self, items: &'a [Item]) {
        for item in items {
            match item {
                Item::Set { name, members } => {
                    let members = members.iter().map(|m| m.text.clone()).collect();
                    self.meaning.sets.insert(name.text.clone(), members);
                }
                Item::Action(def) => {
                    let before = self.actions.insert(def.name.text.clone(), def);
                    before.iter().for_each(|_| self.twice(&def.name.text, def.name.span));
                }
                _ => {}
            }
        }
    }

    fn twice(&mut self, name: &str, span: Span) {
        let message = format!("`{name}` is declared twice");
        self.diagnostics.push(Diagnostic::error("E0907", span, message).label("the second time"));
    }

    /// Declares every predicate, places first; definitions come later.
    fn predicates(&mut self, items: &'a [Item]) {
        let meaning = self.meaning.clone();
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        each(items, &meaning, &mut diagnostics, &mut |item, meaning, _| {
            let Item::Thread { ends, transitions, .. } = item else { return };
            for place in transitions.iter().flat_map(|t| [&t.from, &t.to]).chain(ends) {
                let name = format!("at[{}]", meaning.word(place));
                if self.model.vocabulary.find(&name).is_none() {
                    self.model.vocabulary.declare(&name, 1, place.span);
                }
            }
        });
        each(items, &meaning, &mut diagnostics, &mut |item, meaning, diagnostics| {
            if let Item::Predicate { name, parameters, attributes, .. } = item {
                self.predicate(meaning, name, parameters, attributes, diagnostics);
            }
        });
        self.diagnostics = diagnostics;
    }

    fn predicate(
        &mut self,
        meaning: &Meaning,
        name: &Name,
        parameters: &[Ident],
        attributes: &[Ident],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let text = meaning.name(name);
        if self.model.vocabulary.find(&text).is_some() {
            let message = format!("`{text}` is declared twice");
            diagnostics.push(Diagnostic::error("E0907", name.span, message).label("the second time"));
            return;
        }
        if parameters.len() > 2 {
            let message = format!("`{text}` has {} arguments", parameters.len());
            let told = Diagnostic::error("E0908", name.span, message).label("at most two are possible");
            diagnostics.push(told.help("use several binary predicates, or an individual for the tuple"));
            return;
        }
        self.model.vocabulary.declare(&text, parameters.len(), name.span);
        let Some(predicate) = self.model.vocabulary.predicates.last_mut() else { return };
        for word in attributes {
            match Attribute::ALL.iter().find(|(name, _)| *name == word.text) {
                Some((_, attribute)) if attribute.arity() == parameters.len() => {
                    predicate.attributes.push(*attribute);
                }
                Some((_, attribute)) => {
                    let message =
                        format!("`{}` is for predicates with {} arguments", word.text, attribute.arity());
                    diagnostics.push(Diagnostic::error("E0909", word.span, message));
                }
                None if word.text == "nonabs" => predicate.abstraction = false,
                None => {
                    let known: Vec<&str> = Attribute::ALL.iter().map(|(name, _)| *name).collect();
                    let message = format!("no attribute `{}`", word.text);
                    let note = format!("there are: nonabs, {}", known.join(", "));
                    diagnostics.push(Diagnostic::error("E0909", word.span, message).note(note));
                }
            }
        }
    }

    fn definitions(&mut self, items: &'a [Item]) {
        let meaning = self.meaning.clone();
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        each(items, &meaning, &mut diagnostics, &mut |item, meaning, diagnostics| {
            let Item::Predicate { name, parameters, definition: Some(definition), .. } = item else { return };
            let Some(symbol) = self.model.vocabulary.symbol(&meaning.name(name)) else { return };
            let vocabulary = &self.model.vocabulary;
            let mut lowering = Lowering { vocabulary, meaning, diagnostics };
            let formula = lowering.formula(definition, &mut Scope::of(parameters));
            let mut made_of = BTreeSet::new();
            formula.symbols(&mut made_of);
            let place = vocabulary.place(symbol);
            let early = |s: &&Symbol| vocabulary.place(**s) >= place;
            if let Some(later) = made_of.iter().find(early).map(|s| vocabulary.name(*s).to_string()) {
                let message =
                    format!("`{}` is defined by `{later}`, which is not above it", meaning.name(name));
                let told = Diagnostic::error("E0910", definition.span, message);
                diagnostics.push(told.help("derived predicates use those that are declared before them"));
                return;
            }
            self.model.vocabulary.predicates[place].definition = Some(formula);
        });
        self.diagnostics = diagnostics;
    }

    fn rest(&mut self, items: &'a [Item]) {
        let meaning = self.meaning.clone();
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        each(items, &meaning, &mut diagnostics, &mut |item, meaning, diagnostics| match item {
            Item::Constraint { span, body, head } => self.constraint(meaning, *span, body, head, diagnostics),
            Item::Thread { name, guard, ends, transitions } => {
                self.thread(meaning, name, guard, ends, transitions, diagnostics);
            }
            Item::Environment { calls } => {
                for call in calls {
                    let action = self.action(meaning, call, call.name.span, None, diagnostics);
                    self.model.actions.extend(action.map(|d| d.finish()));
                }
            }
            Item::Initial { name, span, facts } => {
                self.initial(meaning, name.as_ref(), *span, facts, diagnostics);
            }
            Item::Invariant { name, body } => {
                let vocabulary = &self.model.vocabulary;
                let formula =
                    Lowering { vocabulary, meaning, diagnostics }.formula(body, &mut Scope::default());
                let claim = Claim::Invariant(formula);
                self.model.properties.push(Property { name: meaning.word(name), span: name.span, claim });
            }
            Item::Ltl { name, text } => self.ltl(meaning, name, *text, diagnostics),
            Item::Never { name, text } => self.never(meaning, name, *text, diagnostics),
            Item::Procedure { name, .. } => {
                let told =
                    Diagnostic::error("E0923", name.span, "procedures are not declared inside of foreach");
                diagnostics.push(told);
            }
            _ => {}
        });
        // Fairness speaks of actions, so these must be there.
        each(items, &meaning, &mut diagnostics, &mut |item, meaning, diagnostics| {
            if let Item::Fair { span, strong, actions, who } = item {
                self.fair(meaning, *span, *strong, actions, who.as_ref(), diagnostics);
            }
        });
        if self.model.initial.is_empty() && diagnostics.is_empty() {
            let span = Span::new(Span::default().file, 0, 0);
            let told =
                Diagnostic::error("E0911", span, "no `initial` structure").help("initial { node t: … }");
            diagnostics.push(told);
        }
        self.diagnostics = diagnostics;
    }

    fn constraint(
        &mut self,
        meaning: &Meaning,
        span: Span,
        body: &Expr,
        head: &Expr,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut scope = Scope { open: true, ..Scope::default() };
        let mut lowering = Lowering { vocabulary: &self.model.vocabulary, meaning, diagnostics };
        let head_formula = lowering.formula(head, &mut scope);
        let body = lowering.formula(body, &mut scope);
        match constraint::rule(body, head_formula, Origin::Declared(span)) {
            Some(rule) => self.model.constraints.push(rule),
            None => {
                let told = Diagnostic::error("E0912", head.span, "this cannot be enforced");
                diagnostics.push(told.help("behind `=>` stands a literal, an equality or 0"));
            }
        }
    }

    fn thread(
        &mut self,
        meaning: &Meaning,
        name: &Ident,
        guard: &[Name],
        ends: &[Ident],
        transitions: &[Transition],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let number = self.model.threads.len();
        let mut lowering = Lowering { vocabulary: &self.model.vocabulary, meaning, diagnostics };
        let guard: Vec<Symbol> = guard.iter().filter_map(|name| lowering.symbol(name, 1)).collect();
        let place = |ident: &Ident| self.model.vocabulary.symbol(&format!("at[{}]", meaning.word(ident)));
        let mut thread = Thread { name: meaning.word(name), span: name.span, ..Thread::default() };
        let named = transitions.iter().flat_map(|t| [&t.from, &t.to]).chain(ends);
        for symbol in named.filter_map(&place) {
            if !thread.places.contains(&symbol) {
                thread.places.push(symbol);
            }
        }
        let leaves = |symbol: &Symbol| transitions.iter().any(|t| place(&t.from) == Some(*symbol));
        thread.ends = thread.places.iter().copied().filter(|p| !leaves(p)).collect();
        thread.ends.extend(ends.iter().filter_map(&place));
        self.model.threads.push(thread);
        for t in transitions {
            let (Some(from), Some(to)) = (place_of(self, meaning, &t.from), place_of(self, meaning, &t.to))
            else {
                continue;
            };
            let Some(mut draft) = self.action(meaning, &t.call, t.span, Some((from, &guard)), diagnostics)
            else {
                continue;
            };
            let label = format!(
                "{}: {} -> {}",
                meaning.word(&t.from),
                meaning.name(&t.call.name),
                meaning.word(&t.to)
            );
            draft.action.name = label;
            draft.action.thread = Some(number);
            draft.action.from = Some(from);
            draft.action.to = Some(to);
            draft.action.advance(from, to, draft.scope.next);
            self.model.actions.push(draft.finish());
        }
    }

    /// An action as it is called; a thread's starts at a place and has more to ask of who takes it.
    fn action(
        &mut self,
        meaning: &Meaning,
        call: &Call,
        span: Span,
        actor: Option<(Symbol, &[Symbol])>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Draft> {
        let base = meaning.word(&call.name.base);
        let Some(def) = self.actions.get(&base).copied() else {
            let told = Diagnostic::error("E0913", call.name.span, format!("no action `{base}`"));
            diagnostics.push(told.label("not declared"));
            return None;
        };
        if def.parameters.len() != call.name.index.len() {
            let message =
                format!("`{base}` takes {} names, not {}", def.parameters.len(), call.name.index.len());
            let told = Diagnostic::error("E0914", call.name.span, message);
            diagnostics.push(told.also(def.name.span, "declared here"));
            return None;
        }
        let mut inner = meaning.clone();
        for (parameter, argument) in def.parameters.iter().zip(&call.name.index) {
            inner.stands_for.insert(parameter.text.clone(), meaning.word(argument));
        }
        let mut draft = Draft { action: Action::default(), scope: Scope::default(), updates: Vec::new() };
        draft.action.name = meaning.name(&call.name);
        draft.action.span = span;
        // Variable 0 is the mover, even if there is none.
        draft.scope.add(if actor.is_some() { "self" } else { "" });
        draft.action.actor = actor.map(|(from, guard)| [&[from], guard].concat());
        self.names(&def.clauses, &mut draft, diagnostics);
        self.clauses(&inner, &def.clauses, &mut draft, diagnostics);
        Some(draft)
    }

    /// Participants and newcomers are in scope everywhere in an action.
    fn names(&self, clauses: &[Clause], draft: &mut Draft, diagnostics: &mut Vec<Diagnostic>) {
        for clause in clauses {
            if let Clause::Choose(names) | Clause::New(names) = clause {
                names.iter().for_each(|name| diagnostics.extend(draft.hidden_by(name)));
            }
            match clause {
                Clause::Choose(names) => {
                    let numbers = names.iter().map(|n| draft.scope.add(&n.text)).collect::<Vec<_>>();
                    draft.action.parameters.extend(numbers);
                }
                Clause::New(names) => {
                    let numbers = names.iter().map(|n| draft.scope.add(&n.text)).collect::<Vec<_>>();
                    draft.action.created.extend(numbers);
                }
                _ => {}
            }
        }
    }

    fn clauses(
        &mut self,
        meaning: &Meaning,
        clauses: &[Clause],
        draft: &mut Draft,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for clause in clauses {
            let vocabulary = &self.model.vocabulary;
            let mut lowering = Lowering { vocabulary, meaning, diagnostics };
            match clause {
                Clause::Choose(_) | Clause::New(_) => {}
                Clause::Focus(literals) => draft.focus(&mut lowering, literals),
                Clause::When(body) => {
                    let more = lowering.formula(body, &mut draft.scope);
                    let all = [draft.action.precondition.clone(), more];
                    draft.action.precondition = f::and(all);
                }
                Clause::Update { name, parameters, value } => {
                    draft.update(&mut lowering, name, parameters, value);
                }
                Clause::Retain { variable, body } => {
                    lowering.diagnostics.extend(draft.hidden_by(variable));
                    let mut scope = draft.scope.clone();
                    let v = scope.add(&variable.text);
                    draft.action.retain = Some((v, lowering.formula(body, &mut scope)));
                }
                Clause::Foreach { variable, set, clauses } => {
                    for member in meaning.members(set, diagnostics) {
                        self.clauses(&meaning.with(&variable.text, &member), clauses, draft, diagnostics);
                    }
                }
                Clause::Idle => draft.action.idle = true,
                Clause::Error(message) => draft.action.error = Some(message.text.clone()),
            }
        }
    }

    fn initial(
        &mut self,
        meaning: &Meaning,
        name: Option<&Ident>,
        span: Span,
        facts: &[Fact],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let layout = self.model.vocabulary.layout();
        let mut s = Structure::new(layout);
        let mut nodes: HashMap<String, usize> = HashMap::new();
        let mut given: BTreeSet<(Symbol, [usize; 2])> = BTreeSet::new();
        for fact in facts {
            let Fact::Node { name, summary, .. } = fact else { continue };
            let Some(node) = s.push_node(layout) else {
                diagnostics.push(Diagnostic::error("E0915", name.span, "more than 64 nodes"));
                break;
            };
            if nodes.insert(name.text.clone(), node).is_some() {
                let message = format!("two nodes `{}`", name.text);
                diagnostics.push(Diagnostic::error("E0907", name.span, message));
            }
            if *summary {
                s.set_summary(layout, node);
            }
        }
        for fact in facts {
            let mut lowering = Lowering { vocabulary: &self.model.vocabulary, meaning, diagnostics };
            let mut set = |symbol: Option<Symbol>, tuple: [usize; 2], value: Kleene| {
                if let Some(symbol) = symbol {
                    s.set(layout, symbol, tuple, value);
                    given.insert((symbol, tuple));
                }
            };
            match fact {
                Fact::Node { name, holds, .. } => {
                    let Some(node) = nodes.get(&name.text) else { continue };
                    for (predicate, value) in holds {
                        set(lowering.symbol(predicate, 1), [*node, 0], *value);
                    }
                }
                Fact::Value { name, arguments, value } => {
                    let mut symbol = lowering.symbol(name, arguments.len());
                    let mut tuple = [0; 2];
                    for (slot, argument) in tuple.iter_mut().zip(arguments) {
                        match nodes.get(&argument.text) {
                            Some(node) => *slot = *node,
                            None => {
                                symbol = None;
                                let message = format!("no node `{}`", argument.text);
                                diagnostics.push(Diagnostic::error("E0916", argument.span, message));
                            }
                        }
                    }
                    set(symbol, tuple, *value);
                }
            }
        }
        for (predicate, definition) in self.model.vocabulary.derived() {
            let open = |tuple: [usize; 2]| !given.contains(&(predicate.symbol, tuple));
            define(&mut s, layout, (predicate.symbol, definition), open);
        }
        let name = name.map_or_else(|| "initial".to_string(), |n| meaning.word(n));
        self.model.initial.push(Initial { name, span, structure: s });
    }

    fn fair(
        &mut self,
        meaning: &Meaning,
        span: Span,
        strong: bool,
        names: &[Name],
        who: Option<&Name>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut actions = BTreeSet::new();
        for name in names {
            let text = meaning.name(name);
            let thread = self.model.threads.iter().position(|t| t.name == text);
            let matches = |a: &Action| match thread {
                Some(thread) => a.thread == Some(thread),
                None => a.name == text || a.name.split([' ', '[']).any(|word| word == text),
            };
            let found: Vec<usize> =
                self.model.actions.iter().enumerate().filter(|(_, a)| matches(a)).map(|(n, _)| n).collect();
            if found.is_empty() {
                let message = format!("no action and no thread `{text}`");
                diagnostics
                    .push(Diagnostic::error("E0913", name.span, message).label("no action has this name"));
            }
            actions.extend(found);
        }
        let mut lowering = Lowering { vocabulary: &self.model.vocabulary, meaning, diagnostics };
        let who = who.and_then(|name| lowering.symbol(name, 1));
        let strength = if strong { Fairness::Strong } else { Fairness::Weak };
        self.model.fairness.push(Group { span, strength, actions: actions.into_iter().collect(), who });
    }

    fn ltl(&mut self, meaning: &Meaning, name: &Ident, span: Span, diagnostics: &mut Vec<Diagnostic>) {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or("");
        match temporal(&self.model.vocabulary, meaning, text, span) {
            Ok((claim, warnings)) => {
                diagnostics.extend(warnings);
                self.model.properties.push(Property { name: meaning.word(name), span: name.span, claim });
            }
            Err(errors) => diagnostics.extend(errors),
        }
    }

    fn never(&mut self, meaning: &Meaning, name: &Ident, span: Span, diagnostics: &mut Vec<Diagnostic>) {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or("");
        let read = hoa::read(text, span.file);
        let automaton = match read.map(|all| all.into_iter().next()) {
            Ok(Some(automaton)) => automaton,
            Ok(None) => return,
            Err(told) => {
                let message = format!("not an automaton in the Hanoi format: {}", told.message);
                diagnostics.push(Diagnostic::error("E0922", span, message));
                return;
            }
        };
        let letters = automaton.names.iter().map(|atom| {
            let (letter, more) = closed(&self.model.vocabulary, meaning, atom, span);
            diagnostics.extend(more);
            letter
        });
        let claim = Claim::Never { letters: letters.collect(), automaton: automaton.automaton };
        self.model.properties.push(Property { name: meaning.word(name), span: name.span, claim });
    }
}

fn place_of(lower: &Lower<'_>, meaning: &Meaning, ident: &Ident) -> Option<Symbol> {
    lower.model.vocabulary.symbol(&format!("at[{}]", meaning.word(ident)))
}

impl Draft {
    /// A name for all individuals that is one of an individual of the action: `new k  p(k) := 1`
    /// would be about all of them.
    fn hidden_by(&self, name: &Ident) -> Option<Diagnostic> {
        self.scope.find(&name.text)?;
        let message = format!("`{}` names an individual of this action already", name.text);
        let help = format!("take another name: `p(v) := p(v) | v == {}`", name.text);
        Some(Diagnostic::error("E0924", name.span, message).label("stands for any here").help(help))
    }

    fn focus(&mut self, lowering: &mut Lowering<'_>, literals: &[Expr]) {
        let mut scope = Scope { open: true, ..self.scope.clone() };
        let mut made = Vec::new();
        for literal in literals {
            let formula = lowering.formula(literal, &mut scope);
            let (positive, inner) = match &formula {
                Formula::Not(inner) => (false, &**inner),
                other => (true, other),
            };
            match inner {
                Formula::Atom(symbol, arguments) => {
                    made.push(Literal { symbol: *symbol, arguments: *arguments, positive });
                }
                // An error was told already.
                Formula::Constant(_) => {}
                _ => {
                    let told = Diagnostic::error("E0917", literal.span, "focus wants predicates");
                    lowering
                        .diagnostics
                        .push(told.help("write p(x) & !q(x, y): predicates with `&` between them"));
                }
            }
        }
        self.action.focus.push(made);
    }

    fn update(&mut self, lowering: &mut Lowering<'_>, name: &Name, parameters: &[Ident], value: &Expr) {
        let Some(symbol) = lowering.symbol(name, parameters.len()) else { return };
        if let Some((_, first)) = self.updates.iter().find(|(s, _)| *s == symbol) {
            let message = format!("`{}` is updated twice", lowering.meaning.name(name));
            let told = Diagnostic::error("E0918", name.span, message).label("the second time");
            lowering.diagnostics.push(told.also(*first, "the first time"));
            return;
        }
        self.updates.push((symbol, name.span));
        lowering.diagnostics.extend(parameters.iter().filter_map(|p| self.hidden_by(p)));
        let mut scope = self.scope.clone();
        let numbers: Vec<Var> = parameters.iter().map(|p| scope.add(&p.text)).collect();
        let formula = lowering.formula(value, &mut scope);
        let first = numbers.first().copied().unwrap_or(0);
        let parameters = [first, numbers.get(1).copied().unwrap_or(first)];
        self.action.updates.push(Update { symbol, parameters, formula });
    }

    fn finish(self) -> Action {
        self.action.finish()
    }
}

//! Threads, and actions as they are called: names and clauses to an
//! [`Action`](structures::action::Action).

use super::Lower;
use crate::ast::{Call, Clause, Expr, Ident, Name, ThreadDef};
use source::{Diagnostic, NameKind, Span};
use structures::action::{Action, Literal, Update};
use structures::formula::{self as f, Formula, Var};
use structures::model::Thread;
use structures::syntax::{Lowering, Meaning, Scope};
use structures::vocabulary::Symbol;

/// What an action is lowered into.
#[derive(Default)]
pub(super) struct Draft {
    pub action: Action,
    scope: Scope,
    updates: Vec<(Symbol, Span)>,
}

impl Lower<'_> {
    pub(super) fn thread(&mut self, meaning: &Meaning, def: &ThreadDef) {
        let ThreadDef { name, guard, ends, transitions, .. } = def;
        let number = self.model.threads.len();
        let mut lowering = self.names(meaning);
        let guard: Vec<Symbol> = guard.iter().filter_map(|name| lowering.symbol(name, 1)).collect();
        let place = |ident: &Ident| self.model.vocabulary.symbol(&format!("at[{}]", meaning.word(ident)));
        let mut thread = Thread { name: meaning.word(name), span: name.span, ..Thread::default() };
        let named = transitions.iter().flat_map(|t| [&t.from, &t.to]).chain(ends);
        for symbol in named.filter_map(&place) {
            if !thread.places.contains(&symbol) {
                thread.places.push(symbol);
            }
        }
        let steps: Vec<_> = transitions.iter().map(|t| (t, place(&t.from), place(&t.to))).collect();
        let leaves = |symbol: &Symbol| steps.iter().any(|(_, from, _)| from == &Some(*symbol));
        thread.ends = thread.places.iter().copied().filter(|p| !leaves(p)).collect();
        thread.ends.extend(ends.iter().filter_map(&place));
        self.model.threads.push(thread);
        for (t, from, to) in steps {
            let (Some(from), Some(to)) = (from, to) else { continue };
            let Some(mut draft) = self.action(meaning, &t.call, t.span, Some((from, &guard))) else {
                continue;
            };
            let [before, after] = [&t.from, &t.to].map(|place| meaning.word(place));
            draft.action.name = format!("{before}: {} -> {after}", meaning.name(&t.call.name));
            draft.action.thread = Some(number);
            draft.action.from = Some(from);
            draft.action.to = Some(to);
            draft.action.advance(from, to, draft.scope.next);
            self.model.actions.push(draft.action.finish());
        }
    }

    /// An action as it is called; a thread's starts at a place and has more to ask of who takes it.
    pub(super) fn action(
        &mut self,
        meaning: &Meaning,
        call: &Call,
        span: Span,
        actor: Option<(Symbol, &[Symbol])>,
    ) -> Option<Draft> {
        let base = meaning.word(&call.name.base);
        let Some(def) = self.actions.get(&base).copied() else {
            let error = Diagnostic::error("E0913", call.name.span, format!("no action `{base}`"));
            let known = self.actions.keys().map(|name| &**name);
            let error = error.label("not declared").meant(&base, known);
            self.diagnostics.push(error);
            return None;
        };
        if def.parameters.len() != call.name.index.len() {
            let message =
                format!("`{base}` takes {} names, not {}", def.parameters.len(), call.name.index.len());
            let error = Diagnostic::error("E0914", call.name.span, message);
            self.diagnostics.push(error.also(def.name.span, "declared here"));
            return None;
        }
        let mut inner = meaning.clone();
        meaning.mean_indexed(&call.name, def.name.span);
        for (parameter, argument) in def.parameters.iter().zip(&call.name.index) {
            inner.replace(parameter, meaning.word(argument));
        }
        let mut draft = Draft::default();
        draft.action.name = meaning.name(&call.name);
        draft.action.span = span;
        // Variable 0 is the mover, even if there is none.
        draft.scope.add(if actor.is_some() { "self" } else { "" });
        draft.action.actor = actor.map(|(from, guard)| [&[from], guard].concat());
        draft.participants(meaning, &def.clauses, &mut self.diagnostics);
        self.clauses(&inner, &def.clauses, &mut draft);
        Some(draft)
    }

    fn clauses(&mut self, meaning: &Meaning, clauses: &[Clause], draft: &mut Draft) {
        for clause in clauses {
            let mut lowering = self.names(meaning);
            match clause {
                Clause::Choose(_) | Clause::New(_) => {}
                Clause::Focus(literals) => draft.focus(&mut lowering, literals),
                Clause::When(body) => {
                    let more = lowering.formula(body, &mut draft.scope);
                    draft.action.precondition = f::and([draft.action.precondition.clone(), more]);
                }
                Clause::Update { name, parameters, value } => {
                    draft.update(&mut lowering, name, parameters, value);
                }
                Clause::Retain { variable, body } => {
                    lowering.diagnostics.extend(draft.hidden_by(variable));
                    let mut scope = draft.scope.clone();
                    meaning.define(variable, NameKind::Variable);
                    let v = scope.bind(variable);
                    draft.action.retain = Some((v, lowering.formula(body, &mut scope)));
                }
                Clause::Foreach { variable, set, clauses } => {
                    for member in meaning.members(set, &mut self.diagnostics) {
                        self.clauses(&meaning.with(variable, &member), clauses, draft);
                    }
                }
                Clause::Idle => draft.action.idle = true,
                Clause::Error(message) => draft.action.error = Some(message.text.clone()),
            }
        }
    }
}

impl Draft {
    /// Participants and newcomers are in scope everywhere in an action.
    fn participants(&mut self, meaning: &Meaning, clauses: &[Clause], diagnostics: &mut Vec<Diagnostic>) {
        for clause in clauses {
            let (Clause::Choose(names) | Clause::New(names)) = clause else { continue };
            names.iter().for_each(|name| meaning.define(name, NameKind::Variable));
            names.iter().for_each(|name| diagnostics.extend(self.hidden_by(name)));
            let numbers: Vec<Var> = names.iter().map(|n| self.scope.bind(n)).collect();
            match clause {
                Clause::New(_) => self.action.created.extend(numbers),
                _ => self.action.parameters.extend(numbers),
            }
        }
    }

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
            let (positive, inner) = formula.signed();
            match inner {
                Formula::Atom(symbol, arguments) => {
                    made.push(Literal { symbol: *symbol, arguments: *arguments, positive });
                }
                // An error was reported already.
                Formula::Constant(_) => {}
                _ => {
                    let error = Diagnostic::error("E0917", literal.span, "focus needs predicates");
                    lowering
                        .diagnostics
                        .push(error.help("write p(x) & !q(x, y): predicates with `&` between them"));
                }
            }
        }
        self.action.focus.push(made);
    }

    fn update(&mut self, lowering: &mut Lowering<'_>, name: &Name, parameters: &[Ident], value: &Expr) {
        let Some(symbol) = lowering.symbol(name, parameters.len()) else { return };
        if let Some((_, first)) = self.updates.iter().find(|(s, _)| *s == symbol) {
            let message = format!("`{}` is updated twice", lowering.meaning.name(name));
            let error = Diagnostic::error("E0918", name.span, message).label("the second time");
            lowering.diagnostics.push(error.also(*first, "the first time"));
            return;
        }
        self.updates.push((symbol, name.span));
        lowering.diagnostics.extend(parameters.iter().filter_map(|p| self.hidden_by(p)));
        let mut scope = self.scope.clone();
        parameters.iter().for_each(|p| lowering.meaning.define(p, NameKind::Variable));
        let numbers: Vec<Var> = parameters.iter().map(|p| scope.bind(p)).collect();
        let formula = lowering.formula(value, &mut scope);
        let first = numbers.first().copied().unwrap_or(0);
        let parameters = [first, numbers.get(1).copied().unwrap_or(first)];
        self.action.updates.push(Update { symbol, parameters, formula });
    }
}

//! Formulas with names to formulas with numbers.

use super::tree::{Expr, ExprKind, Ident, Name};
use crate::formula::{self as f, Formula, VARIABLES, Var};
use crate::vocabulary::{Symbol, Vocabulary};
use source::{Diagnostic, NameKind, Recorder, Span};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What names stand for here.
#[derive(Clone, Debug, Default)]
pub struct Meaning {
    /// The members of each set.
    pub sets: HashMap<String, Vec<String>>,
    /// What the variables of `foreach` and the parameters of actions are replaced by.
    pub stands_for: HashMap<String, String>,
    /// Where sets, and what is replaced, were introduced.
    pub places: HashMap<String, Span>,
    /// What names mean, for editors; shared by all meanings of a text, and never asked here.
    pub names: Rc<RefCell<Recorder>>,
}

impl Meaning {
    /// The name after replacement.
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

    /// With one more variable replaced.
    pub fn with(&self, variable: &Ident, value: &str) -> Meaning {
        let mut inner = self.clone();
        inner.replace(variable, value.to_string());
        inner
    }

    /// One more variable is replaced.
    pub fn replace(&mut self, variable: &Ident, value: String) {
        self.define(variable, NameKind::Parameter);
        self.places.insert(variable.text.clone(), variable.span);
        self.stands_for.insert(variable.text.clone(), value);
    }

    /// Notes that a name is introduced.
    pub fn define(&self, name: &Ident, kind: NameKind) {
        self.names.borrow_mut().define(&name.written(), kind);
    }

    /// Notes what a name means.
    pub fn mean(&self, name: &Ident, defined: Span) {
        self.names.borrow_mut().mean(&name.written(), defined);
    }

    /// Notes what a name means that was introduced with a place.
    fn mean_placed(&self, name: &Ident) {
        if let Some(defined) = self.places.get(&name.text) {
            self.mean(name, *defined);
        }
    }

    /// Notes that a name with indices means what is declared at a place; an index may be what makes
    /// the difference there, or what is replaced here.
    pub fn mean_indexed(&self, name: &Name, declared: Span) {
        let base = Span { end: declared.start + name.base.text.len() as u32, ..declared };
        self.mean(&name.base, base);
        for index in &name.index {
            self.mean(index, declared);
            self.mean_placed(index);
        }
    }

    /// The members of a set; an unknown set is reported, and empty.
    pub fn members(&self, set: &Ident, diagnostics: &mut Vec<Diagnostic>) -> Vec<String> {
        self.mean_placed(set);
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

/// Variables with their numbers, innermost last.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Names and numbers; the last one of a name counts.
    pub variables: Vec<(String, Var)>,
    /// Where they were introduced, if that is in the text.
    pub places: HashMap<Var, Span>,
    /// Bound variables are numbered from here on.
    pub next: Var,
    /// Unknown variables are taken in as they come: free variables of a constraint, or of a focus
    /// clause.
    pub open: bool,
}

/// Turns syntax trees into formulas, and reports what is wrong with them.
pub struct Lowering<'a> {
    /// The predicates that may be used.
    pub vocabulary: &'a Vocabulary,
    /// What names stand for.
    pub meaning: &'a Meaning,
    /// Errors are added here.
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

impl Scope {
    /// These variables, numbered from 0.
    pub fn of(names: &[Ident]) -> Scope {
        let mut scope = Scope::default();
        for name in names {
            scope.bind(name);
        }
        scope
    }

    /// As [`Scope::add`], for a variable of the text.
    pub fn bind(&mut self, name: &Ident) -> Var {
        let number = self.add(&name.text);
        self.places.insert(number, name.span);
        number
    }

    /// Adds an innermost variable under the next number.
    pub fn add(&mut self, name: &str) -> Var {
        let number = self.next;
        self.variables.push((name.to_string(), number));
        self.places.remove(&number);
        self.next += 1;
        number
    }

    /// The number of the innermost variable of this name.
    pub fn find(&self, name: &str) -> Option<Var> {
        self.variables.iter().rev().find(|(n, _)| n == name).map(|(_, v)| *v)
    }
}

impl Lowering<'_> {
    /// The formula of a tree; 1/2 where an error was reported.
    pub fn formula(&mut self, e: &Expr, scope: &mut Scope) -> Formula {
        if usize::from(scope.next) + 4 > VARIABLES {
            self.error("E0906", e, "too many variables", "at most 60 are in scope at a time");
            return f::UNKNOWN;
        }
        match &e.kind {
            ExprKind::Value(value) => Formula::Constant(*value),
            ExprKind::Atom(name, arguments) => self.atom(name, arguments, scope),
            ExprKind::Reach { name, reflexive, from, to } => {
                let (a, b) = (self.variable(from, scope), self.variable(to, scope));
                let Some(symbol) = self.symbol(name, 2) else { return f::UNKNOWN };
                let (x, y) = (scope.next, scope.next + 1);
                let step = f::atom(symbol, &[x, y]);
                if *reflexive { f::reflexive_closure(a, b, x, y, step) } else { f::closure(a, b, x, y, step) }
            }
            ExprKind::Equal(a, b) => f::equal(self.variable(a, scope), self.variable(b, scope)),
            ExprKind::Not(inner) => f::not(self.formula(inner, scope)),
            ExprKind::And(a, b) => f::and([self.formula(a, scope), self.formula(b, scope)]),
            ExprKind::Or(a, b) => f::or([self.formula(a, scope), self.formula(b, scope)]),
            ExprKind::Implies(a, b) => f::implies(self.formula(a, scope), self.formula(b, scope)),
            ExprKind::Iff(a, b) => {
                let (a, b) = (self.formula(a, scope), self.formula(b, scope));
                f::or([f::and([a.clone(), b.clone()]), f::and([f::not(a), f::not(b)])])
            }
            ExprKind::Quantified { all, variables, body } => self.quantified(*all, variables, body, scope),
            ExprKind::OverSet { all, variable, set, body } => {
                let members = self.meaning.members(set, self.diagnostics);
                let parts: Vec<Formula> = members
                    .iter()
                    .map(|member| {
                        let meaning = self.meaning.with(variable, member);
                        let (vocabulary, diagnostics) = (self.vocabulary, &mut *self.diagnostics);
                        Lowering { vocabulary, meaning: &meaning, diagnostics }.formula(body, scope)
                    })
                    .collect();
                if *all { f::and(parts) } else { f::or(parts) }
            }
            ExprKind::Closure { from, to, x, y, body } => {
                let (a, b) = (self.variable(from, scope), self.variable(to, scope));
                let (depth, next) = (scope.variables.len(), scope.next);
                [x, y].into_iter().for_each(|v| self.meaning.define(v, NameKind::Variable));
                let (vx, vy) = (scope.bind(x), scope.bind(y));
                let body = self.formula(body, scope);
                scope.variables.truncate(depth);
                scope.next = next;
                f::closure(a, b, vx, vy, body)
            }
            ExprKind::Choice(parts) => {
                let [c, a, b] = &**parts;
                f::choose(self.formula(c, scope), self.formula(a, scope), self.formula(b, scope))
            }
            ExprKind::Bad => f::UNKNOWN,
        }
    }

    fn quantified(&mut self, all: bool, variables: &[Ident], body: &Expr, scope: &mut Scope) -> Formula {
        if scope.open {
            // Free variables that come up inside must not vanish with the bound ones.
            self.open_names(body, &mut variables.iter().map(|v| v.text.clone()).collect(), scope);
        }
        let mut inner = Scope { open: false, ..scope.clone() };
        variables.iter().for_each(|v| self.meaning.define(v, NameKind::Variable));
        let bound: Vec<Var> = variables.iter().map(|v| inner.bind(v)).collect();
        let body = self.formula(body, &mut inner);
        let quantify = if all { f::forall } else { f::exists };
        bound.into_iter().rev().fold(body, |body, v| quantify(v, body))
    }

    /// Takes in the free variables of a formula.
    fn open_names(&mut self, e: &Expr, bound: &mut Vec<String>, scope: &mut Scope) {
        let meaning = self.meaning;
        let mut take = |ident: &Ident, bound: &[String]| {
            if !bound.contains(&ident.text) && scope.find(&ident.text).is_none() {
                meaning.define(ident, NameKind::Variable);
                scope.bind(ident);
            }
        };
        match &e.kind {
            ExprKind::Value(_) | ExprKind::Bad => {}
            ExprKind::Atom(_, arguments) => arguments.iter().for_each(|a| take(a, bound)),
            ExprKind::Reach { from, to, .. } => [from, to].into_iter().for_each(|a| take(a, bound)),
            ExprKind::Equal(a, b) => [a, b].into_iter().for_each(|a| take(a, bound)),
            ExprKind::Not(inner) | ExprKind::OverSet { body: inner, .. } => {
                self.open_names(inner, bound, scope)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Implies(a, b) | ExprKind::Iff(a, b) => {
                self.open_names(a, bound, scope);
                self.open_names(b, bound, scope);
            }
            ExprKind::Quantified { variables, body, .. } => {
                let depth = bound.len();
                bound.extend(variables.iter().map(|v| v.text.clone()));
                self.open_names(body, bound, scope);
                bound.truncate(depth);
            }
            ExprKind::Closure { from, to, x, y, body } => {
                [from, to].into_iter().for_each(|a| take(a, bound));
                let depth = bound.len();
                bound.extend([x.text.clone(), y.text.clone()]);
                self.open_names(body, bound, scope);
                bound.truncate(depth);
            }
            ExprKind::Choice(parts) => parts.iter().for_each(|p| self.open_names(p, bound, scope)),
        }
    }

    fn atom(&mut self, name: &Name, arguments: &[Ident], scope: &mut Scope) -> Formula {
        let numbers: Vec<Var> = arguments.iter().map(|a| self.variable(a, scope)).collect();
        match self.symbol(name, arguments.len()) {
            Some(symbol) => f::atom(symbol, &numbers),
            None => f::UNKNOWN,
        }
    }

    /// The number of a variable; an unknown one is added to an open scope, else reported.
    pub fn variable(&mut self, ident: &Ident, scope: &mut Scope) -> Var {
        if let Some(number) = scope.find(&ident.text) {
            scope.places.get(&number).into_iter().for_each(|place| self.meaning.mean(ident, *place));
            return number;
        }
        if !scope.open {
            let known: Vec<&str> = scope.variables.iter().map(|(name, _)| name.as_str()).collect();
            let message = format!("no variable `{}`", ident.text);
            let mut error = Diagnostic::error("E0903", ident.span, message).label("not bound here");
            error = error.meant(&ident.text, known.iter().copied());
            if !known.is_empty() {
                error = error.note(format!("in scope: {}", known.join(", ")));
            }
            self.diagnostics.push(error);
            return 0;
        }
        self.meaning.define(ident, NameKind::Variable);
        scope.bind(ident)
    }

    /// The predicate of a name, if it has this many arguments.
    pub fn symbol(&mut self, name: &Name, arity: usize) -> Option<Symbol> {
        let text = self.meaning.name(name);
        let Some(predicate) = self.vocabulary.find(&text).filter(|p| !p.hidden) else {
            let message = format!("no predicate `{text}`");
            let error = Diagnostic::error("E0904", name.span, message).label("not declared");
            // One with as many arguments was meant, if one is near.
            let known = |fits: bool| {
                let all = self.vocabulary.predicates.iter().filter(|p| !p.hidden);
                all.filter(move |p| (p.symbol.arity() == arity) == fits).map(|p| p.name.as_str())
            };
            let fits = source::nearest(&text, known(true)).is_some();
            let error = error.meant(&text, known(fits));
            self.diagnostics.push(error);
            return None;
        };
        self.meaning.mean_indexed(name, predicate.span);
        let declared = predicate.symbol.arity();
        if declared != arity {
            let message = format!(
                "`{text}` takes {} argument{}, not {arity}",
                declared,
                if declared == 1 { "" } else { "s" }
            );
            let error = Diagnostic::error("E0905", name.span, message).label("wrong number of arguments");
            let arguments = ["", "(x)", "(x, y)"].get(declared).copied().unwrap_or_default();
            let error = error.help(format!("write `{text}{arguments}`"));
            self.diagnostics.push(error.also(predicate.span, "declared here"));
            return None;
        }
        Some(predicate.symbol)
    }

    fn error(&mut self, code: &'static str, e: &Expr, message: &str, note: &str) {
        self.diagnostics.push(Diagnostic::error(code, e.span, message).note(note));
    }
}

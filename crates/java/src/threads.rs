//! Threads: what they run, what their lambdas capture, their start and their end.

use crate::draft::{Draft, Mover, SELF, Variable};
use crate::flow::Label;
use crate::lower::Lower;
use crate::monitors::LOCKS;
use crate::program::Type;
use crate::tree::child;
use std::collections::BTreeMap;
use structures::formula::{self as f, Var};
use structures::vocabulary::{Attribute, Symbol};
use tree_sitter::Node;

/// A lambda that is the body of a thread.
#[derive(Clone, Debug)]
pub struct Lambda<'t> {
    pub name: String,
    pub class: String,
    pub body: Node<'t>,
    pub scope: BTreeMap<String, (Variable, Type)>,
    pub this: Variable,
}

impl<'t> Lower<'t> {
    pub fn target(&mut self) -> Symbol {
        self.symbol("target", 2, &[Attribute::Function])
    }

    /// That a thread runs the `run` of an object of a class.
    pub fn runs(&mut self, class: &str) -> Symbol {
        self.symbol(&format!("runs[{class}]"), 1, &[])
    }

    pub fn kind(&mut self, class: &str) {
        if !self.kinds.iter().any(|k| k == class) {
            self.kinds.push(class.to_string());
        }
    }

    /// `new Thread(argument)`: a lambda, or an object with `run`.
    pub fn thread_that_runs(&mut self, argument: Node<'t>, node: Node<'t>, at: &mut Label) -> Variable {
        if argument.kind() == "lambda_expression" {
            return self.thread_of(argument, node, at);
        }
        let (runnable, kind) = self.operand(argument, at);
        // Whatever it is, one below its static type.
        let below = self.program.below(&kind);
        if self.program.is_thread(&kind) || below.iter().any(|c| self.program.is_thread(c)) {
            self.program.outside(argument);
        }
        if below.is_empty() || below.iter().any(|c| self.program.find_method(c, "run", 0).is_none()) {
            let what = if kind.is_empty() { "this".to_string() } else { format!("`{kind}`") };
            self.error("E0803", argument, format!("{what} has no `run` in this file"));
        }
        below.iter().for_each(|class| self.kind(class));
        let (mut draft, n, result) = self.creating("Thread", node);
        let target = self.target();
        draft.focus(&runnable, None);
        let (t, r) = (draft.fresh(), draft.fresh());
        let given = draft.is(&runnable, r);
        for class in &below {
            // Which `run` is known of the thread itself, whatever becomes of the objects.
            let (runs, is) = (self.runs(class), self.instance(class));
            let of_class = f::exists(r, f::and([given.clone(), f::atom(is, &[r])]));
            draft.update(runs, &[t], f::or([f::atom(runs, &[t]), f::and([f::equal(t, n), of_class])]));
        }
        self.runs_nothing(&runnable, node, *at);
        let some = draft.is_null(&runnable);
        draft.when(f::not(some));
        draft.update(target, &[t, r], f::or([f::atom(target, &[t, r]), f::and([f::equal(t, n), given])]));
        self.then(draft, at, node);
        result
    }

    /// A thread that is given null does nothing, which is not followed.
    fn runs_nothing(&mut self, runnable: &Variable, node: Node<'t>, at: Label) {
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.action.beyond = Some(format!("a thread gets null to run (line {})", self.program.line(node)));
        draft.focus(runnable, None);
        let null = draft.is_null(runnable);
        draft.when(null);
        self.flow.add(draft, at, self.flow.exit);
    }

    /// `new Thread(() -> …)`: what the lambda captures goes with the thread.
    fn thread_of(&mut self, lambda: Node<'t>, node: Node<'t>, at: &mut Label) -> Variable {
        let Some(body) = child(lambda, "body") else { return Variable::Null };
        let mut name = format!("lambda{}", self.program.line(lambda));
        if self.lambdas.iter().any(|l| l.name == name && l.body.id() != body.id()) {
            name = format!("{name}.{}", lambda.start_position().column);
        }
        let is = self.instance(&name);
        let result = self.local("new", &Type::Reference("Thread".to_string()));
        let mut draft = self.draft(node).moving(Mover::Yes);
        let n = draft.create();
        draft.add(is, n);
        draft.assign(&result, |_, o| f::equal(o, n));
        let mut captured: Vec<(String, Variable, Type)> = Vec::new();
        let text = self.program.text(body);
        let mentions = |name: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == name);
        for scope in &self.scopes {
            for (name, (variable, ty)) in scope.iter().filter(|(name, _)| mentions(name)) {
                captured.push((name.clone(), variable.clone(), ty.clone()));
            }
        }
        captured.push(("this".to_string(), self.this.clone(), Type::Reference(self.class.clone())));
        let mut scope = BTreeMap::new();
        let mut this = Variable::Null;
        for (word, variable, ty) in captured {
            if let Some(own) = self.captured_values(&mut draft, n, &format!("{name}.{word}"), &variable) {
                scope.insert(word, (own, ty));
                continue;
            }
            if !matches!(variable, Variable::Single(_) | Variable::PerThread(_) | Variable::Myself) {
                if word != "this" {
                    scope.insert(word, (variable, ty));
                }
                continue;
            }
            let known = matches!(&ty, Type::Reference(class) if self.program.is_thread(class));
            self.sharing.known_threads |= known || variable == Variable::Myself;
            let symbol = self.symbol(&format!("{name}.{word}"), 2, &[Attribute::Function]);
            draft.focus(&variable, None);
            let (t, p) = (draft.fresh(), draft.fresh());
            let value = draft.is(&variable, p);
            draft.update(symbol, &[t, p], f::or([f::atom(symbol, &[t, p]), f::and([f::equal(t, n), value])]));
            match word.as_str() {
                "this" => this = Variable::PerThread(symbol),
                _ => drop(scope.insert(word, (Variable::PerThread(symbol), ty))),
            }
        }
        if !self.lambdas.iter().any(|l| l.name == name) {
            self.lambdas.push(Lambda { name, class: self.class.clone(), body, scope, this });
        }
        self.then(draft, at, node);
        result
    }

    /// Truth values and numbers that a lambda captures; `None` for references.
    fn captured_values(
        &mut self,
        draft: &mut Draft,
        n: Var,
        name: &str,
        variable: &Variable,
    ) -> Option<Variable> {
        let mut give = |lower: &mut Self, name: &str, of: Symbol| {
            let symbol = lower.symbol(name, 1, &[]);
            let t = draft.fresh();
            let value = f::atom(of, &[SELF][..of.arity()]);
            draft.uses.insert(of);
            draft.update(symbol, &[t], f::or([f::atom(symbol, &[t]), f::and([f::equal(t, n), value])]));
            symbol
        };
        match variable {
            Variable::SingleFlag(of) | Variable::ThreadFlag(of) => {
                Some(Variable::ThreadFlag(give(self, name, *of)))
            }
            Variable::Number(symbols) => {
                let one = |(v, of): &(i64, Symbol)| (*v, give(self, &format!("{name}={v}"), *of));
                Some(Variable::Number(symbols.iter().map(one).collect()))
            }
            Variable::Nothing => Some(Variable::Nothing),
            _ => None,
        }
    }

    pub fn start(&mut self, thread: &Variable, node: Node<'t>, at: &mut Label) {
        self.not_null(thread, node, *at);
        let started = self.symbol("started", 1, &[]);
        let mut twice = self.draft(node).moving(Mover::Start);
        let x = twice.refers(thread);
        twice.when(f::atom(started, &[x]));
        self.fails(twice, *at, "started twice", node);
        let mut draft = self.draft(node).moving(Mover::Start);
        let x = draft.refers(thread);
        draft.when(f::not(f::atom(started, &[x])));
        draft.add(started, x);
        draft.starts = Some(x);
        self.then(draft, at, node);
    }

    /// `join` takes the monitor of the thread and waits on it: it must be free, unless who joins
    /// holds it, which is not followed.
    pub fn join(&mut self, thread: &Variable, node: Node<'t>, at: &mut Label) {
        self.not_null(thread, node, *at);
        self.interruption(None, node, *at);
        self.joins.push((self.number, *at, thread.clone()));
        let held = self.held();
        let mut draft = self.draft(node);
        let x = draft.refers(thread);
        let mut own = draft.clone();
        own.when(f::atom(held, &[x, SELF]));
        let line = self.program.line(node);
        own.action.beyond = Some(format!("a thread is joined while its monitor is held (line {line})"));
        draft.when(self.is_free(x));
        draft.joins = Some(x);
        let to = self.label(node);
        self.flow.add(own, *at, to);
        self.flow.add(draft, *at, to);
        *at = to;
    }

    /// Whether an object of this static type may be a thread.
    pub fn may_be_thread(&self, class: &str) -> bool {
        // A type variable, or one of the library.
        let open = !self.program.is_own(class) && !LOCKS.contains(&class) && class != "Class";
        open || self.program.classes.keys().any(|c| self.program.is_thread(c) && self.program.is_a(c, class))
    }
}

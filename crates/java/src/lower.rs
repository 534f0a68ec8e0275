//! What is known while code becomes actions: where it is, what names mean, what was declared.
//!
//! Leaving a `synchronized` block or a `try` with `finally`, by whatever way, undoes what has to be
//! undone: `undo` is the stack of that.

use crate::draft::{Draft, Monitor, Variable};
use crate::flow::{Flow, Label};
use crate::program::{Program, Type};
use crate::raise::Handler;
use crate::reading::Reading;
use crate::sharing::Sharing;
use crate::threads::Lambda;
use source::{Diagnostic, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use structures::formula::{self as f};
use structures::vocabulary::{Attribute, Symbol, Vocabulary};
use tree_sitter::Node;

/// What has to happen when a block is left.
#[derive(Clone, Debug)]
pub enum Undo<'t> {
    /// Give back a lock.
    Unlock(Taken),
    /// With what names mean there, and how many handlers are in force.
    Finally(Node<'t>, Box<Frame>, usize),
}

/// A lock that was taken, and where; the flag tells whether it was held before.
#[derive(Clone, Debug)]
pub struct Taken {
    pub lock: Variable,
    pub flag: Option<Variable>,
    pub span: Span,
}

/// What names mean, and where `return` and `break` lead.
#[derive(Clone, Debug)]
pub struct Frame {
    pub scopes: Vec<BTreeMap<String, (Variable, Type)>>,
    pub this: Variable,
    pub class: String,
    pub returns: Option<Return>,
    pub loops: Vec<Loop>,
}

/// Where `break` and `continue` lead, and how much is to be undone.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    pub after: Label,
    pub again: Label,
    pub undo: usize,
}

/// Where `return` leads.
#[derive(Clone, Debug)]
pub struct Return {
    pub to: Label,
    pub result: Variable,
    pub undo: usize,
}

/// A place where a thread asks for a lock: which flow, where, and which lock.
#[derive(Clone, Debug)]
pub struct Wish {
    pub flow: usize,
    pub label: Label,
    pub lock: Variable,
    /// It has just been woken and wants its monitor back.
    pub woken: bool,
}

#[derive(Default)]
pub struct Lower<'t> {
    pub program: Program<'t>,
    pub vocabulary: Vocabulary,
    pub flow: Flow,
    pub number: usize,
    pub wishes: Vec<Wish>,
    /// Places where threads wait to be woken: which flow, where, and on what.
    pub waits: Vec<(usize, Label, Monitor)>,
    /// Places where threads wait for the end of another: which flow, where, and for which thread.
    pub joins: Vec<(usize, Label, Variable)>,
    /// A thread may wait on one monitor while it holds another.
    pub nested_waits: bool,
    /// Classes whose `run` is a thread, and lambdas that are.
    pub kinds: Vec<String>,
    pub lambdas: Vec<Lambda<'t>>,
    pub is_main: bool,
    pub class: String,
    pub this: Variable,
    pub scopes: Vec<BTreeMap<String, (Variable, Type)>>,
    /// Each with a number of its own.
    pub undo: Vec<(usize, Undo<'t>)>,
    pub serials: usize,
    pub handlers: Vec<Handler>,
    /// Ways out of blocks: the labels on each, and where it leads.
    pub leavings: Vec<(Range<Label>, Label)>,
    /// Where exceptions begin to leave, by what they leave and where they are caught.
    pub outlets: BTreeMap<Outlet, Label>,
    pub loops: Vec<Loop>,
    pub returns: Option<Return>,
    /// Methods that are called and objects that are created where code is lowered.
    pub calls: Vec<String>,
    temps: usize,
    /// The next branch on forgotten values is meant to go either way.
    pub any: bool,
    pub sharing: Sharing,
    pub reading: Reading,
    /// Something waits for a notification; something ends if its thread is interrupted.
    pub sleeps: bool,
    pub interruptible: bool,
    /// The condition of a loop that surely ends.
    pub counted: Option<usize>,
    /// The bodies of tasks that are submitted: what they throw is kept for who asks.
    pub submitted: std::collections::BTreeSet<usize>,
    /// Classes that are being initialized where code is lowered.
    pub initing: Vec<String>,
}

/// What an exception leaves, where it is caught, and what is said if it is not.
pub type Outlet = (usize, Option<Label>, Option<(String, usize)>);

/// Predicates that every program has.
pub const HELD: &str = "held_by";

/// A local variable with the number that tells it from others of its name.
fn numbered(name: &str, number: usize) -> String {
    let apart = if name.ends_with(|c: char| c.is_ascii_digit() || c == '_') { "_" } else { "" };
    format!("{name}{apart}{number}")
}

/// The name that the text has for a local variable, by that of its predicate behind the colon.
pub fn local_name(numbered: &str) -> &str {
    let name = numbered.trim_end_matches(|c: char| c.is_ascii_digit());
    name.strip_suffix('_').unwrap_or(name)
}

impl<'t> Lower<'t> {
    pub fn new(program: Program<'t>) -> Lower<'t> {
        let mut vocabulary = Vocabulary::new();
        let span = Span::default();
        vocabulary.declare("started", 1, span);
        let held = vocabulary.declare(HELD, 2, span);
        if let Some(p) = vocabulary.predicates.last_mut() {
            p.attributes.push(Attribute::Function);
        }
        vocabulary.derive("is_acquired", 1, span, f::exists(1, f::atom(held, &[0, 1])));
        let scopes = vec![BTreeMap::new()];
        Lower { program, vocabulary, is_main: true, scopes, ..Lower::default() }
    }

    pub fn error(&mut self, code: &'static str, node: Node<'_>, message: impl Into<String>) {
        let span = self.program.span(node);
        self.program.diagnostics.push(Diagnostic::error(code, span, message));
    }

    /// A name that is no variable and no field here; those of enclosing classes need theirs.
    pub fn unknown(&mut self, node: Node<'_>, name: &str) {
        let message = format!("no variable or field `{name}`");
        let error = Diagnostic::error("E0803", self.program.span(node), message).label("not declared here");
        let locals = self.scopes.iter().flat_map(|scope| scope.keys()).map(String::as_str);
        let (own, others): (Vec<_>, Vec<_>) =
            self.program.classes.values().flat_map(|c| &c.fields).partition(|f| f.class == self.class);
        let known = locals.chain(own.iter().map(|f| f.name.as_str()));
        let elsewhere: Vec<String> =
            others.iter().filter(|f| f.is_static).map(|f| format!("{}.{}", f.class, f.name)).collect();
        let same = elsewhere.iter().find(|full| full.rsplit('.').next() == Some(name));
        let near = || source::nearest(name, others.iter().filter(|f| f.is_static).map(|f| f.name.as_str()));
        let meant = || elsewhere.iter().find(|full| full.rsplit('.').next() == near());
        let error = match (same, source::nearest(name, known.clone())) {
            (Some(full), _) => error
                .note("that the field of an enclosing class is meant by its name alone is not modelled")
                .help(format!("write `{full}`")),
            (None, Some(near)) => error.help(format!("did you mean `{near}`?")),
            (None, None) => match meant() {
                Some(full) => error.help(format!("did you mean `{full}`?")),
                None => error,
            },
        };
        self.program.diagnostics.push(error);
    }

    /// A predicate by its name, declared when it is first needed.
    pub fn symbol(&mut self, name: &str, arity: usize, attributes: &[Attribute]) -> Symbol {
        if let Some(symbol) = self.vocabulary.symbol(name) {
            return symbol;
        }
        let symbol = self.vocabulary.declare(name, arity, Span::default());
        if let Some(p) = self.vocabulary.predicates.last_mut() {
            p.attributes = attributes.to_vec();
        }
        symbol
    }

    /// A local variable of the current kind of thread.
    pub fn local(&mut self, name: &str, ty: &Type) -> Variable {
        self.temps += 1;
        let name = format!("{}:{}", self.flow.name, numbered(name, self.temps));
        if let Type::Number(low, high) = ty {
            return self.local_number(&name, *low, *high);
        }
        let variable = match (ty, self.is_main) {
            (Type::Reference(_), true) => Variable::Single(self.symbol(&name, 1, &[Attribute::Unique])),
            (Type::Reference(_), false) => Variable::PerThread(self.symbol(&name, 2, &[Attribute::Function])),
            (Type::Boolean, true) => Variable::SingleFlag(self.symbol(&name, 0, &[])),
            (Type::Boolean, false) => Variable::ThreadFlag(self.symbol(&name, 1, &[])),
            _ => return Variable::Nothing,
        };
        match variable {
            Variable::Single(s) | Variable::PerThread(s) | Variable::SingleFlag(s) => {
                self.flow.locals.insert(s);
            }
            Variable::ThreadFlag(s) => {
                self.flow.locals.insert(s);
                self.flow.flags.insert(s);
            }
            _ => {}
        }
        variable
    }

    /// A local variable that the text declares: its predicates know where.
    pub fn declared(&mut self, name: &str, ty: &Type, node: Node<'_>) -> Variable {
        let span = self.program.span(node);
        let known = self.vocabulary.predicates.len();
        let variable = self.local(name, ty);
        self.vocabulary.predicates.iter_mut().skip(known).for_each(|p| p.span = span);
        variable
    }

    pub fn label(&mut self, node: Node<'_>) -> Label {
        let name = format!("{}:{}", self.flow.name, self.program.line(node));
        self.flow.label(name)
    }

    /// An action named after its statement.
    pub fn draft(&self, node: Node<'_>) -> Draft {
        let text: Vec<&str> = self.program.text(node).split_whitespace().collect();
        let mut text = text.join(" ");
        if text.chars().count() > 48 {
            text = text.chars().take(45).chain("...".chars()).collect();
        }
        Draft::new(&text, self.program.span(node))
    }

    /// Adds an action that goes on at a new label.
    pub fn then(&mut self, draft: Draft, at: &mut Label, node: Node<'_>) {
        let to = self.label(node);
        self.flow.add(draft, *at, to);
        *at = to;
    }
}

#[cfg(test)]
mod tests {
    use super::{local_name, numbered};

    #[test]
    fn a_numbered_variable_has_its_name_again() {
        for name in ["node", "r0", "r_", "_", "x1_2", "a_b", "n10"] {
            assert_eq!(local_name(&numbered(name, 17)), name);
        }
    }
}

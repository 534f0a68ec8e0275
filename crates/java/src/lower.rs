//! Statements to actions: at most one access to shared memory in each.
//!
//! Calls are inlined. Leaving a `synchronized` block or a `try` with `finally`, by whatever way,
//! undoes what has to be undone: `undo` is the stack of that.

use crate::flow::{Draft, Flow, Label, Monitor, Mover, Region, Variable};
use crate::library::Lambda;
use crate::program::{Class, Field, Method, Program, Type, children, parts};
use crate::raise::Handler;
use crate::reading::Reading;
use crate::sharing::Sharing;
use source::{Diagnostic, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use structures::formula::{self as f};
use structures::vocabulary::{Attribute, Symbol, Vocabulary};
use tree_sitter::Node;

/// What has to happen when a block is left.
#[derive(Clone, Debug)]
pub enum Undo<'t> {
    /// Give back a lock; the flag tells whether it was held before.
    Unlock(Variable, Option<Variable>, Span),
    /// With what names mean there, and how many handlers are in force.
    Finally(Node<'t>, Box<Frame>, usize),
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
    after: Label,
    again: Label,
    undo: usize,
}

/// Where `return` leads.
#[derive(Clone, Debug)]
pub struct Return {
    to: Label,
    result: Variable,
    undo: usize,
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
        Lower {
            program,
            vocabulary,
            flow: Flow::default(),
            number: 0,
            wishes: Vec::new(),
            waits: Vec::new(),
            joins: Vec::new(),
            nested_waits: false,
            kinds: Vec::new(),
            lambdas: Vec::new(),
            is_main: true,
            class: String::new(),
            this: Variable::Null,
            scopes: vec![BTreeMap::new()],
            undo: Vec::new(),
            serials: 0,
            handlers: Vec::new(),
            leavings: Vec::new(),
            outlets: BTreeMap::new(),
            loops: Vec::new(),
            returns: None,
            calls: Vec::new(),
            temps: 0,
            any: false,
            sharing: Sharing::default(),
            reading: Reading::default(),
            sleeps: false,
            interruptible: false,
            initing: Vec::new(),
            counted: None,
            submitted: Default::default(),
        }
    }

    pub fn error(&mut self, code: &'static str, node: Node<'_>, message: impl Into<String>) {
        let span = self.program.span(node);
        self.program.diagnostics.push(Diagnostic::error(code, span, message));
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
        let name = format!("{}:{name}{}", self.flow.name, self.temps);
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

    /// A kind of thread: main, or the `run` of a class.
    pub fn context(&mut self, number: usize, method: &Method<'t>, this: Variable, is_main: bool) {
        self.number = number;
        self.is_main = is_main;
        self.flow = Flow::new(format!("{}.{}", method.class, method.name));
        (self.undo, self.loops) = (Vec::new(), Vec::new());
        (self.handlers, self.outlets) = (Vec::new(), BTreeMap::new());
        self.calls = Vec::new();
        self.this = this;
        self.class = method.class.clone();
        // Nothing happens at the exit, so there is a place before it.
        let end = self.flow.label(format!("{}.return", self.flow.name));
        self.returns = Some(Return { to: end, result: Variable::Nothing, undo: 0 });
        let mut at = self.flow.entry;
        if is_main {
            self.static_values(&mut at);
            let named = |name: &str| method.body.is_some_and(|body| self.program.assigns(body, name));
            let given = |name: &String| if named(name) { Type::Loose } else { Type::Forgotten };
            let scope = method.parameters.iter().map(|(n, _)| (n.clone(), (Variable::Nothing, given(n))));
            self.scopes = vec![scope.collect()];
        }
        if let Some(body) = method.body.filter(|_| is_main || method.is_private) {
            self.ensure(&method.class, body, &mut at);
        }
        self.body(method, at, end);
        let ends = Draft::new("end", method.span).moving(Mover::Yes);
        self.flow.add(ends, end, self.flow.exit);
        self.flow.end = end;
        self.flow.body = method.body.map(|b| b.id());
        self.flow.go_round(method.span);
    }

    /// Static fields get their values before main begins.
    fn static_values(&mut self, at: &mut Label) {
        let classes: Vec<Class<'t>> = self.in_order();
        for class in &classes {
            if class.methods.iter().any(|m| m.is_static && m.is_synchronized)
                || self.is_monitored(&class.name)
            {
                self.create_class_object(class, at);
            }
        }
        let plain: Vec<&Class<'t>> =
            classes.iter().filter(|c| !self.program.lazy.contains(&c.name)).collect();
        let values = || plain.iter().flat_map(|c| &c.fields).filter(|f| f.is_static).filter_map(|f| f.value);
        self.sharing.alone = values().all(|value| self.program.is_calm(value));
        for class in plain {
            self.class_values(class, at);
        }
        self.sharing.alone = false;
        self.class = self.flow.name.split('.').next().unwrap_or("").to_string();
    }

    /// The static fields of a class get their values.
    pub fn class_values(&mut self, class: &Class<'t>, at: &mut Label) {
        let fields: Vec<Field<'t>> = self.program.initialized(class).cloned().collect();
        for field in fields {
            if let Some(value) = field.value {
                self.class = class.name.clone();
                self.assign_field(None, &field.name, value, value, at);
            }
        }
    }

    /// The classes, those first whose static fields others read for theirs.
    fn in_order(&self) -> Vec<Class<'t>> {
        let mut order: Vec<Class<'t>> = Vec::new();
        let mut open: Vec<Class<'t>> = self.program.classes.values().cloned().collect();
        while !open.is_empty() {
            let values =
                |c: &Class<'t>| c.fields.iter().filter(|f| f.is_static).filter_map(|f| f.value).collect();
            let reads = |c: &Class<'t>, other: &Class<'t>| {
                let values: Vec<Node<'t>> = values(c);
                c.name != other.name && values.iter().any(|v| self.program.depends(*v, &other.name))
            };
            let ready = open.iter().position(|c| !open.iter().any(|other| reads(c, other))).unwrap_or(0);
            order.push(open.remove(ready));
        }
        order
    }

    /// The body of a method, with its monitor if it has one.
    fn body(&mut self, method: &Method<'t>, from: Label, to: Label) {
        let Some(body) = method.body else { return self.flow.alias(from, to) };
        if body.kind() != "block" && body.kind() != "constructor_body" {
            // A lambda that is one expression.
            let mut at = from;
            self.effect(body, &mut at);
            self.flow.alias(at, to);
        } else if method.is_synchronized {
            if !method.is_static {
                self.uses_monitor(&method.class, None);
            }
            let lock = if method.is_static { self.class_object(&method.class) } else { self.this.clone() };
            self.guarded(lock, body, body, from, to);
        } else {
            self.block(body, from, to);
        }
    }

    /// Calls a method of ours; the result is a variable.
    pub fn call(
        &mut self,
        method: &Method<'t>,
        this: Variable,
        arguments: Vec<Variable>,
        node: Node<'t>,
        at: &mut Label,
    ) -> Variable {
        let full = format!("{}.{}", method.class, method.name);
        if self.calls.contains(&full) {
            self.error("E0804", node, format!("`{full}` calls itself"));
            return Variable::Nothing;
        }
        let result = self.local("result", &method.result);
        let after = self.label(node);
        let mut scope = BTreeMap::new();
        let given = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        for ((_, ty), value) in method.parameters.iter().zip(given).take(arguments.len()) {
            self.as_thread(ty, value);
            if *ty == Type::Forgotten && self.type_of(value) == Type::Boxed {
                self.followed(value, at);
            }
        }
        for ((name, ty), given) in method.parameters.iter().zip(arguments) {
            let given = self.given(ty, given, node, at);
            let variable = self.parameter(method, name, ty, given, node, at);
            scope.insert(name.clone(), (variable, ty.clone()));
        }
        let outer = (
            std::mem::replace(&mut self.scopes, vec![scope]),
            std::mem::replace(&mut self.this, this),
            std::mem::replace(&mut self.class, method.class.clone()),
            self.returns.replace(Return { to: after, result: result.clone(), undo: self.undo.len() }),
            std::mem::take(&mut self.loops),
        );
        self.calls.push(full);
        self.body(method, *at, after);
        self.calls.pop();
        (self.scopes, self.this, self.class, self.returns, self.loops) = outer;
        *at = after;
        result
    }

    /// What is given for a parameter must be known if the parameter is: a truth value that is
    /// forgotten is one or the other.
    fn given(&mut self, ty: &Type, given: Variable, node: Node<'t>, at: &mut Label) -> Variable {
        match (ty, &given) {
            (Type::Reference(_), Variable::Nothing) => {
                self.program.outside(node);
                given
            }
            (Type::Boolean, Variable::Nothing) => {
                let (own, after) = (self.local("b", &Type::Boolean), self.label(node));
                for truth in [f::TRUE, f::FALSE] {
                    let mut draft = self.draft(node).moving(Mover::Yes);
                    draft.action.guess = true;
                    draft.assign_flag(&own, truth);
                    self.flow.add(draft, *at, after);
                }
                *at = after;
                own
            }
            _ => given,
        }
    }

    /// A parameter is what was given for it, or a copy of that if the method gives it new values.
    fn parameter(
        &mut self,
        method: &Method<'t>,
        name: &str,
        ty: &Type,
        given: Variable,
        node: Node<'t>,
        at: &mut Label,
    ) -> Variable {
        let number = matches!(ty, Type::Number(..));
        if !number && !method.body.is_some_and(|body| self.program.assigns(body, name)) {
            return given;
        }
        let own = self.local(name, ty);
        self.copy(&own, &given, ty, node, at);
        own
    }

    pub fn block(&mut self, node: Node<'t>, from: Label, to: Label) {
        self.scopes.push(BTreeMap::new());
        let mut at = from;
        let mut region: Option<String> = None;
        let mut note: Option<Node<'t>> = None;
        for statement in children(node) {
            match statement.kind() {
                "{" | "}" | "block_comment" => {}
                "line_comment" => match self.note(statement) {
                    Some(("exclusive", name)) => region = Some(name.to_string()),
                    Some(("any", _)) => {
                        (self.any, note) = (true, Some(statement));
                    }
                    _ => {}
                },
                _ => {
                    let next = self.label(statement);
                    let (first, left) = (self.flow.labels(), self.leavings.len());
                    let meant = std::mem::take(&mut note);
                    self.statement(statement, at, next);
                    if let Some(note) = meant.filter(|_| std::mem::take(&mut self.any)) {
                        let message = "this `//@ any` changes nothing: no value that the next statement depends on is forgotten";
                        self.error("E0806", note, message);
                    }
                    if let Some(name) = region.take() {
                        let out = self.leavings[left..].iter().filter(|(_, to)| *to < first);
                        let out =
                            out.flat_map(|(labels, to)| labels.clone().chain([*to])).chain([next]).collect();
                        let region = Region { start: at, inside: first..self.flow.labels(), out };
                        self.flow.regions.entry(name).or_default().push(region);
                    }
                    at = next;
                }
            }
        }
        self.scopes.pop();
        self.flow.alias(at, to);
    }

    /// `//@ word rest`.
    fn note(&self, node: Node<'t>) -> Option<(&'t str, &'t str)> {
        let text = self.program.text(node).strip_prefix("//@")?.trim();
        Some(text.split_once(' ').map_or((text, ""), |(word, rest)| (word, rest.trim())))
    }

    fn statement(&mut self, node: Node<'t>, from: Label, to: Label) {
        let mut at = from;
        match node.kind() {
            "block" => return self.block(node, from, to),
            ";" | "empty_statement" => {}
            "local_variable_declaration" => self.declaration(node, &mut at),
            "expression_statement" => {
                if let Some(inner) = parts(node).first() {
                    self.effect(*inner, &mut at);
                }
            }
            "if_statement" => return self.branch(node, from, to),
            "while_statement" => return self.repeat(node, from, to),
            "do_statement" => return self.repeat_after(node, from, to),
            "for_statement" => return self.count(node, from, to),
            "synchronized_statement" => {
                let lock = parts(node).first().and_then(|p| parts(*p).first().copied());
                let body = node.child_by_field_name("body");
                if let (Some(lock), Some(body)) = (lock, body) {
                    let (variable, class) = self.operand(lock, &mut at);
                    self.is_monitor(&class, lock);
                    self.uses_monitor(&class, Some(lock));
                    let variable = self.kept(variable, body, lock, &mut at);
                    return self.guarded(variable, lock, body, at, to);
                }
            }
            "return_statement" => return self.leave(node, from),
            "break_statement" | "continue_statement" => return self.jump(node, from),
            "try_statement" => return self.attempt(node, from, to),
            "assert_statement" => {
                if let Some(condition) = parts(node).first() {
                    let bad = self.label(node);
                    self.condition(*condition, at, to, bad);
                    let mut bad = bad;
                    if let Some(message) = parts(node).get(1) {
                        self.effect_inside(*message, &mut bad);
                        self.to_text(*message, &mut bad);
                    }
                    let draft = self.draft(node).moving(Mover::Yes);
                    self.fails(draft, bad, "assertion fails", node);
                    return;
                }
            }
            "throw_statement" => return self.throw(node, from),
            _ => self.program.outside(node),
        }
        self.flow.alias(at, to);
    }

    fn declaration(&mut self, node: Node<'t>, at: &mut Label) {
        let declared = node.child_by_field_name("type");
        for d in parts(node).into_iter().filter(|p| p.kind() == "variable_declarator") {
            let name = self.program.part(d, "name").to_string();
            let value = d.child_by_field_name("value");
            let ty = match (self.program.declared(declared, &self.class, &name), value) {
                (Type::Reference(word), Some(value)) if word == "var" => match self.type_of(value) {
                    Type::Reference(_) => Type::Reference(self.class_of(value)),
                    other => other,
                },
                (ty, _) => ty,
            };
            let ty = match value {
                Some(value) if ty.is_forgotten() && self.stays(node, &name, value) => Type::Forgotten,
                _ => ty,
            };
            if ty.is_atomic() {
                self.program.outside(d);
            }
            let variable = self.local(&name, &ty);
            if let Some(value) = value {
                self.assign_local(&variable, &ty, value, node, at);
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(name, (variable, ty));
            }
        }
    }

    fn branch(&mut self, node: Node<'t>, from: Label, to: Label) {
        let Some(condition) = node.child_by_field_name("condition") else { return };
        let (yes, no) = (self.label(node), self.label(node));
        self.condition(condition, from, yes, no);
        match node.child_by_field_name("consequence") {
            Some(then) => self.statement(then, yes, to),
            None => self.flow.alias(yes, to),
        }
        match node.child_by_field_name("alternative") {
            Some(otherwise) => self.statement(otherwise, no, to),
            None => self.flow.alias(no, to),
        }
    }

    fn looping(&mut self, body: Option<Node<'t>>, from: Label, again: Label, after: Label) {
        self.loops.push(Loop { after, again, undo: self.undo.len() });
        match body {
            Some(body) => self.statement(body, from, again),
            None => self.flow.alias(from, again),
        }
        self.loops.pop();
    }

    fn repeat(&mut self, node: Node<'t>, from: Label, to: Label) {
        let Some(condition) = node.child_by_field_name("condition") else { return };
        // A place of its own to come back to.
        let head = self.label(node);
        self.flow.alias(from, head);
        let inside = self.label(node);
        self.condition(condition, head, inside, to);
        self.looping(node.child_by_field_name("body"), inside, head, to);
    }

    fn repeat_after(&mut self, node: Node<'t>, from: Label, to: Label) {
        let Some(condition) = node.child_by_field_name("condition") else { return };
        let (head, test) = (self.label(node), self.label(node));
        self.flow.alias(from, head);
        self.looping(node.child_by_field_name("body"), head, test, to);
        self.condition(condition, test, head, to);
    }

    fn count(&mut self, node: Node<'t>, from: Label, to: Label) {
        self.scopes.push(BTreeMap::new());
        let mut at = from;
        let each = |field: &str| -> Vec<Node<'t>> {
            node.children_by_field_name(field, &mut node.walk()).filter(Node::is_named).collect()
        };
        for init in each("init") {
            match init.kind() {
                "local_variable_declaration" => self.declaration(init, &mut at),
                _ => self.effect(init, &mut at),
            }
        }
        let (head, inside, step) = (self.label(node), self.label(node), self.label(node));
        self.flow.alias(at, head);
        match node.child_by_field_name("condition") {
            Some(condition) => {
                self.counted = self.program.is_counted(node).then(|| condition.id());
                self.condition(condition, head, inside, to);
            }
            None => self.flow.alias(inside, head),
        }
        self.looping(node.child_by_field_name("body"), inside, step, to);
        let mut at = step;
        for update in each("update") {
            self.effect(update, &mut at);
        }
        self.flow.alias(at, head);
        self.scopes.pop();
    }

    /// The lock that was taken is given back, whatever the variable refers to by then.
    fn kept(&mut self, lock: Variable, body: Node<'t>, node: Node<'t>, at: &mut Label) -> Variable {
        if node.kind() != "identifier" || !self.program.assigns(body, self.program.text(node)) {
            return lock;
        }
        let ty = Type::Reference(self.class_of(node));
        let copy = self.local("lock", &ty);
        self.copy(&copy, &lock, &ty, node, at);
        copy
    }

    /// A block under a lock.
    fn guarded(&mut self, lock: Variable, at_lock: Node<'t>, body: Node<'t>, from: Label, to: Label) {
        let mut at = from;
        let nested = self.undo.iter().any(|(_, u)| matches!(u, Undo::Unlock(..)));
        let flag = nested.then(|| self.local("again", &Type::Boolean));
        self.acquire(&lock, flag.as_ref(), at_lock, &mut at);
        let span = self.program.span(at_lock);
        self.push_undo(Undo::Unlock(lock.clone(), flag.clone(), span));
        let end = self.label(body);
        self.block(body, at, end);
        self.undo.pop();
        let mut at = end;
        self.release(&lock, flag.as_ref(), span, body, &mut at);
        self.flow.alias(at, to);
    }

    fn leave(&mut self, node: Node<'t>, from: Label) {
        let Some(back) = self.returns.clone() else { return };
        let mut at = from;
        if let Some(value) = parts(node).first() {
            let ty = match &back.result {
                Variable::Single(_) | Variable::PerThread(_) => Type::Reference(String::new()),
                Variable::SingleFlag(_) | Variable::ThreadFlag(_) => Type::Boolean,
                Variable::Number(_) => Type::Number(0, 0),
                _ => Type::Forgotten,
            };
            self.assign_local(&back.result, &ty, *value, node, &mut at);
        }
        self.depart(back.undo, node, at, back.to);
    }

    fn jump(&mut self, node: Node<'t>, from: Label) {
        let Some(target) = self.loops.last().copied().filter(|_| parts(node).is_empty()) else {
            return self.program.outside(node);
        };
        let to = if node.kind() == "break_statement" { target.after } else { target.again };
        self.depart(target.undo, node, from, to);
    }
}

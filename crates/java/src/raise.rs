//! Exceptions: `throw`, `try`, and what a failing statement does.
//!
//! An exception leaves blocks from the inside out: locks are given back, `finally` blocks run,
//! until a `catch` that names its class or one above it. If there is none the thread ends; that is
//! an error. Interruptions do not happen by themselves. A handler that nothing leads to is not
//! looked at.

use crate::draft::{Draft, Mover, Variable};
use crate::flow::Label;
use crate::lower::{Frame, Lower, Undo};
use crate::names::Words;
use crate::program::Type;
use crate::tree::{arguments, child, children, parts};
use std::collections::BTreeMap;
use tree_sitter::Node;

/// A `catch` that is in force.
#[derive(Clone, Debug)]
pub struct Handler {
    pub types: Vec<String>,
    pub label: Label,
    /// How much remains on the stack of what is to be undone.
    pub undo: usize,
    pub used: bool,
}

/// The exceptions that Java provides, by the one above them.
const BELOW: [(&str, Words); 8] = [
    ("Throwable", Words("Exception Error")),
    (
        "Exception",
        Words(
            "RuntimeException InterruptedException IOException TimeoutException \
        CloneNotSupportedException ExecutionException",
        ),
    ),
    ("Error", Words("AssertionError LinkageError VirtualMachineError")),
    (
        "RuntimeException",
        Words(
            "NullPointerException IllegalStateException IllegalArgumentException \
        IllegalMonitorStateException UnsupportedOperationException ArithmeticException \
        ClassCastException NoSuchElementException RejectedExecutionException \
        IndexOutOfBoundsException NegativeArraySizeException ArrayStoreException \
        ConcurrentModificationException",
        ),
    ),
    ("IllegalArgumentException", Words("IllegalThreadStateException NumberFormatException")),
    ("IndexOutOfBoundsException", Words("ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException")),
    ("LinkageError", Words("ExceptionInInitializerError")),
    ("VirtualMachineError", Words("OutOfMemoryError StackOverflowError")),
];

/// Whether a class is an exception that Java provides.
pub fn is_exception(class: &str) -> bool {
    class == "Throwable" || BELOW.iter().any(|(_, below)| below.contains(class))
}

impl<'t> Lower<'t> {
    /// The class of an exception and those above it; `None` if some is not known.
    pub fn lineage(&self, class: &str) -> Option<Vec<String>> {
        let mut all = vec![class.to_string()];
        while all.last().is_some_and(|name| name != "Throwable") {
            let name = all.last()?;
            let own = self.program.classes.get(name).map(|c| c.parent.clone());
            let library =
                || BELOW.iter().find(|(_, below)| below.contains(name)).map(|(above, _)| above.to_string());
            all.push(own.unwrap_or_else(library)?);
        }
        Some(all)
    }

    /// Where an exception leads: the handler it meets first.
    pub fn handler(&self, lineage: &[String]) -> Option<usize> {
        self.handlers.iter().rposition(|h| h.types.iter().any(|t| lineage.contains(t)))
    }

    /// From a place to where an exception is caught, or to the end of the thread. With a message,
    /// that it is not caught is an error there: a `finally` on the way may leave by `return`, and
    /// then nothing is thrown any more.
    pub fn raise(&mut self, lineage: &[String], message: Option<&str>, node: Node<'t>, at: Label) {
        let handler = self.handler(lineage);
        let height = handler.map_or(0, |h| self.handlers[h].undo);
        let to = match (handler, message) {
            (Some(h), _) => {
                self.handlers[h].used = true;
                self.handlers[h].label
            }
            (None, None) => self.flow.exit,
            (None, Some(message)) => {
                let thrown = self.label(node);
                let mut draft = self.draft(node).moving(Mover::Yes);
                draft.action.error = Some(message.to_string());
                draft.action.name = format!("{message}: {}", draft.action.name);
                self.flow.add(draft, thrown, self.flow.exit);
                thrown
            }
        };
        self.depart(height, node, at, to);
    }

    /// Leaves blocks for a place outside of them.
    pub fn depart(&mut self, height: usize, node: Node<'t>, mut at: Label, to: Label) {
        let first = self.flow.labels();
        self.unwind(height, node, &mut at);
        self.leavings.push((first..self.flow.labels(), to));
        self.flow.alias(at, to);
    }

    /// An action that is an error; it goes on as the exception does that it means.
    pub fn fails(&mut self, draft: Draft, at: Label, message: &str, node: Node<'t>) {
        let class = match message {
            "null dereference" => "NullPointerException",
            "monitor is not held" => "IllegalMonitorStateException",
            "started twice" => "IllegalThreadStateException",
            "division by zero" => "ArithmeticException",
            "a task after shutdown" => "RejectedExecutionException",
            "class cast" => "ClassCastException",
            "an exception in an initializer" => "ExceptionInInitializerError",
            _ => "AssertionError",
        };
        self.throws(draft, at, (class, message), node);
    }

    /// An action by which an exception of a class is thrown. A failed assertion is an error even if
    /// it is caught; others are if nothing catches them.
    pub fn throws(&mut self, mut draft: Draft, at: Label, (class, message): (&str, &str), node: Node<'t>) {
        let lineage = self.lineage(class).unwrap_or_default();
        let (fails, late) = match class {
            "AssertionError" => (true, false),
            _ if self.handler(&lineage).is_some() => (false, false),
            _ => (!self.has_finally(), self.has_finally()),
        };
        if message == crate::numbers::OUTSIDE {
            draft.action.beyond = Some("a number leaves its declared range on the way".to_string());
        }
        draft.action.error = fails.then(|| message.to_string());
        draft.action.name = format!("{message}: {}", draft.action.name);
        let to = self.outlet(&lineage, late.then_some(message), node);
        self.flow.add(draft, at, to);
    }

    /// Whether leaving the thread from here runs a `finally`.
    fn has_finally(&self) -> bool {
        self.undo.iter().any(|(_, undo)| matches!(undo, Undo::Finally(..)))
    }

    /// The place where an exception begins to leave; the same for all that leave the same blocks.
    fn outlet(&mut self, lineage: &[String], message: Option<&str>, node: Node<'t>) -> Label {
        let handler = self.handler(lineage);
        if handler.is_none() && self.undo.is_empty() {
            return self.flow.exit;
        }
        let inside = self.undo.last().map_or(0, |(serial, _)| *serial);
        let said = message.map(|m| (m.to_string(), node.id()));
        let key = (inside, handler.map(|h| self.handlers[h].label), said);
        if let Some(label) = self.outlets.get(&key) {
            return *label;
        }
        let label = self.label(node);
        self.outlets.insert(key, label);
        self.raise(lineage, message, node, label);
        label
    }

    /// `throw new E(…)`.
    pub fn throw(&mut self, node: Node<'t>, from: Label) {
        let Some(thrown) = parts(node).first().copied().filter(|n| n.kind() == "object_creation_expression")
        else {
            return self.program.outside(node);
        };
        let class = self.class_of(thrown);
        let Some(lineage) = self.lineage(&class) else {
            return self.error("E0803", thrown, format!("`{class}` is not an exception that is known"));
        };
        let mut at = from;
        let arguments = arguments(thrown);
        match self.program.classes.contains_key(&class) {
            true => drop(self.create(thrown, &mut at)),
            false => arguments.into_iter().for_each(|n| self.effect_inside(n, &mut at)),
        }
        let message = format!("uncaught {class}");
        if self.handler(&lineage).is_some() {
            return self.raise(&lineage, None, node, at);
        }
        if self.has_finally() {
            return self.raise(&lineage, Some(&message), node, at);
        }
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.action.error = Some(message);
        self.then(draft, &mut at, node);
        self.raise(&lineage, None, node, at);
    }

    /// `try` with `catch` and `finally`.
    pub fn attempt(&mut self, node: Node<'t>, from: Label, to: Label) {
        let (mut last, mut catches) = (None, Vec::new());
        for part in parts(node) {
            match part.kind() {
                "block" => {}
                "finally_clause" => last = parts(part).first().copied(),
                "catch_clause" => catches.push(part),
                _ => self.program.outside(part),
            }
        }
        let Some(body) = child(node, "body") else { return };
        let end = self.label(node);
        let outer = self.handlers.len();
        if let Some(block) = last {
            let frame = Box::new(self.frame());
            self.push_undo(Undo::Finally(block, frame, outer));
        }
        for clause in catches.iter().rev() {
            let (label, undo) = (self.label(*clause), self.undo.len());
            let types = self.caught(*clause);
            self.handlers.push(Handler { types, label, undo, used: false });
        }
        self.block(body, from, end);
        let handlers = self.handlers.split_off(outer);
        for (clause, handler) in catches.iter().zip(handlers.iter().rev()).filter(|(_, h)| h.used) {
            self.catch(*clause, handler.label, end);
        }
        match last {
            Some(block) => {
                self.undo.pop();
                self.block(block, end, to);
            }
            None => self.flow.alias(end, to),
        }
    }

    /// The types that a `catch` names.
    fn caught(&self, clause: Node<'t>) -> Vec<String> {
        let parameter = children(clause).into_iter().find(|n| n.kind() == "catch_formal_parameter");
        let types = parameter.and_then(|p| children(p).into_iter().find(|n| n.kind() == "catch_type"));
        types.map(parts).unwrap_or_default().into_iter().map(|n| self.program.text(n).to_string()).collect()
    }

    fn catch(&mut self, clause: Node<'t>, from: Label, to: Label) {
        let Some(body) = child(clause, "body") else { return self.flow.alias(from, to) };
        let parameter = children(clause).into_iter().find(|n| n.kind() == "catch_formal_parameter");
        let name = parameter.map_or("", |p| self.program.part(p, "name")).to_string();
        self.scopes.push(BTreeMap::from([(name, (Variable::Nothing, Type::Forgotten))]));
        self.block(body, from, to);
        self.scopes.pop();
    }

    pub fn push_undo(&mut self, undo: Undo<'t>) {
        self.serials += 1;
        self.undo.push((self.serials, undo));
    }

    /// Undoes everything above a height of the stack.
    pub fn unwind(&mut self, height: usize, node: Node<'t>, at: &mut Label) {
        let whole = self.undo.clone();
        while self.undo.len() > height {
            match self.undo.pop() {
                Some((_, Undo::Unlock(taken))) => self.release(&taken, node, at),
                Some((_, Undo::Finally(block, frame, handlers))) => {
                    let after = self.label(block);
                    let inner = self.handlers.split_off(handlers);
                    let here = self.enter(*frame);
                    self.block(block, *at, after);
                    self.enter(here);
                    self.handlers.extend(inner);
                    *at = after;
                }
                None => {}
            }
        }
        self.undo = whole;
    }

    /// What names mean here, and where `return` and `break` lead.
    fn frame(&self) -> Frame {
        Frame {
            scopes: self.scopes.clone(),
            this: self.this.clone(),
            class: self.class.clone(),
            returns: self.returns.clone(),
            loops: self.loops.clone(),
        }
    }

    /// Goes into a frame; the one that was left.
    fn enter(&mut self, frame: Frame) -> Frame {
        Frame {
            scopes: std::mem::replace(&mut self.scopes, frame.scopes),
            this: std::mem::replace(&mut self.this, frame.this),
            class: std::mem::replace(&mut self.class, frame.class),
            returns: std::mem::replace(&mut self.returns, frame.returns),
            loops: std::mem::replace(&mut self.loops, frame.loops),
        }
    }
}

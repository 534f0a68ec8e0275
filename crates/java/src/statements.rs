//! Statements. At most one access to shared memory is in each action.

use crate::draft::{Mover, Variable};
use crate::flow::{Label, Region};
use crate::lower::{Loop, Lower, Taken, Undo};
use crate::program::Type;
use crate::tree::{child, children, parts};
use std::collections::BTreeMap;
use tree_sitter::Node;

impl<'t> Lower<'t> {
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
                let body = child(node, "body");
                if let (Some(lock), Some(body)) = (lock, body) {
                    let (variable, class) = self.operand(lock, &mut at);
                    self.is_monitor(&class, lock);
                    self.uses_monitor(&class, Some(lock));
                    let variable = self.kept(variable, body, lock, &mut at);
                    return self.guarded((variable, lock), body, at, to);
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
                        self.makes_text(*message, &mut bad);
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

    pub fn declaration(&mut self, node: Node<'t>, at: &mut Label) {
        let declared = child(node, "type");
        for d in parts(node).into_iter().filter(|p| p.kind() == "variable_declarator") {
            let name = self.program.part(d, "name").to_string();
            let value = child(d, "value");
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
            let variable = self.declared(&name, &ty, d);
            if let Some(value) = value {
                self.assign_local((&variable, &ty), value, node, at);
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(name, (variable, ty));
            }
        }
    }

    fn branch(&mut self, node: Node<'t>, from: Label, to: Label) {
        let Some(condition) = child(node, "condition") else { return };
        let (yes, no) = (self.label(node), self.label(node));
        self.condition(condition, from, yes, no);
        match child(node, "consequence") {
            Some(then) => self.statement(then, yes, to),
            None => self.flow.alias(yes, to),
        }
        match child(node, "alternative") {
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
        let Some(condition) = child(node, "condition") else { return };
        // A place of its own to come back to.
        let head = self.label(node);
        self.flow.alias(from, head);
        let inside = self.label(node);
        self.condition(condition, head, inside, to);
        self.looping(child(node, "body"), inside, head, to);
    }

    fn repeat_after(&mut self, node: Node<'t>, from: Label, to: Label) {
        let Some(condition) = child(node, "condition") else { return };
        let (head, test) = (self.label(node), self.label(node));
        self.flow.alias(from, head);
        self.looping(child(node, "body"), head, test, to);
        self.condition(condition, test, head, to);
    }

    pub fn count(&mut self, node: Node<'t>, from: Label, to: Label) {
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
        match child(node, "condition") {
            Some(condition) => {
                self.counted = self.program.is_counted(node).then(|| condition.id());
                self.condition(condition, head, inside, to);
            }
            None => self.flow.alias(inside, head),
        }
        self.looping(child(node, "body"), inside, step, to);
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
        self.copied("lock", (&lock, &ty), node, at)
    }

    /// A block under a lock.
    pub fn guarded(&mut self, (lock, at_lock): (Variable, Node<'t>), body: Node<'t>, from: Label, to: Label) {
        let mut at = from;
        let nested = self.undo.iter().any(|(_, u)| matches!(u, Undo::Unlock(..)));
        let flag = nested.then(|| self.local("again", &Type::Boolean));
        self.acquire(&lock, flag.as_ref(), at_lock, &mut at);
        let span = self.program.span(at_lock);
        let taken = Taken { lock, flag, span };
        self.push_undo(Undo::Unlock(taken.clone()));
        let end = self.label(body);
        self.block(body, at, end);
        self.undo.pop();
        let mut at = end;
        self.release(&taken, body, &mut at);
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
            self.assign_local((&back.result, &ty), *value, node, &mut at);
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

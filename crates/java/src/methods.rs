//! Methods and kinds of threads: where a thread begins, the values that static fields get before
//! main, calls of own methods, which are inlined.

use crate::dispatch::Inputs;
use crate::draft::{Draft, Mover, Variable};
use crate::flow::{Flow, Label};
use crate::lower::{Lower, Return};
use crate::program::{Class, Field, Method, Type};
use crate::tree::arguments;
use std::collections::BTreeMap;
use structures::formula as f;
use tree_sitter::Node;

impl<'t> Lower<'t> {
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
                self.assign_field((None, &field.name), value, value, at);
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
    pub fn body(&mut self, method: &Method<'t>, from: Label, to: Label) {
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
            self.guarded((lock, body), body, from, to);
        } else {
            self.block(body, from, to);
        }
    }

    /// Calls a method of ours; the result is a variable.
    pub fn call(&mut self, method: &Method<'t>, inputs: Inputs, node: Node<'t>, at: &mut Label) -> Variable {
        let Inputs { this, arguments: values } = inputs;
        let full = format!("{}.{}", method.class, method.name);
        if self.calls.contains(&full) {
            self.error("E0804", node, format!("`{full}` calls itself"));
            return Variable::Nothing;
        }
        let result = self.local("result", &method.result);
        let after = self.label(node);
        let mut scope = BTreeMap::new();
        let given = arguments(node);
        for ((_, ty), value) in method.parameters.iter().zip(given).take(values.len()) {
            self.as_thread(ty, value);
            if *ty == Type::Forgotten && self.type_of(value) == Type::Boxed {
                self.followed(value, at);
            }
        }
        for ((name, ty), given) in method.parameters.iter().zip(values) {
            let given = self.given(ty, given, node, at);
            // What the method gives new values is a copy.
            let changes = || method.body.is_some_and(|body| self.program.assigns(body, name));
            let variable = match matches!(ty, Type::Number(..)) || changes() {
                true => self.copied(name, (&given, ty), node, at),
                false => given,
            };
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
    pub fn given(&mut self, ty: &Type, given: Variable, node: Node<'t>, at: &mut Label) -> Variable {
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
}

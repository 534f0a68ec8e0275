//! Creation of objects, and of the objects that stand for classes.

use crate::dispatch::Inputs;
use crate::draft::{Draft, Mover, Variable};
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::{Class, Method, Type};
use crate::tree::{arguments, child};
use std::collections::BTreeMap;
use structures::formula::{self as f, Var};
use structures::vocabulary::{Attribute, Symbol};
use tree_sitter::Node;

impl<'t> Lower<'t> {
    pub fn instance(&mut self, class: &str) -> Symbol {
        self.symbol(&format!("is[{class}]"), 1, &[])
    }

    /// `new C(…)` into a variable.
    pub fn create(&mut self, node: Node<'t>, at: &mut Label) -> Variable {
        let class = self.class_of(node);
        let arguments = arguments(node);
        let known = ["Object", "ReentrantLock", "Thread"].contains(&class.as_str());
        if !known && !self.program.classes.contains_key(&class) || child(node, "body").is_some() {
            self.program.outside(node);
            return Variable::Null;
        }
        if class == "Thread" {
            let Some(argument) = arguments.first() else {
                self.program.outside(node);
                return Variable::Null;
            };
            let thread = self.thread_that_runs(*argument, node, at);
            arguments[1..].iter().for_each(|n| self.effect_inside(*n, at));
            return thread;
        }
        if self.program.is_thread(&class) {
            self.kind(&class);
        }
        let making = format!("new {class}");
        if self.calls.contains(&making) {
            self.error("E0804", node, format!("creating a `{class}` creates another one"));
            return Variable::Null;
        }
        self.ensure_above(&class, node, at);
        let arguments = self.arguments(&arguments, at);
        let (draft, _, result) = self.creating(&class, node);
        self.then(draft, at, node);
        self.calls.push(making);
        self.initialise(&class, Inputs { this: result.clone(), arguments }, node, at);
        self.calls.pop();
        result
    }

    /// An action that creates an object of a class, the object in it, and a local for that.
    pub fn creating(&mut self, class: &str, node: Node<'t>) -> (Draft, Var, Variable) {
        let result = self.local("new", &Type::Reference(class.to_string()));
        let is = self.instance(class);
        let mut draft = self.draft(node).moving(Mover::Yes);
        let n = draft.create();
        draft.add(is, n);
        draft.assign(&result, |_, o| f::equal(o, n));
        (draft, n, result)
    }

    /// Values of fields, then the constructor.
    fn initialise(&mut self, class: &str, inputs: Inputs, node: Node<'t>, at: &mut Label) {
        let this = &inputs.this.clone();
        let Some(class) = self.program.classes.get(class).cloned() else { return };
        let calm = self.program.is_calm_class(&class);
        let fresh = std::mem::replace(&mut self.sharing.fresh, calm.then(|| this.clone()));
        if let Some(parent) = class.parent.as_deref().filter(|p| self.program.classes.contains_key(*p)) {
            let parent = parent.to_string();
            self.initialise(&parent, Inputs { this: this.clone(), arguments: Vec::new() }, node, at);
        }
        self.sharing.fresh = calm.then(|| this.clone());
        let outer = (
            std::mem::replace(&mut self.this, this.clone()),
            std::mem::replace(&mut self.class, class.name.clone()),
        );
        let scopes = std::mem::replace(&mut self.scopes, vec![BTreeMap::new()]);
        for field in class.fields.iter().filter(|f| !f.is_static) {
            if let Some(value) = field.value.filter(|_| self.program.constant_value(field).is_none()) {
                self.assign_field((None, &field.name), value, value, at);
            }
        }
        self.scopes = scopes;
        (self.this, self.class) = outer;
        if let Some(constructor) = &class.constructor {
            let method = Method { result: Type::Void, ..constructor.clone() };
            self.call(&method, inputs, node, at);
        }
        self.sharing.fresh = fresh;
    }

    /// The object of a class, which static synchronized methods lock.
    pub fn class_object(&mut self, class: &str) -> Variable {
        Variable::Single(self.symbol(&format!("{class}.class"), 1, &[Attribute::Unique]))
    }

    /// Whether the program names the object of a class: `C.class`.
    pub fn is_monitored(&self, class: &str) -> bool {
        self.program.text.contains(&format!("{class}.class"))
    }

    /// Class objects are there before main begins.
    pub fn create_class_object(&mut self, class: &Class<'t>, at: &mut Label) {
        let Variable::Single(symbol) = self.class_object(&class.name) else { return };
        let Some(node) =
            class.methods.iter().find_map(|m| m.body).or(class.fields.iter().find_map(|f| f.value))
        else {
            return;
        };
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.action.name = format!("load class {}", class.name);
        let (n, o) = (draft.create(), draft.fresh());
        draft.update(symbol, &[o], f::equal(o, n));
        self.then(draft, at, node);
    }
}

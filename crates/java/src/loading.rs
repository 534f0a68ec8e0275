//! Classes are initialized on their first use: by the thread that uses them, while others wait;
//! what above them is, first.
//!
//! If all static fields of a class get *plain* values (literals, new objects whose creation has no
//! other effect, static fields of other plain classes), when that happens makes no difference, and
//! it happens before main begins. Otherwise every use of the class (an object is created, a static
//! method called, a static field used) looks whether it is initialized: `init[C]`, and
//! `initing[C](t)` while t does it. The thread that does it goes on when it comes to the class
//! again. An exception that leaves an initializer is an error; what comes after it is not followed.

use crate::draft::{Mover, SELF};
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::{Class, FORGOTTEN, Program};
use crate::raise::Handler;
use crate::tree::{child, parts};
use std::collections::BTreeSet;
use structures::formula as f;
use tree_sitter::Node;

/// Classes of the library whose creation has no other effect.
const CALM: [&str; 6] =
    ["Object", "ReentrantLock", "AtomicBoolean", "AtomicReference", "AtomicInteger", "AtomicLong"];

impl<'t> Program<'t> {
    /// The classes whose static fields get values that are not plain.
    pub fn not_plain(&self) -> BTreeSet<String> {
        self.classes.keys().filter(|name| !self.is_plain_class(name, &mut Vec::new())).cloned().collect()
    }

    fn is_plain_class(&self, name: &str, open: &mut Vec<String>) -> bool {
        let Some(class) = self.classes.get(name) else { return true };
        if open.iter().any(|o| o == name) {
            return false;
        }
        open.push(name.to_string());
        let above = class.parent.as_deref().is_none_or(|p| self.is_plain_class(p, open));
        let fields: Vec<_> = class.fields.iter().filter(|f| f.is_static).collect();
        let constant = |n: usize| self.constant_value(fields[n]).is_some();
        let value = |n: usize| fields[n].value.filter(|_| !constant(n));
        let plain = |n: usize| value(n).is_none_or(|v| self.is_plain(v, class, n, &mut open.clone()));
        let all = above && (0..fields.len()).all(plain);
        open.pop();
        all
    }

    /// Whether a value of the static field with this number of a class is plain.
    fn is_plain(&self, value: Node<'t>, class: &Class<'t>, number: usize, open: &mut Vec<String>) -> bool {
        let mut inner = |n: Node<'t>| self.is_plain(n, class, number, open);
        match value.kind() {
            kind if kind.ends_with("_literal") || kind.ends_with("_type") => true,
            "true" | "false" | "type_identifier" | "type_arguments" | "dimensions" => true,
            "binary_expression" => {
                !matches!(self.part(value, "operator"), "/" | "%") && parts(value).into_iter().all(inner)
            }
            "unary_expression" | "parenthesized_expression" | "argument_list" => {
                parts(value).into_iter().all(inner)
            }
            "identifier" => self.comes_before(class, self.text(value), number),
            "field_access" => {
                let owner = self.part(value, "object");
                let field = self.find_field(owner, self.part(value, "field"));
                if field.is_some_and(|f| self.constant_value(f).is_some()) {
                    return true;
                }
                match owner == class.name {
                    true => self.comes_before(class, self.part(value, "field"), number),
                    false => self.classes.contains_key(owner) && self.is_plain_class(owner, open),
                }
            }
            "method_invocation" if self.part(value, "name") == "newCondition" => {
                child(value, "object").is_some_and(&mut inner)
            }
            "method_invocation" => self.part(value, "object") == "Executors",
            "object_creation_expression" => {
                let made = self.part(value, "type").split('<').next().unwrap_or("");
                let arguments = child(value, "arguments").is_none_or(&mut inner);
                let library = CALM.contains(&made) || FORGOTTEN.contains(made);
                let mut own = || self.is_plain_class(made, open) && self.is_inert(made);
                arguments && (library || self.classes.contains_key(made) && own())
            }
            _ => false,
        }
    }

    /// Whether a static field of a class has its value before the one with this number.
    fn comes_before(&self, class: &Class<'t>, name: &str, number: usize) -> bool {
        if self.find_field(&class.name, name).is_some_and(|f| self.constant_value(f).is_some()) {
            return true;
        }
        class.fields.iter().filter(|f| f.is_static).position(|f| f.name == name).is_some_and(|n| n < number)
    }

    /// Whether creating an object of a class only gives its fields literals, parameters and new
    /// objects of such classes.
    fn is_inert(&self, name: &str) -> bool {
        let Some(class) = self.classes.get(name) else { return true };
        let values = class.fields.iter().filter(|f| !f.is_static).filter_map(|f| f.value);
        let body = class.constructor.as_ref().and_then(|c| c.body);
        let statements: Vec<Node<'t>> = body.map(parts).unwrap_or_default();
        let assigned = |n: &Node<'t>| {
            let inner = parts(*n).first().copied().filter(|_| n.kind() == "expression_statement")?;
            let left = child(inner, "left")?;
            let own = left.kind() == "identifier" || child(left, "object")?.kind() == "this";
            let named = self.text(child(left, "field").unwrap_or(left));
            let field = class.fields.iter().any(|f| f.name == named && !f.is_static);
            child(inner, "right").filter(|_| own && field)
        };
        let given: Option<Vec<Node<'t>>> = statements.iter().map(assigned).collect();
        let calm = |n: Node<'t>| match n.kind() {
            "identifier" => {
                class.constructor.as_ref().is_some_and(|c| c.parameters.iter().any(|p| p.0 == self.text(n)))
            }
            "object_creation_expression" => {
                CALM.contains(&self.part(n, "type")) || FORGOTTEN.contains(self.part(n, "type"))
            }
            kind => kind.ends_with("_literal") || kind == "true" || kind == "false",
        };
        let above = class.parent.as_deref().is_none_or(|p| self.is_inert(p));
        above && given.is_some_and(|given| values.chain(given).all(calm))
    }
}

impl<'t> Lower<'t> {
    /// A class is used: who comes first initializes it, others wait for that.
    pub fn ensure(&mut self, class: &str, node: Node<'t>, at: &mut Label) {
        let Some(class) = self.program.classes.get(class).cloned() else { return };
        if !self.program.lazy.contains(&class.name) || self.initing.contains(&class.name) {
            return;
        }
        let init = self.symbol(&format!("init[{}]", class.name), 0, &[]);
        let initing = self.symbol(&format!("initing[{}]", class.name), 1, &[]);
        let (mut here, after) = (self.label(node), self.label(node));
        let mut done = self.draft(node);
        done.action.name = format!("{} is initialized", class.name);
        done.when(f::atom(init, &[]));
        self.flow.add(done, *at, after);
        let mut begin = self.draft(node);
        begin.action.name = format!("initialize {}", class.name);
        let (t, u) = (begin.fresh(), begin.fresh());
        begin.when(f::and([f::not(f::atom(init, &[])), f::not(f::exists(t, f::atom(initing, &[t])))]));
        begin.update(initing, &[u], f::or([f::atom(initing, &[u]), f::equal(u, SELF)]));
        self.flow.add(begin, *at, here);
        self.initialize(&class, node, &mut here);
        let mut end = self.draft(node);
        end.action.name = format!("{} is initialized now", class.name);
        let u = end.fresh();
        end.update(init, &[], f::TRUE);
        end.update(initing, &[u], f::and([f::atom(initing, &[u]), f::differ(u, SELF)]));
        self.flow.add(end, here, after);
        *at = after;
    }

    /// A class and those above it are used.
    pub fn ensure_above(&mut self, class: &str, node: Node<'t>, at: &mut Label) {
        if let Some(parent) = self.program.classes.get(class).and_then(|c| c.parent.clone()) {
            self.ensure_above(&parent, node, at);
        }
        self.ensure(class, node, at);
    }

    /// What is above it, then its static fields in the order of the text.
    fn initialize(&mut self, class: &Class<'t>, node: Node<'t>, at: &mut Label) {
        let failed = self.label(node);
        let types = vec!["Throwable".to_string()];
        self.handlers.push(Handler { types, label: failed, undo: self.undo.len(), used: false });
        self.initing.push(class.name.clone());
        if let Some(parent) = &class.parent {
            self.ensure(parent, node, at);
        }
        let outer = (self.class.clone(), self.this.clone(), std::mem::take(&mut self.scopes));
        self.this = crate::draft::Variable::Null;
        self.class_values(class, at);
        (self.class, self.this, self.scopes) = outer;
        self.initing.pop();
        if self.handlers.pop().is_some_and(|h| h.used) {
            let mut draft = self.draft(node).moving(Mover::Yes);
            draft.action.beyond = Some(format!("an exception leaves the initializer of {}", class.name));
            self.fails(draft, failed, "an exception in an initializer", node);
        }
    }
}

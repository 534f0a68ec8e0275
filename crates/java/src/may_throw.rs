//! What may throw or call code that is not followed: texts, boxes, arrays and numbers are
//! forgotten, so whether they are null, zero or too large is not known.
//!
//! Such a step goes either way, and a run that takes it decides nothing. If code of the program may
//! be called that is not followed, as by `"" + o`, nothing holds any more. What the text shows to
//! be harmless (a literal, a divisor that is one) is left alone.

use crate::draft::Mover;
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::Type;
use crate::tree::{child, parts};
use tree_sitter::Node;

impl<'t> Lower<'t> {
    /// An exception of a class may be thrown here, or not.
    pub fn may_throw(&mut self, classes: &[&str], node: Node<'t>, at: &mut Label) {
        for class in classes {
            let mut draft = self.draft(node).moving(Mover::Yes);
            draft.action.guess = true;
            self.throws(draft, *at, (class, &format!("perhaps {class}")), node);
        }
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.action.guess = true;
        self.then(draft, at, node);
    }

    /// Any exception that need not be declared: each `catch` around may be meant.
    pub fn may_throw_any(&mut self, node: Node<'t>, at: &mut Label) {
        let names: Vec<String> = self.handlers.iter().flat_map(|h| h.types.clone()).collect();
        let unchecked = |name: &String| {
            let line = self.lineage(name).unwrap_or_default();
            line.iter().any(|n| n == "RuntimeException") || !line.iter().any(|n| n == "Exception")
        };
        let mut classes: Vec<String> = names.into_iter().filter(unchecked).collect();
        classes.retain(|n| n != "Throwable" && n != "AssertionError" && self.lineage(n).is_some());
        classes.push("RuntimeException".to_string());
        classes.dedup();
        let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
        self.may_throw(&classes, node, at);
    }

    /// Something happens here that is not followed: from here on a run decides nothing.
    pub fn beyond(&mut self, what: &str, node: Node<'t>, at: &mut Label) {
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.action.beyond = Some(format!("{what} (line {})", self.program.line(node)));
        self.then(draft, at, node);
    }

    /// Whether an object of a static type may answer with one of these methods of the program.
    fn may_answer(&self, class: &str, methods: &[(&str, usize)]) -> bool {
        let known = self.program.classes.contains_key(class) || self.program.interfaces.contains_key(class);
        let all = || self.program.classes.keys().cloned().collect();
        let below: Vec<String> = if known { self.program.below(class) } else { all() };
        let answers = |c: &String| methods.iter().any(|(m, n)| self.program.find_method(c, m, *n).is_some());
        below.iter().any(answers)
    }

    /// An object is made a text: its `toString`, or `hashCode` within that of `Object`, may be one
    /// of the program.
    pub fn makes_text(&mut self, node: Node<'t>, at: &mut Label) {
        let reference = matches!(self.type_of(node), Type::Reference(_)) && node.kind() != "null_literal";
        if reference && self.may_answer(&self.class_of(node), &[("toString", 0), ("hashCode", 0)]) {
            self.beyond(
                "a `toString` of the program that is called by the library is not followed",
                node,
                at,
            );
        }
    }

    /// `equals`, `hashCode` or `toString` of an object whose own method it is not surely.
    pub fn of_object(&mut self, class: &str, name: &str, node: Node<'t>, at: &mut Label) {
        let methods: &[(&str, usize)] = match name {
            "toString" => &[("toString", 0), ("hashCode", 0)],
            "equals" => &[("equals", 1)],
            "hashCode" => &[("hashCode", 0)],
            _ => return,
        };
        if self.may_answer(class, methods) {
            self.beyond("which method of the program a call means is not known", node, at);
        }
    }

    /// A value that is forgotten and may be null is followed.
    pub fn followed(&mut self, node: Node<'t>, at: &mut Label) {
        if !self.is_there(node) {
            self.may_throw(&["NullPointerException"], node, at);
        }
    }

    /// Whether the text shows that a forgotten value is not null.
    pub fn is_there(&self, node: Node<'t>) -> bool {
        match node.kind() {
            "string_literal" | "object_creation_expression" | "array_creation_expression" | "this" => true,
            kind if kind.ends_with("_literal") && kind != "null_literal" => true,
            "binary_expression" | "unary_expression" | "update_expression" | "array_initializer" => true,
            "parenthesized_expression" => parts(node).first().is_some_and(|n| self.is_there(*n)),
            "identifier" | "field_access" => match self.type_of(node) {
                Type::Forgotten => true,
                ty if ty.is_forgotten() => self.field_stays(node),
                _ => false,
            },
            "method_invocation" => {
                self.choices(node).is_empty() && self.type_of(node) == Type::Forgotten
                    || self.result_of(node) == Some(Type::Forgotten)
            }
            _ => false,
        }
    }

    /// Whether a field gets one value that is there, at its declaration, and no other.
    fn field_stays(&self, node: Node<'t>) -> bool {
        let (class, name) = match node.kind() {
            "identifier" if self.find(self.program.text(node)).is_some() => return false,
            "identifier" => (self.class.clone(), self.program.text(node)),
            _ => {
                let owner = child(node, "object").map(|o| self.class_of(o));
                (owner.unwrap_or_default(), self.program.part(node, "field"))
            }
        };
        let Some(field) = self.program.find_field(&class, name) else { return false };
        if self.program.constant_value(field).is_some() {
            return true;
        }
        let lazy = self.program.lazy.contains(&field.class) && field.is_static;
        let plain = |v: Node<'t>| v.kind().ends_with("_literal") || v.kind() == "object_creation_expression";
        let there = field.value.is_some_and(|v| v.kind() != "null_literal" && plain(v));
        let calm = field.is_static
            || self.program.classes.get(&field.class).is_some_and(|c| self.program.is_calm_class(c));
        there && !lazy && calm && self.program.is_left_alone(&field.name)
    }

    /// Whether a local keeps the value of its declaration, which is not null.
    pub fn stays(&self, declaration: Node<'t>, name: &str, value: Node<'t>) -> bool {
        let scope = declaration.parent().unwrap_or(declaration);
        self.is_there(value) && !self.program.assigns(scope, name)
    }

    /// Whether dividing by this cannot fail: a literal other than 0, or one with a point.
    pub fn divides(&self, divisor: Node<'t>) -> bool {
        let literal = |n: Node<'t>| n.kind().ends_with("_literal");
        match divisor.kind() {
            "decimal_floating_point_literal" => true,
            "parenthesized_expression" => parts(divisor).first().is_some_and(|n| self.divides(*n)),
            _ if literal(divisor) => {
                self.program.text(divisor).chars().any(|c| c.is_ascii_digit() && c != '0')
                    && divisor.kind() == "decimal_integer_literal"
            }
            _ => self.interval(divisor).is_some_and(|v| !v.contains(&0)),
        }
    }
}

//! What an expression is, as far as it is known without lowering it: its class, its type, the
//! field it names.

use crate::constants::Value;
use crate::draft::Variable;
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::{FORGOTTEN, Field, Type};
use crate::tree::{child, inside, parts};
use tree_sitter::Node;

impl<'t> Lower<'t> {
    pub fn find(&self, name: &str) -> Option<(Variable, Type)> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned()
    }

    /// The static type of an expression, as far as it is known without lowering it.
    pub fn class_of(&self, node: Node<'t>) -> String {
        match node.kind() {
            "this" => self.class.clone(),
            "identifier" | "field_access" => match (self.named_type(node), node.kind()) {
                (Some(Type::Reference(class)), _) => class,
                (_, "identifier") => self.program.text(node).to_string(),
                _ => String::new(),
            },
            "object_creation_expression" => {
                self.program.part(node, "type").split('<').next().unwrap_or("").to_string()
            }
            "method_invocation" => match self.result_of(node) {
                Some(Type::Reference(class)) => class,
                None if self.is_current_thread(node) => "Thread".to_string(),
                None if self.program.part(node, "name") == "newCondition" => "Condition".to_string(),
                None if self.makes_executor(node) => "ExecutorService".to_string(),
                None if self.atomic(node).is_some() => match self.atomic_type(node) {
                    Type::Reference(class) => class,
                    _ => String::new(),
                },
                _ => String::new(),
            },
            "assignment_expression" => child(node, "left").map(|n| self.class_of(n)).unwrap_or_default(),
            "ternary_expression" => {
                let side = |name: &str| child(node, name);
                let (a, b) = (side("consequence"), side("alternative"));
                a.zip(b).map(|(a, b)| self.common(a, b)).unwrap_or_default()
            }
            "class_literal" => "Class".to_string(),
            "parenthesized_expression" => parts(node).first().map(|n| self.class_of(*n)).unwrap_or_default(),
            "cast_expression" => self.program.part(node, "type").to_string(),
            _ => String::new(),
        }
    }

    /// The type of what may be one or the other: one of the two, or nothing that anything is known
    /// of.
    fn common(&self, a: Node<'t>, b: Node<'t>) -> String {
        let is_null = |n: Node<'t>| inside(n).kind() == "null_literal";
        let (left, right) = (self.class_of(a), self.class_of(b));
        match () {
            () if is_null(a) || self.program.is_a(&left, &right) => right,
            () if is_null(b) || self.program.is_a(&right, &left) => left,
            () => String::new(),
        }
    }

    /// The type of the local or field that a name means.
    fn named_type(&self, node: Node<'t>) -> Option<Type> {
        let (object, name) = self.program.named(node)?;
        let local = self.find(name).filter(|_| object.is_none()).map(|(_, ty)| ty);
        local.or_else(|| self.field_meant(node).map(|f| f.ty.clone()))
    }

    /// Whether an expression is a truth value, a reference, or forgotten.
    pub fn type_of(&self, node: Node<'t>) -> Type {
        match node.kind() {
            "true" | "false" => Type::Boolean,
            "null_literal" | "this" | "class_literal" => Type::Reference(String::new()),
            "object_creation_expression" => match self.class_of(node) {
                class if FORGOTTEN.contains(&class) => Type::Forgotten,
                class => Type::Reference(class),
            },
            "assignment_expression" => child(node, "left").map_or(Type::Forgotten, |n| self.type_of(n)),
            "ternary_expression" => {
                let side = |name: &str| child(node, name).map(|n| self.type_of(n));
                match (side("consequence"), side("alternative")) {
                    (Some(Type::Reference(_)), Some(Type::Reference(_))) => {
                        Type::Reference(self.class_of(node))
                    }
                    (Some(Type::Boolean), Some(Type::Boolean)) => Type::Boolean,
                    _ => Type::Forgotten,
                }
            }
            "identifier" | "field_access" => self.named_type(node).unwrap_or(Type::Forgotten),
            "method_invocation" => match (self.result_of(node), self.program.part(node, "name")) {
                (Some(result), _) => result,
                (None, "tryLock") => Type::Boolean,
                (None, "newCondition") => Type::Reference("Condition".to_string()),
                (None, _) if self.makes_executor(node) => Type::Reference("ExecutorService".to_string()),
                (None, "awaitTermination") => Type::Boolean,
                (None, "currentThread") if self.is_current_thread(node) => {
                    Type::Reference("Thread".to_string())
                }
                (None, _) if self.atomic(node).is_some() => self.atomic_type(node),
                _ => Type::Forgotten,
            },
            "parenthesized_expression" => parts(node).first().map_or(Type::Forgotten, |n| self.type_of(*n)),
            "unary_expression" if self.program.text(node).starts_with('!') => Type::Boolean,
            "binary_expression" => match self.program.part(node, "operator") {
                "==" | "!=" | "&&" | "||" | "<" | ">" | "<=" | ">=" => Type::Boolean,
                "&" | "|" | "^" if self.are_truths(node) => Type::Boolean,
                _ => Type::Forgotten,
            },
            "instanceof_expression" => Type::Boolean,
            "cast_expression" => self.program.ty(child(node, "type")),
            _ => Type::Forgotten,
        }
    }

    /// Whether both sides are truth values.
    pub fn are_truths(&self, node: Node<'t>) -> bool {
        let side = |name: &str| child(node, name).map(|n| self.type_of(n));
        side("left") == Some(Type::Boolean) && side("right") == Some(Type::Boolean)
    }

    /// Whether both sides are references.
    pub fn compares(&self, node: Node<'t>) -> bool {
        let side = |name: &str| child(node, name).map(|n| self.type_of(n));
        let reference = |ty: Option<Type>| matches!(ty, Some(Type::Reference(_)));
        reference(side("left")) && reference(side("right"))
    }

    /// The value of a field that is a constant variable and not forgotten; an object that it is
    /// named by must be there.
    pub fn constant_field(&mut self, node: Node<'t>, at: &mut Label) -> Option<Value> {
        let field = self.constant_named(node)?;
        let value = self.program.constant_value(&field)?;
        if matches!(value, Value::Text | Value::Number) {
            return None;
        }
        let object = child(node, "object").filter(|_| node.kind() == "field_access");
        if object.is_some_and(|o| !field.is_static || !self.program.is_quiet(o)) {
            let (owner, _) = self.owner(object, at);
            if !field.is_static {
                self.must_be(&owner, node, at);
            }
        }
        Some(value)
    }

    /// The field that a name means, if it is a constant variable.
    pub fn constant_named(&self, node: Node<'t>) -> Option<Field<'t>> {
        let field = self.field_meant(node)?;
        self.program.constant_value(field).map(|_| field.clone())
    }

    /// The field that a name means.
    pub fn field_meant(&self, node: Node<'t>) -> Option<&Field<'t>> {
        match self.program.named(node)? {
            (Some(object), name) => self.program.find_field(&self.class_of(object), name),
            (None, name) if self.find(name).is_some() => None,
            (None, name) => self.program.find_field(&self.class, name),
        }
    }

    pub fn is_local(&self, node: Option<Node<'t>>) -> bool {
        node.is_some_and(|n| n.kind() == "identifier" && self.find(self.program.text(n)).is_some())
    }

    pub fn is_class(&self, name: &str) -> bool {
        self.program.classes.contains_key(name) && self.find(name).is_none()
    }
}

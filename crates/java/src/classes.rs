//! Declarations: classes, interfaces, fields, methods, and the types that are written there.

use crate::constants::Constancy;
use crate::program::{BOXES, Class, FORGOTTEN, Field, Method, Program, Type};
use crate::tree::{child, children, parts};
use source::Diagnostic;
use tree_sitter::Node;

impl<'t> Program<'t> {
    pub fn class(&mut self, node: Node<'t>) {
        let name = self.part(node, "name").to_string();
        let parent = child(node, "superclass").and_then(|s| self.names(s).pop());
        let interfaces = child(node, "interfaces").map(|n| self.names(n)).unwrap_or_default();
        let mut class = Class {
            name: name.clone(),
            parent,
            interfaces,
            fields: vec![],
            methods: vec![],
            constructor: None,
            is_abstract: self.has(node, "abstract"),
        };
        let body = child(node, "body").map(children).unwrap_or_default();
        for member in body {
            match member.kind() {
                "field_declaration" => class.fields.extend(self.field(&name, member)),
                "method_declaration" => class.methods.push(self.method(&name, member)),
                "constructor_declaration" if class.constructor.is_none() => {
                    class.constructor = Some(self.method(&name, member));
                }
                "class_declaration" => self.class(member),
                "interface_declaration" => self.interface(member),
                "line_comment" | "block_comment" | ";" | "{" | "}" => {}
                _ => self.outside(member),
            }
        }
        for field in class.fields.iter().filter(|f| f.ty.is_atomic() && f.value.is_none()) {
            let body = class.constructor.as_ref().and_then(|c| c.body);
            if field.is_static || !body.is_some_and(|b| self.assigns(b, &field.name)) {
                let message = "an atomic field gets its object at its declaration or in the constructor";
                self.diagnostics.push(Diagnostic::error("E0802", field.span, message));
            }
        }
        self.declared_type(node);
        self.classes.insert(name, class);
    }

    /// A type of the program, by its name alone.
    fn declared_type(&mut self, node: Node<'t>) {
        let (name, variables) = (self.part(node, "name").to_string(), self.type_variables(node));
        if !variables.is_empty() {
            self.generic.insert(name.clone(), variables);
        }
        if self.declarations.insert(name, node).is_some() {
            let message = "two classes of one file have this name";
            self.diagnostics.push(Diagnostic::error("E0802", self.span(node), message));
        }
    }

    /// What an interface promises is looked for in the classes; a default method is not found
    /// there.
    pub fn interface(&mut self, node: Node<'t>) {
        let above = children(node).into_iter().find(|c| c.kind() == "extends_interfaces");
        let above = above.map(|n| self.names(n)).unwrap_or_default();
        self.declared_type(node);
        self.interfaces.insert(self.part(node, "name").to_string(), above);
        self.refuse_values(node);
    }

    /// The fields of an interface are not modelled: reading one is refused. But one with a default
    /// method is initialized with its classes.
    fn refuse_values(&mut self, node: Node<'t>) {
        let body = child(node, "body").map(children).unwrap_or_default();
        let is_default = |n: &Node<'t>| {
            n.kind() == "method_declaration" && child(*n, "body").is_some() && !self.has(*n, "static")
        };
        let literal = |n: Node<'t>| n.kind().ends_with("_literal") && n.kind() != "null_literal";
        let value = |n: &Node<'t>| children(*n).into_iter().find_map(|d| child(d, "value"));
        let plain = |n: &Node<'t>| value(n).is_none_or(|v| literal(v) || self.truth(v).is_some());
        let fields = body.iter().filter(|n| n.kind() == "constant_declaration");
        let found: Vec<Node<'t>> = fields.filter(|n| !plain(n)).copied().collect();
        if body.iter().any(is_default) {
            for field in found {
                let help = "move the field to a class, or the method";
                self.refuse(field, "a field of an interface with default methods is not modelled", help);
            }
        }
    }

    /// Classes that are below themselves; whether there are any.
    pub fn refuse_circles(&mut self) -> bool {
        let up = |name: &String| -> Vec<String> {
            let class = self.classes.get(name);
            let above = class.into_iter().flat_map(|c| c.parent.iter().chain(&c.interfaces));
            above.chain(self.interfaces.get(name).into_iter().flatten()).cloned().collect()
        };
        let round = |name: &String| {
            let (mut seen, mut open) = (std::collections::BTreeSet::new(), up(name));
            while let Some(next) = open.pop() {
                if seen.insert(next.clone()) {
                    open.extend(up(&next));
                }
            }
            seen.contains(name)
        };
        let found: Vec<Node<'t>> =
            self.declarations.iter().filter(|(name, _)| round(name)).map(|(_, node)| *node).collect();
        found.iter().for_each(|n| {
            self.diagnostics.push(Diagnostic::error("E0801", self.span(*n), "this class extends itself"));
        });
        !found.is_empty()
    }

    /// Fields of which it is not known whether they are constant variables.
    pub fn refuse_fields(&mut self) {
        let fields: Vec<Field<'t>> = self.classes.values().flat_map(|c| c.fields.clone()).collect();
        for field in fields {
            if let Some(value) = field.value.filter(|_| self.constancy(&field) == Constancy::NotKnown) {
                let help = "write its value as a literal, or remove `final`";
                self.refuse(value, "whether this is a constant expression is not known", help);
            }
        }
    }

    pub fn names(&self, node: Node<'t>) -> Vec<String> {
        self.types(node).into_iter().map(|n| self.base(n).to_string()).collect()
    }

    pub fn has(&self, node: Node<'t>, modifier: &str) -> bool {
        let modifiers = children(node).into_iter().find(|c| c.kind() == "modifiers");
        modifiers.is_some_and(|m| children(m).into_iter().any(|c| self.text(c) == modifier))
    }

    pub fn field(&mut self, class: &str, node: Node<'t>) -> Vec<Field<'t>> {
        let ty = child(node, "type");
        let (is_static, is_final) = (self.has(node, "static"), self.has(node, "final"));
        let (is_volatile, is_private) = (self.has(node, "volatile"), self.has(node, "private"));
        let declarators: Vec<Node<'t>> =
            children(node).into_iter().filter(|c| c.kind() == "variable_declarator").collect();
        let one = |d: Node<'t>| Field {
            name: self.part(d, "name").to_string(),
            class: class.to_string(),
            ty: self.declared(ty, class, self.part(d, "name")),
            is_static,
            is_final,
            is_volatile,
            is_private,
            written: ty.map_or("", |n| self.text(n)).to_string(),
            value: child(d, "value"),
            span: self.span(d),
        };
        declarators.into_iter().map(one).collect()
    }

    pub fn method(&mut self, class: &str, node: Node<'t>) -> Method<'t> {
        let parameters = child(node, "parameters").map(children).unwrap_or_default();
        let parameters: Vec<Node<'t>> = parameters
            .into_iter()
            .filter(|p| matches!(p.kind(), "formal_parameter" | "spread_parameter"))
            .collect();
        let first = match parameters[..] {
            [one] => self.written(one),
            _ => String::new(),
        };
        let parameters = parameters
            .into_iter()
            .map(|p| match p.kind() {
                "formal_parameter" => {
                    let name = self.part(p, "name");
                    (name.to_string(), self.declared(child(p, "type"), class, name))
                }
                _ => {
                    let name = children(p).into_iter().find(|n| n.kind() == "variable_declarator");
                    (name.map_or("", |n| self.part(n, "name")).to_string(), Type::Loose)
                }
            })
            .collect();
        Method {
            name: self.part(node, "name").to_string(),
            class: class.to_string(),
            parameters,
            result: self.declared(child(node, "type"), class, self.part(node, "name")),
            is_static: self.has(node, "static"),
            is_synchronized: self.has(node, "synchronized"),
            is_private: self.has(node, "private"),
            first,
            body: child(node, "body"),
            span: self.span(child(node, "name").unwrap_or(node)),
        }
    }

    /// The type of a parameter, as it is written.
    pub fn written(&self, node: Node<'t>) -> String {
        match node.kind() {
            "formal_parameter" => self.part(node, "type").to_string(),
            _ => format!(
                "{}...",
                parts(node).iter().find(|n| n.kind().ends_with("identifier")).map_or("", |n| self.text(*n))
            ),
        }
    }

    /// The type of something with a name, which may have a declared range.
    pub fn declared(&self, node: Option<Node<'t>>, class: &str, name: &str) -> Type {
        let range = self.ranges.get(&format!("{class}.{name}")).or_else(|| self.ranges.get(name));
        match (range, node.map(|n| self.text(n))) {
            (Some((low, high)), Some("int" | "long")) => Type::Number(*low, *high),
            (Some((low, high)), Some("AtomicInteger" | "AtomicLong")) => Type::AtomicNumber(*low, *high),
            _ => self.ty(node),
        }
    }

    pub fn ty(&self, node: Option<Node<'t>>) -> Type {
        let Some(node) = node else { return Type::Void };
        match (node.kind(), self.text(node)) {
            ("boolean_type", _) => Type::Boolean,
            (_, "AtomicBoolean") => Type::Atomic,
            ("void_type", _) => Type::Void,
            ("integral_type" | "floating_point_type", _) => Type::Forgotten,
            (_, name) if BOXES.contains(&name) => Type::Boxed,
            (_, name) if FORGOTTEN.contains(name) => Type::Loose,
            ("generic_type", text) if text.starts_with("AtomicReference<") => {
                let of = node.named_child(1).and_then(|of| of.named_child(0));
                Type::AtomicReference(of.map_or("Object", |n| self.text(n)).to_string())
            }
            ("generic_type", _) => self.ty(node.named_child(0)),
            ("type_identifier", name) => Type::Reference(name.to_string()),
            (_, text) if text.ends_with("[]") => Type::Loose,
            (_, name) => Type::Reference(name.to_string()),
        }
    }
}

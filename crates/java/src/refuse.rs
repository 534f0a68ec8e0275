//! What is refused wherever it stands, before anything is lowered: forms that the rest of the
//! reader would take for something else.
//!
//! Raw types and casts to type variables or types with arguments are refused, so that what a
//! generic class gives back is of the type that the text says: the casts that javac inserts never
//! fail then.

use crate::program::{FORGOTTEN, Program};
use crate::tree::{child, children};
use source::Diagnostic;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// What is known on the way down.
#[derive(Clone, Default)]
struct Around {
    /// The names of type parameters that are in scope.
    variables: BTreeSet<String>,
    /// Inside of a class below `Thread`.
    in_thread: bool,
}

impl<'t> Program<'t> {
    /// Tells that something is not modelled, and what to do.
    pub fn refuse(&mut self, node: Node<'_>, message: impl Into<String>, help: impl Into<String>) {
        let error = Diagnostic::error("E0802", self.span(node), message.into());
        self.diagnostics.push(error.help(help.into()));
    }

    /// Walks through the whole text.
    pub fn refuse_everywhere(&mut self, root: Node<'t>) {
        for node in children(root).into_iter().filter(|n| n.kind() == "import_declaration") {
            self.imports(node);
        }
        self.refuse_inside(root, &Around::default());
    }

    fn refuse_inside(&mut self, node: Node<'t>, around: &Around) {
        let mut inner = around.clone();
        match node.kind() {
            "import_declaration" | "package_declaration" => return,
            "class_declaration" | "interface_declaration" => {
                self.declares_type(node);
                inner.variables.extend(self.type_variables(node));
                inner.in_thread |= self.is_thread(self.part(node, "name"));
            }
            "method_declaration" | "constructor_declaration" => {
                inner.variables.extend(self.type_variables(node));
                self.refuse_method(node);
            }
            "variable_declarator" | "formal_parameter" | "catch_formal_parameter" => {
                self.declares_name(node, self.part(node, "name"));
                self.refuse_dimensions(node);
            }
            "spread_parameter" => self.refuse_spread(node),
            "lambda_expression" => self.refuse_parameters(node),
            "type_identifier" => self.refuse_type(node, around),
            "identifier" if self.text(node) == "Executors" => self.names_type(node, false),
            "cast_expression" => self.refuse_cast(node, around),
            "generic_type" => self.refuse_arguments(node),
            "instanceof_expression" if child(node, "name").is_some() => {
                self.refuse(node, "a pattern of `instanceof` is not modelled", "test, then cast");
            }
            // Its parts are qualified names, too: one message is enough.
            "scoped_type_identifier" => {
                let simple = self.text(node).rsplit('.').next().unwrap_or_default().trim();
                let help = format!("import it, and write its simple name, `{simple}`");
                return self.refuse(node, "a qualified name of a type is not modelled", help);
            }
            "annotated_type" | "record_pattern" | "type_pattern" => {
                self.refuse(node, "this form of a type is not modelled", "write its simple name");
            }
            _ => {}
        }
        children(node).into_iter().for_each(|child| self.refuse_inside(child, &inner));
    }

    /// The names of the type parameters of a declaration.
    pub fn type_variables(&self, node: Node<'t>) -> Vec<String> {
        let list = children(node).into_iter().find(|n| n.kind() == "type_parameters");
        let one = |n: Node<'t>| {
            let name = children(n).into_iter().find(|n| n.kind().ends_with("identifier"));
            name.map(|n| self.text(n).to_string())
        };
        list.map(children).unwrap_or_default().into_iter().filter_map(one).collect()
    }

    fn refuse_method(&mut self, node: Node<'t>) {
        self.refuse_dimensions(node);
        if self.has(node, "native") {
            self.refuse(node, "native methods are not modelled", "`weave explain E0802` says what is");
        }
    }

    /// `A x[]`: the type is another one than it seems.
    fn refuse_dimensions(&mut self, node: Node<'t>) {
        if child(node, "dimensions").is_some() {
            self.refuse(
                node,
                "brackets behind a name are not modelled",
                "write them behind the type: `A[] x`",
            );
        }
    }

    /// Any number of arguments, but for main.
    fn refuse_spread(&mut self, node: Node<'t>) {
        let method = node.parent().and_then(|n| n.parent());
        if method.is_none_or(|m| self.part(m, "name") != "main") {
            self.refuse(node, "a variable number of arguments is not modelled", "write an array");
        }
    }

    fn refuse_parameters(&mut self, lambda: Node<'t>) {
        let Some(parameters) = child(lambda, "parameters") else { return };
        let names = children(parameters).into_iter().chain([parameters]).filter(|n| n.kind() == "identifier");
        names.collect::<Vec<_>>().into_iter().for_each(|n| self.declares_name(n, self.text(n)));
    }

    fn refuse_type(&mut self, node: Node<'t>, around: &Around) {
        let (name, parent) = (self.text(node), node.parent());
        let is_in = |kind: &str| parent.is_some_and(|p| p.kind() == kind);
        if is_in("type_parameter") {
            return self.declares_name(node, name);
        }
        self.names_type(node, around.in_thread);
        let with_arguments =
            is_in("generic_type") || is_in("instanceof_expression") || is_in("class_literal");
        if (self.generic.contains_key(name) || name == "AtomicReference") && !with_arguments {
            let message = format!("`{name}` without type arguments is a raw type, which is not modelled");
            self.refuse(node, message, format!("write `{name}<…>`"));
        }
    }

    /// Boxes, texts and arrays in place of a type variable: they are forgotten, and objects are
    /// not.
    fn refuse_arguments(&mut self, node: Node<'t>) {
        let forgotten = |n: &Node<'t>| FORGOTTEN.contains(self.text(*n)) || n.kind() == "array_type";
        let arguments =
            children(node).into_iter().filter(|n| n.kind() == "type_arguments").flat_map(children);
        let given = arguments.filter(forgotten).collect::<Vec<_>>();
        let ours = self.is_own(self.base(node)) || self.base(node) == "AtomicReference";
        for argument in given.into_iter().filter(|_| ours) {
            let help = "numbers, texts and arrays are forgotten; write a class of the program";
            self.refuse(argument, "this type argument is not modelled", help);
        }
    }

    /// Casts that are not checked where they stand.
    fn refuse_cast(&mut self, node: Node<'t>, around: &Around) {
        let mut cursor = node.walk();
        let types: Vec<Node<'t>> = node.children_by_field_name("type", &mut cursor).collect();
        let open = |n: &Node<'t>| {
            n.kind() == "generic_type"
                || around.variables.contains(self.text(*n))
                || self.text(*n).contains('<')
        };
        if types.len() > 1 || types.iter().any(open) {
            let help = "cast to one class or interface without type arguments";
            self.refuse(node, "this cast is not modelled", help);
        }
    }
}

//! Expressions whose value is forgotten: numbers and texts. What they do is not: calls, assignments and creations inside them
//! happen. An expression that is not known to be harmless is an error.

use super::flow::{Label, Variable};
use super::lower::Lower;
use super::program::{FORGOTTEN, Type, parts};
use tree_sitter::Node;

/// Library classes with static methods on numbers and texts.
const STATIC: [&str; 7] = ["Math", "Integer", "Long", "String", "Double", "Character", "Boolean"];

/// What every object has and weave does not follow: it only must not be null.
const OF_OBJECTS: [&str; 4] = ["equals", "hashCode", "toString", "getClass"];

impl<'t> Lower<'t> {
    /// The effects of an expression whose value is forgotten.
    pub fn effect_inside(&mut self, node: Node<'t>, at: &mut Label) {
        match node.kind() {
            "assignment_expression" | "update_expression" => self.effect(node, at),
            "method_invocation" => match self.choices(node).is_empty() {
                false => drop(self.invoke(node, at)),
                true => self.library_call(node, at),
            },
            "object_creation_expression" => match FORGOTTEN.contains(&self.class_of(node).as_str()) {
                true => node.child_by_field_name("arguments").into_iter().for_each(|n| self.inside(n, at)),
                false => drop(self.create(node, at)),
            },
            // Of these parts some may not happen.
            "ternary_expression" if !self.program.is_quiet(node) => self.program.outside(node),
            "binary_expression"
                if matches!(self.program.part(node, "operator"), "&&" | "||")
                    && !self.program.is_quiet(node) =>
            {
                self.program.outside(node);
            }
            "identifier" => self.known(node),
            "field_access" => {
                let class = node.child_by_field_name("object").map(|o| self.class_of(o));
                let field = self.program.part(node, "field");
                let own = class.is_some_and(|c| self.program.find_field(&c, field).is_some());
                if own {
                    let object = node.child_by_field_name("object");
                    let (owner, _) = self.owner(object, at);
                    if !matches!(owner, Variable::Null) {
                        self.must_be(&owner, node, at);
                    }
                } else if field != "length" && !node.has_error() && !self.is_library_constant(node) {
                    self.error("E0803", node, format!("no field `{field}`"));
                }
            }
            "array_access" | "array_creation_expression" | "array_initializer" | "dimensions_expr" => {
                self.inside(node, at);
            }
            "binary_expression"
            | "unary_expression"
            | "ternary_expression"
            | "parenthesized_expression"
            | "instanceof_expression" => self.inside(node, at),
            "cast_expression" => {
                node.child_by_field_name("value").into_iter().for_each(|n| self.effect_inside(n, at));
            }
            kind if kind.ends_with("_literal") || kind.ends_with("_type") => {}
            "true" | "false" | "this" | "type_identifier" => {}
            _ => self.program.outside(node),
        }
    }

    fn inside(&mut self, node: Node<'t>, at: &mut Label) {
        parts(node).into_iter().for_each(|n| self.effect_inside(n, at));
    }

    /// `Integer.MAX_VALUE` and the like.
    fn is_library_constant(&self, node: Node<'t>) -> bool {
        node.child_by_field_name("object").is_some_and(|o| STATIC.contains(&self.program.text(o)))
    }

    /// A name must be one of ours.
    fn known(&mut self, node: Node<'t>) {
        let name = self.program.text(node);
        if self.find(name).is_none() && self.program.find_field(&self.class, name).is_none() {
            self.error("E0803", node, format!("no variable or field `{name}`"));
        }
    }

    /// A call of the library whose value is forgotten: on numbers, texts, or what every object has.
    fn library_call(&mut self, node: Node<'t>, at: &mut Label) {
        let name = self.program.part(node, "name");
        let object = node.child_by_field_name("object");
        let arguments = node.child_by_field_name("arguments");
        let Some(o) = object else { return self.program.outside(node) };
        let text = self.program.text(o);
        let clock = text == "System" && matches!(name, "nanoTime" | "currentTimeMillis" | "identityHashCode");
        let is_name = o.kind() == "identifier" && self.find(text).is_none();
        if clock || is_name && STATIC.contains(&text) {
        } else if matches!(self.type_of(o), Type::Reference(_)) && OF_OBJECTS.contains(&name) {
            let (on, _) = self.operand(o, at);
            self.must_be(&on, node, at);
        } else if self.type_of(o) == Type::Forgotten {
            self.effect_inside(o, at);
        } else {
            return self.program.outside(node);
        }
        arguments.into_iter().for_each(|n| self.inside(n, at));
    }
}

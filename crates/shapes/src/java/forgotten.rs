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
            "ternary_expression" if !self.is_private(node) => self.one_of_two(node, at),
            "binary_expression"
                if matches!(self.program.part(node, "operator"), "&&" | "||") && !self.is_private(node) =>
            {
                let after = self.label(node);
                self.condition(node, *at, after, after);
                *at = after;
            }
            "identifier" => self.known(node, at),
            "field_access" => {
                let class = node.child_by_field_name("object").map(|o| self.class_of(o));
                let field = self.program.part(node, "field");
                let own = class.is_some_and(|c| self.program.find_field(&c, field).is_some());
                if own {
                    let object = node.child_by_field_name("object");
                    let (owner, class) = self.owner(object, at);
                    if !matches!(owner, Variable::Null) {
                        self.must_be(&owner, node, at);
                    }
                    self.touch((&owner, &class), field, false, node, at);
                } else if field == "length" && !self.is_library_constant(node) {
                    // Of an array, and it never changes; which array it is may.
                    node.child_by_field_name("object").into_iter().for_each(|o| self.effect_inside(o, at));
                } else if field != "length" && !node.has_error() && !self.is_library_constant(node) {
                    self.error("E0803", node, format!("no field `{field}`"));
                }
            }
            "array_access" => {
                self.inside(node, at);
                self.element(false, node, at);
            }
            "array_creation_expression" | "array_initializer" | "dimensions_expr" => {
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

    /// A name must be one of ours; a field is read.
    fn known(&mut self, node: Node<'t>, at: &mut Label) {
        let name = self.program.text(node);
        if self.find(name).is_some() {
            return;
        }
        if self.program.find_field(&self.class, name).is_none() {
            return self.error("E0803", node, format!("no variable or field `{name}`"));
        }
        let (this, class) = (self.this.clone(), self.class.clone());
        self.touch((&this, &class), name, false, node, at);
    }

    /// `target++` or `target += value` where the value is forgotten: the target is read, then written.
    pub fn change_forgotten(
        &mut self,
        target: Node<'t>,
        value: Option<Node<'t>>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        let (object, name) = match target.kind() {
            "parenthesized_expression" => match parts(target).first() {
                Some(inner) => return self.change_forgotten(*inner, value, node, at),
                None => return,
            },
            "identifier" => (None, self.program.text(target)),
            "field_access" => (target.child_by_field_name("object"), self.program.part(target, "field")),
            _ => {
                self.effect_inside(target, at);
                value.into_iter().for_each(|n| self.effect_inside(n, at));
                return self.element(true, node, at);
            }
        };
        if object.is_none() && self.find(name).is_some() {
            return value.into_iter().for_each(|n| self.effect_inside(n, at));
        }
        let (owner, class) = self.owner(object, at);
        if self.program.find_field(&class, name).is_none() {
            return self.error("E0803", target, format!("no variable or field `{name}`"));
        }
        self.touch((&owner, &class), name, false, node, at);
        value.into_iter().for_each(|n| self.effect_inside(n, at));
        self.touch((&owner, &class), name, true, node, at);
    }

    /// An element of an array is used. Which array it is, is not modelled; those that no field and no lambda knows belong to one
    /// thread.
    fn element(&mut self, writes: bool, node: Node<'t>, at: &mut Label) {
        if self.is_passed_on(|ty| ty.ends_with(']')) {
            self.touch_behind("an element of an array", writes, node, at);
        }
    }

    /// A call on a text that can be changed.
    fn builder(&mut self, name: &str, node: Node<'t>, at: &mut Label) {
        let changes = ["append", "insert", "delete", "deleteCharAt", "reverse", "replace"].contains(&name)
            || name.starts_with("set");
        if self.is_passed_on(|ty| ty == "StringBuilder") {
            self.touch_behind("a StringBuilder", changes, node, at);
        }
    }

    /// Whether something of such a type may come from one thread to another.
    fn is_passed_on(&self, is: impl Fn(&str) -> bool) -> bool {
        let mut fields = self.program.classes.values().flat_map(|c| &c.fields);
        fields.any(|f| is(&f.written)) || self.program.text.contains("->")
    }

    /// Whether evaluating something does nothing and looks at nothing that others know.
    fn is_private(&self, node: Node<'t>) -> bool {
        let others = match node.kind() {
            "identifier" => self.find(self.program.text(node)).is_none(),
            kind => matches!(kind, "field_access" | "array_access"),
        };
        !others && self.program.is_quiet(node) && parts(node).into_iter().all(|n| self.is_private(n))
    }

    /// `c ? a : b` of values that are forgotten.
    fn one_of_two(&mut self, node: Node<'t>, at: &mut Label) {
        let part = |name: &str| node.child_by_field_name(name);
        let (Some(condition), Some(a), Some(b)) =
            (part("condition"), part("consequence"), part("alternative"))
        else {
            return;
        };
        let (mut yes, mut no) = (self.label(node), self.label(node));
        self.condition(condition, *at, yes, no);
        self.effect_inside(a, &mut yes);
        self.effect_inside(b, &mut no);
        self.flow.alias(yes, no);
        *at = no;
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
            arguments.into_iter().for_each(|n| self.inside(n, at));
            return self.builder(name, node, at);
        } else {
            return self.program.outside(node);
        }
        arguments.into_iter().for_each(|n| self.inside(n, at));
    }
}

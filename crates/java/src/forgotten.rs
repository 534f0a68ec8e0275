//! Expressions whose value is forgotten: numbers and texts. What they do is not: calls, assignments
//! and creations inside them happen, and what they may throw may be thrown (`may_throw`). An
//! expression that is not known is an error.

use crate::flow::Label;
use crate::lower::Lower;
use crate::names::is_library;
use crate::program::{BOXES, FORGOTTEN, Type};
use crate::tree::{arguments, child, inside, parts};
use tree_sitter::Node;

impl<'t> Lower<'t> {
    /// The effects of an expression whose value is forgotten.
    pub fn effect_inside(&mut self, node: Node<'t>, at: &mut Label) {
        match node.kind() {
            "assignment_expression" | "update_expression" => self.effect(node, at),
            "method_invocation" => match self.choices(node).is_empty() {
                false => {
                    self.invoke(node, at);
                    self.unboxed(node, at);
                }
                true => self.library_call(node, at),
            },
            "object_creation_expression" => match FORGOTTEN.contains(&self.class_of(node)) {
                true => self.forgotten_object(node, at),
                false => drop(self.create(node, at)),
            },
            "ternary_expression" => self.forgotten_choice(node, at),
            "binary_expression" => self.forgotten_binary(node, at),
            "identifier" => {
                self.static_use(node, at);
                self.known(node, at);
                self.unboxed(node, at);
            }
            "field_access" => self.forgotten_field(node, at),
            "array_access" => {
                self.inside(node, at);
                self.may_throw(&["NullPointerException", "ArrayIndexOutOfBoundsException"], node, at);
                self.element(false, node, at);
            }
            "array_creation_expression" => {
                self.inside(node, at);
                let sizes: Vec<Node<'t>> =
                    parts(node).into_iter().filter(|n| n.kind() == "dimensions_expr").collect();
                let literal =
                    |n: &Node<'t>| parts(*n).first().is_some_and(|n| n.kind() == "decimal_integer_literal");
                if !sizes.iter().all(literal) {
                    self.may_throw(&["NegativeArraySizeException"], node, at);
                }
            }
            "array_initializer" | "dimensions_expr" | "unary_expression" | "parenthesized_expression" => {
                self.inside(node, at);
            }
            "instanceof_expression" => self.inside(node, at),
            "cast_expression" => self.forgotten_cast(node, at),
            kind if kind.ends_with("_literal") || kind.ends_with("_type") => {}
            "true" | "false" | "this" | "type_identifier" | "dimensions" => {}
            _ => self.program.outside(node),
        }
    }

    pub fn inside(&mut self, node: Node<'t>, at: &mut Label) {
        parts(node).into_iter().for_each(|n| self.effect_inside(n, at));
    }

    /// A value that may stay a box: nothing is taken out of it.
    pub fn effect_boxed(&mut self, node: Node<'t>, at: &mut Label) {
        match node.kind() {
            "identifier" if self.type_of(node) == Type::Boxed => {
                self.static_use(node, at);
                self.known(node, at);
            }
            "parenthesized_expression" => parts(node).into_iter().for_each(|n| self.effect_boxed(n, at)),
            "method_invocation" if !self.choices(node).is_empty() => drop(self.invoke(node, at)),
            "field_access" if self.type_of(node) == Type::Boxed => self.own_field(node, at),
            _ => self.effect_inside(node, at),
        }
    }

    /// A box is taken as the number in it.
    fn unboxed(&mut self, node: Node<'t>, at: &mut Label) {
        match self.type_of(node) {
            Type::Boxed => self.followed(node, at),
            // A type variable, which may stand for one.
            Type::Reference(name)
                if !name.is_empty() && !self.program.is_own(&name) && !is_library(&name) =>
            {
                self.may_throw(&["NullPointerException"], node, at);
            }
            _ => {}
        }
    }

    /// Of these parts some may not happen.
    fn forgotten_choice(&mut self, node: Node<'t>, at: &mut Label) {
        let part = |name: &str| child(node, name).unwrap_or(node);
        let (mut yes, mut no, after) = (self.label(node), self.label(node), self.label(node));
        self.condition(part("condition"), *at, yes, no);
        self.effect_inside(part("consequence"), &mut yes);
        self.effect_inside(part("alternative"), &mut no);
        self.flow.alias(yes, after);
        self.flow.alias(no, after);
        *at = after;
    }

    fn forgotten_binary(&mut self, node: Node<'t>, at: &mut Label) {
        let operator = self.program.part(node, "operator");
        let part = |name: &str| child(node, name).unwrap_or(node);
        let (left, right) = (part("left"), part("right"));
        match operator {
            "&&" | "||" => {
                let after = self.label(node);
                self.condition(node, *at, after, after);
                *at = after;
            }
            "/" | "%" if self.interval(node).is_some() => self.compute_away(node, at),
            "/" | "%" => {
                self.inside(node, at);
                if !self.divides(right) && !self.divides_exactly(left) {
                    self.may_throw(&["ArithmeticException"], node, at);
                }
            }
            "==" | "!=" if left.kind() == "null_literal" || right.kind() == "null_literal" => {
                self.effect_boxed(left, at);
                self.effect_boxed(right, at);
            }
            "+" => {
                for side in [left, right] {
                    // A null box in a text is the word `null`.
                    match self.type_of(side) {
                        Type::Boxed if self.is_text(left) || self.is_text(right) => {
                            self.effect_boxed(side, at)
                        }
                        _ => self.effect_inside(side, at),
                    }
                    self.makes_text(side, at);
                }
            }
            _ => self.inside(node, at),
        }
    }

    /// Whether the text shows a text.
    pub fn is_text(&self, node: Node<'t>) -> bool {
        match node.kind() {
            "string_literal" => true,
            "binary_expression" => {
                let side = |name: &str| child(node, name).is_some_and(|n| self.is_text(n));
                self.program.part(node, "operator") == "+" && (side("left") || side("right"))
            }
            _ => false,
        }
    }

    /// A number with a point is divided by anything.
    fn divides_exactly(&self, node: Node<'t>) -> bool {
        node.kind() == "decimal_floating_point_literal"
    }

    fn forgotten_field(&mut self, node: Node<'t>, at: &mut Label) {
        let object = child(node, "object");
        let class = object.map(|o| self.class_of(o));
        let field = self.program.part(node, "field");
        if class.is_some_and(|c| self.program.find_field(&c, field).is_some()) {
            self.own_field(node, at);
            self.unboxed(node, at);
        } else if let ("length", Some(o)) = (field, object) {
            self.effect_inside(o, at);
            self.followed(o, at);
        } else if !node.has_error() && !self.is_library_constant(node) {
            self.error("E0803", node, format!("no field `{field}`"));
        }
    }

    /// A field of ours whose value is forgotten: its owner must be there.
    fn own_field(&mut self, node: Node<'t>, at: &mut Label) {
        let (owner, class) = self.owner(child(node, "object"), at);
        let field = self.program.find_field(&class, self.program.part(node, "field")).cloned();
        match field.filter(|f| f.is_static) {
            Some(field) => self.ensure_field(&field.class, &field.name, node, at),
            None => self.must_be(&owner, node, at),
        }
        self.touch((&owner, &class, self.program.part(node, "field")), false, node, at);
    }

    /// A static field of the own class by its name alone.
    fn static_use(&mut self, node: Node<'t>, at: &mut Label) {
        let name = self.program.text(node);
        if self.find(name).is_some() {
            return;
        }
        if let Some(field) = self.program.find_field(&self.class, name).filter(|f| f.is_static).cloned() {
            self.ensure_field(&field.class, &field.name, node, at);
        }
    }

    /// The class of a static field is initialized, unless the field is a constant.
    pub fn ensure_field(&mut self, class: &str, name: &str, node: Node<'t>, at: &mut Label) {
        let field = self.program.find_field(class, name);
        if field.is_none_or(|f| self.program.constant_value(f).is_none()) {
            self.ensure(class, node, at);
        }
    }

    fn forgotten_cast(&mut self, node: Node<'t>, at: &mut Label) {
        let Some(value) = child(node, "value") else { return };
        let (from, to) = (self.type_of(value), self.program.ty(child(node, "type")));
        match (&from, &to) {
            (Type::Reference(_), Type::Reference(_)) => drop(self.operand(node, at)),
            (Type::Reference(_), _) => {
                self.operand(value, at);
                self.may_throw(&["ClassCastException", "NullPointerException"], node, at);
            }
            (Type::Boxed, Type::Boxed) => {
                self.effect_boxed(value, at);
                self.may_throw(&["ClassCastException"], node, at);
            }
            _ => self.effect_inside(value, at),
        }
    }

    fn forgotten_object(&mut self, node: Node<'t>, at: &mut Label) {
        let arguments = arguments(node);
        arguments.iter().for_each(|n| self.effect_inside(*n, at));
        let class = self.class_of(node);
        let calm = ["AtomicInteger", "AtomicLong"].contains(&class.as_str());
        let text = BOXES.contains(&class.as_str());
        let literal = |n: &Node<'t>| {
            n.kind().ends_with("_literal")
                && n.kind() != "null_literal"
                && !(text && n.kind() == "string_literal")
        };
        if !calm && !arguments.iter().all(literal) {
            self.may_throw_any(node, at);
        }
    }

    /// A name must be one of ours; a field is read.
    fn known(&mut self, node: Node<'t>, at: &mut Label) {
        let name = self.program.text(node);
        if self.find(name).is_some() {
            return;
        }
        if self.program.find_field(&self.class, name).is_none() {
            return self.unknown(node, name);
        }
        let (this, class) = (self.this.clone(), self.class.clone());
        self.touch((&this, &class, name), false, node, at);
    }

    /// `target++` or `target += value` where the value is forgotten: the target is read, then
    /// written.
    pub fn change_forgotten(
        &mut self,
        target: Node<'t>,
        value: Option<Node<'t>>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        let target = inside(target);
        let Some((object, name)) = self.program.named(target) else {
            self.effect_inside(target, at);
            self.changes_by(value, node, at);
            return self.element(true, node, at);
        };
        if object.is_none() && self.find(name).is_some() {
            self.unboxed(target, at);
            return self.changes_by(value, node, at);
        }
        let (owner, class) = self.owner(object, at);
        if self.program.find_field(&class, name).is_none() {
            return self.unknown(target, name);
        }
        self.loaded(&class, name, node, at);
        self.touch((&owner, &class, name), false, node, at);
        self.unboxed(target, at);
        self.changes_by(value, node, at);
        self.touch((&owner, &class, name), true, node, at);
    }

    /// The value by which something is changed.
    fn changes_by(&mut self, value: Option<Node<'t>>, node: Node<'t>, at: &mut Label) {
        let Some(value) = value else { return };
        self.effect_inside(value, at);
        self.makes_text(value, at);
        if matches!(self.program.part(node, "operator"), "/=" | "%=") && !self.divides(value) {
            self.may_throw(&["ArithmeticException"], node, at);
        }
    }

    /// An element of an array is used. Which array it is, is not modelled; those that no field and
    /// no lambda knows belong to one thread.
    fn element(&mut self, writes: bool, node: Node<'t>, at: &mut Label) {
        if self.is_passed_on(|ty| ty.ends_with(']')) {
            self.touch_behind("an element of an array", writes, node, at);
        }
    }

    /// Whether something of such a type may come from one thread to another.
    pub fn is_passed_on(&self, is: impl Fn(&str) -> bool) -> bool {
        let mut fields = self.program.classes.values().flat_map(|c| &c.fields);
        fields.any(|f| is(&f.written)) || self.program.text.contains("->")
    }
}

//! Expressions whose value is forgotten: numbers and texts. What they do is not: calls, assignments
//! and creations inside them happen, and what they may throw may be thrown (`doubt`). An expression
//! that is not known is an error.

use crate::flow::Label;
use crate::lower::Lower;
use crate::names::is_library;
use crate::program::{BOXES, Class, FORGOTTEN, Type, inside, parts};
use tree_sitter::Node;

/// Library classes with static methods on numbers and texts.
const STATIC: [&str; 7] = ["Math", "Integer", "Long", "String", "Double", "Character", "Boolean"];

/// What every object has and weave does not follow: it only must not be null.
const OF_OBJECTS: [&str; 4] = ["equals", "hashCode", "toString", "getClass"];

/// Methods of texts, boxes, atomic numbers, exceptions and the like that throw nothing, whatever
/// they are given.
const SAFE: [&str; 46] = [
    "length",
    "isEmpty",
    "isBlank",
    "hashCode",
    "trim",
    "strip",
    "toLowerCase",
    "toUpperCase",
    "toString",
    "intValue",
    "longValue",
    "doubleValue",
    "floatValue",
    "charValue",
    "equals",
    "equalsIgnoreCase",
    "get",
    "set",
    "incrementAndGet",
    "getAndIncrement",
    "decrementAndGet",
    "getAndDecrement",
    "addAndGet",
    "getAndAdd",
    "compareAndSet",
    "getAndSet",
    "lazySet",
    "nextBoolean",
    "nextDouble",
    "nextFloat",
    "nextLong",
    "nextGaussian",
    "append",
    "reverse",
    "getMessage",
    "printStackTrace",
    "getCause",
    "intern",
    "getLocalizedMessage",
    "stripLeading",
    "stripTrailing",
    "getClass",
    "nanoTime",
    "currentTimeMillis",
    "identityHashCode",
    "booleanValue",
];

/// Those that throw nothing if what they are given is there.
const SAFE_GIVEN: [&str; 9] = [
    "contains",
    "startsWith",
    "endsWith",
    "indexOf",
    "lastIndexOf",
    "concat",
    "compareTo",
    "replace",
    "compareToIgnoreCase",
];

/// Static methods of boxes that throw nothing on numbers.
const SAFE_STATIC: [&str; 18] = [
    "toString",
    "valueOf",
    "hashCode",
    "compare",
    "sum",
    "max",
    "min",
    "signum",
    "bitCount",
    "isDigit",
    "isLetter",
    "isWhitespace",
    "isNaN",
    "parseBoolean",
    "toBinaryString",
    "toHexString",
    "isUpperCase",
    "isLowerCase",
];

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
            "object_creation_expression" => match FORGOTTEN.contains(&self.class_of(node).as_str()) {
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

    fn inside(&mut self, node: Node<'t>, at: &mut Label) {
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
        let part = |name: &str| node.child_by_field_name(name).unwrap_or(node);
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
        let part = |name: &str| node.child_by_field_name(name).unwrap_or(node);
        let (left, right) = (part("left"), part("right"));
        match operator {
            "&&" | "||" => {
                let after = self.label(node);
                self.condition(node, *at, after, after);
                *at = after;
            }
            "/" | "%" if self.interval(node).is_some() => {
                let after = self.label(node);
                for (_, here) in self.compute(node, *at) {
                    self.flow.alias(here, after);
                }
                *at = after;
            }
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
                    self.to_text(side, at);
                }
            }
            _ => self.inside(node, at),
        }
    }

    /// Whether the text shows a text.
    fn is_text(&self, node: Node<'t>) -> bool {
        match node.kind() {
            "string_literal" => true,
            "binary_expression" => {
                let side = |name: &str| node.child_by_field_name(name).is_some_and(|n| self.is_text(n));
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
        let object = node.child_by_field_name("object");
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
        let (owner, class) = self.owner(node.child_by_field_name("object"), at);
        let field = self.program.find_field(&class, self.program.part(node, "field")).cloned();
        match field.filter(|f| f.is_static) {
            Some(field) => self.ensure_field(&field.class, &field.name, node, at),
            None => self.must_be(&owner, node, at),
        }
        self.touch((&owner, &class), self.program.part(node, "field"), false, node, at);
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
        let Some(value) = node.child_by_field_name("value") else { return };
        let (from, to) = (self.type_of(value), self.program.ty(node.child_by_field_name("type")));
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
        let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
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

    /// `target++` or `target += value` where the value is forgotten: the target is read, then
    /// written.
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
                self.changes_by(value, node, at);
                return self.element(true, node, at);
            }
        };
        if object.is_none() && self.find(name).is_some() {
            self.unboxed(target, at);
            return self.changes_by(value, node, at);
        }
        let (owner, class) = self.owner(object, at);
        if self.program.find_field(&class, name).is_none() {
            return self.error("E0803", target, format!("no variable or field `{name}`"));
        }
        self.loaded(&class, name, node, at);
        self.touch((&owner, &class), name, false, node, at);
        self.unboxed(target, at);
        self.changes_by(value, node, at);
        self.touch((&owner, &class), name, true, node, at);
    }

    /// The value by which something is changed.
    fn changes_by(&mut self, value: Option<Node<'t>>, node: Node<'t>, at: &mut Label) {
        let Some(value) = value else { return };
        self.effect_inside(value, at);
        self.to_text(value, at);
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

    /// A call of the library whose value is forgotten: on numbers, texts, or what every object has.
    fn library_call(&mut self, node: Node<'t>, at: &mut Label) {
        let name = self.program.part(node, "name");
        let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        let Some(o) = node.child_by_field_name("object") else { return self.program.outside(node) };
        let text = self.program.text(o);
        let clock = text == "System" && matches!(name, "nanoTime" | "currentTimeMillis" | "identityHashCode");
        let is_name = o.kind() == "identifier" && self.find(text).is_none();
        if clock || is_name && STATIC.contains(&text) {
            self.given_to_library(&arguments, at);
            if name != "identityHashCode" {
                arguments.iter().for_each(|n| self.to_text(*n, at));
            }
            if !clock && !self.is_safe_static(text, name, &arguments) {
                self.may_throw_any(node, at);
            }
        } else if let (Type::Reference(_), true) = (self.type_of(o), OF_OBJECTS.contains(&name)) {
            let (on, class) = self.operand(o, at);
            self.given_to_library(&arguments, at);
            self.must_be(&on, node, at);
            self.of_object(&class, name, node, at);
        } else if is_name && is_library(text) {
            self.program.outside(node);
        } else if self.type_of(o).is_forgotten() && self.is_of_library(o, name) {
            self.effect_boxed(o, at);
            self.given_to_library(&arguments, at);
            if name != "equals" {
                arguments.iter().for_each(|n| self.to_text(*n, at));
            }
            self.followed(o, at);
            self.own_exceptions(name, node, at);
            if !self.is_safe(name, &arguments) {
                self.may_throw_any(node, at);
            }
            self.builder(name, node, at);
        } else {
            self.program.outside(node);
        }
    }

    /// Whether a call on what is forgotten is one of the library: an element of an array, or an
    /// exception of the program that is caught, may have methods of its own.
    fn is_of_library(&self, object: Node<'t>, name: &str) -> bool {
        let object = inside(object);
        let own = |c: &Class<'t>| self.lineage(&c.name).is_some() && c.methods.iter().any(|m| m.name == name);
        object.kind() != "array_access" && !self.program.classes.values().any(own)
    }

    fn given_to_library(&mut self, arguments: &[Node<'t>], at: &mut Label) {
        arguments.iter().for_each(|n| self.effect_boxed(*n, at));
    }

    /// What is caught may be an exception of the program, with methods of its own.
    fn own_exceptions(&mut self, name: &str, node: Node<'t>, at: &mut Label) {
        let told = ["getMessage", "printStackTrace", "getCause", "toString", "getLocalizedMessage"];
        let throwable = |c: &String| self.lineage(c).is_some();
        let own = || {
            let classes = self.program.classes.keys().filter(|c| throwable(c));
            classes.into_iter().any(|c| told.iter().any(|m| self.program.find_method(c, m, 0).is_some()))
        };
        if told.contains(&name) && own() {
            self.beyond("a method of an exception that is called by the library is not followed", node, at);
        }
    }

    fn is_safe(&self, name: &str, arguments: &[Node<'t>]) -> bool {
        let positive = |n: &Node<'t>| n.kind() == "decimal_integer_literal" && self.program.text(*n) != "0";
        match name {
            "nextInt" => arguments.is_empty() || arguments.len() == 1 && arguments.iter().all(positive),
            _ => {
                SAFE.contains(&name)
                    || SAFE_GIVEN.contains(&name) && arguments.iter().all(|n| self.is_there(*n))
            }
        }
    }

    fn is_safe_static(&mut self, class: &str, name: &str, arguments: &[Node<'t>]) -> bool {
        let number = |n: &Node<'t>| {
            self.type_of(*n) == Type::Forgotten && n.kind() != "string_literal" && !self.is_text(*n)
        };
        match class {
            "Math" => {
                !name.ends_with("Exact") && !name.starts_with("floor") && !name.starts_with("ceilDiv")
                    || name == "floor"
            }
            "String" => name == "valueOf" && arguments.iter().all(number),
            _ => SAFE_STATIC.contains(&name) && arguments.iter().all(number),
        }
    }

    /// Something is printed: texts are made of objects, and a format may not fit.
    pub fn printed(&mut self, node: Node<'t>, arguments: &[Node<'t>], at: &mut Label) {
        self.given_to_library(arguments, at);
        arguments.iter().for_each(|n| self.to_text(*n, at));
        if self.program.part(node, "name") == "printf" && !self.is_plain_format(arguments) {
            self.may_throw_any(node, at);
        }
    }

    /// A literal with `%s`, `%n` and `%%` alone, and enough to print.
    fn is_plain_format(&self, arguments: &[Node<'t>]) -> bool {
        let Some(first) = arguments.first().filter(|n| n.kind() == "string_literal") else { return false };
        let text = self.program.text(*first);
        let words: Vec<char> =
            text.replace("%%", "").split('%').skip(1).map(|w| w.chars().next().unwrap_or(' ')).collect();
        words.iter().all(|c| matches!(c, 's' | 'n'))
            && words.iter().filter(|c| **c == 's').count() < arguments.len()
    }

    /// The time that a thread sleeps must not be negative.
    pub fn slept(&mut self, node: Node<'t>, arguments: &[Node<'t>], at: &mut Label) {
        arguments.iter().for_each(|n| self.effect_inside(*n, at));
        if !arguments.iter().all(|n| n.kind() == "decimal_integer_literal") {
            self.may_throw(&["IllegalArgumentException"], node, at);
        }
    }
}

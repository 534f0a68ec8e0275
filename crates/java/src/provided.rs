//! Calls of the library whose value is forgotten: on numbers, on texts, and of what every object
//! has.

use crate::flow::Label;
use crate::lower::Lower;
use crate::names::{Words, is_library};
use crate::program::{Class, Type};
use crate::tree::{arguments, child, inside};
use tree_sitter::Node;

/// Library classes with static methods on numbers and texts.
const STATIC: [&str; 7] = ["Math", "Integer", "Long", "String", "Double", "Character", "Boolean"];

/// What every object has and weave does not follow: it only must not be null.
const OF_OBJECTS: [&str; 4] = ["equals", "hashCode", "toString", "getClass"];

/// Methods of texts, boxes, atomic numbers, exceptions and the like that throw nothing, whatever
/// they are given.
const SAFE: Words = Words(
    "length isEmpty isBlank hashCode trim strip toLowerCase toUpperCase toString intValue \
     longValue doubleValue floatValue charValue equals equalsIgnoreCase get set incrementAndGet \
     getAndIncrement decrementAndGet getAndDecrement addAndGet getAndAdd compareAndSet getAndSet \
     lazySet nextBoolean nextDouble nextFloat nextLong nextGaussian append reverse getMessage \
     printStackTrace getCause intern getLocalizedMessage stripLeading stripTrailing getClass \
     nanoTime currentTimeMillis identityHashCode booleanValue",
);

/// Those that throw nothing if what they are given is there.
const SAFE_GIVEN: Words = Words(
    "contains startsWith endsWith indexOf lastIndexOf concat compareTo replace \
     compareToIgnoreCase",
);

/// Static methods of boxes that throw nothing on numbers.
const SAFE_STATIC: Words = Words(
    "toString valueOf hashCode compare sum max min signum bitCount isDigit isLetter isWhitespace \
     isNaN parseBoolean toBinaryString toHexString isUpperCase isLowerCase",
);

impl<'t> Lower<'t> {
    /// A call of the library whose value is forgotten: on numbers, texts, or what every object has.
    pub fn library_call(&mut self, node: Node<'t>, at: &mut Label) {
        let name = self.program.part(node, "name");
        let arguments = arguments(node);
        let Some(o) = child(node, "object") else { return self.program.outside(node) };
        let text = self.program.text(o);
        let clock = text == "System" && matches!(name, "nanoTime" | "currentTimeMillis" | "identityHashCode");
        let is_name = o.kind() == "identifier" && self.find(text).is_none();
        if clock || is_name && STATIC.contains(&text) {
            self.given_to_library(&arguments, at);
            if name != "identityHashCode" {
                arguments.iter().for_each(|n| self.makes_text(*n, at));
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
                arguments.iter().for_each(|n| self.makes_text(*n, at));
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

    /// `Integer.MAX_VALUE` and the like.
    pub fn is_library_constant(&self, node: Node<'t>) -> bool {
        child(node, "object").is_some_and(|o| STATIC.contains(&self.program.text(o)))
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
        let reported = ["getMessage", "printStackTrace", "getCause", "toString", "getLocalizedMessage"];
        let throwable = |c: &String| self.lineage(c).is_some();
        let own = || {
            let classes = self.program.classes.keys().filter(|c| throwable(c));
            classes.into_iter().any(|c| reported.iter().any(|m| self.program.find_method(c, m, 0).is_some()))
        };
        if reported.contains(&name) && own() {
            self.beyond("a method of an exception that is called by the library is not followed", node, at);
        }
    }

    fn is_safe(&self, name: &str, arguments: &[Node<'t>]) -> bool {
        let positive = |n: &Node<'t>| n.kind() == "decimal_integer_literal" && self.program.text(*n) != "0";
        match name {
            "nextInt" => arguments.is_empty() || arguments.len() == 1 && arguments.iter().all(positive),
            _ => {
                SAFE.contains(name)
                    || SAFE_GIVEN.contains(name) && arguments.iter().all(|n| self.is_there(*n))
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
            _ => SAFE_STATIC.contains(name) && arguments.iter().all(number),
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

    /// Something is printed: texts are made of objects, and a format may not fit.
    pub fn printed(&mut self, node: Node<'t>, arguments: &[Node<'t>], at: &mut Label) {
        self.given_to_library(arguments, at);
        arguments.iter().for_each(|n| self.makes_text(*n, at));
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

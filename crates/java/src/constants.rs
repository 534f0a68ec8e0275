//! Constant variables (JLS 4.12.4): final, of a primitive type or `String`, with a constant
//! expression (15.28) as value.
//!
//! They have their value always, before any initializer or constructor runs, and reading one
//! initializes no class (12.4.1). Whether an expression is constant is decided over the forms that
//! are listed here; for the others it is not known, and such a field is refused.

use crate::program::{Class, Field, Program};
use crate::tree::{child, parts};
use tree_sitter::Node;

/// The value of a constant expression, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Truth(bool),
    /// An `int`, or a `long`.
    Int(i32),
    Long(i64),
    Text,
    /// A number that is not computed here: a character, or one with a point.
    Number,
}

/// Whether an expression is constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constancy {
    No,
    NotKnown,
    Is(Value),
}

use Constancy::{Is, No, NotKnown};
use Value::{Int, Long, Number, Text, Truth};

const PRIMITIVE: [&str; 8] = ["boolean", "byte", "short", "char", "int", "long", "float", "double"];

/// Classes of the library with constants of primitive types, and the names of these.
const BOXES: [&str; 8] = ["Integer", "Long", "Short", "Byte", "Character", "Double", "Float", "Math"];
const OF_BOXES: [&str; 6] = ["MAX_VALUE", "MIN_VALUE", "SIZE", "BYTES", "PI", "E"];

impl<'t> Program<'t> {
    /// Whether a field is a constant variable; one that needs itself for that is not known.
    pub fn constancy(&self, field: &Field<'t>) -> Constancy {
        let name = (field.class.clone(), field.name.clone());
        if let Some(known) = self.constants.borrow().get(&name) {
            return *known;
        }
        self.constants.borrow_mut().insert(name.clone(), NotKnown);
        let found = self.of_field(field);
        self.constants.borrow_mut().insert(name, found);
        found
    }

    /// The value of a field that is a constant variable.
    pub fn constant_value(&self, field: &Field<'t>) -> Option<Value> {
        match self.constancy(field) {
            Is(value) => Some(value),
            _ => None,
        }
    }

    /// The static fields of a class that are no constant variables: they get their values when it
    /// is initialized.
    pub fn initialized<'a>(&'a self, class: &'a Class<'t>) -> impl Iterator<Item = &'a Field<'t>> {
        class.fields.iter().filter(|f| f.is_static && self.constant_value(f).is_none())
    }

    fn of_field(&self, field: &Field<'t>) -> Constancy {
        let (written, Some(value)) = (field.written.as_str(), field.value) else { return No };
        if !field.is_final || !PRIMITIVE.contains(&written) && written != "String" {
            return No;
        }
        match self.constant_expression(value, &field.class) {
            Is(value) => converted(value, written),
            other => other,
        }
    }

    /// Whether an expression of a class is constant.
    fn constant_expression(&self, node: Node<'t>, class: &str) -> Constancy {
        let inner = |n: Node<'t>| self.constant_expression(n, class);
        let part = |name: &str| child(node, name).map_or(NotKnown, inner);
        match node.kind() {
            "true" | "false" => Is(Truth(node.kind() == "true")),
            "string_literal" => Is(Text),
            "character_literal" => Is(Number),
            kind if kind.ends_with("integer_literal") => integer(self.text(node)),
            kind if kind.ends_with("floating_point_literal") => Is(Number),
            "parenthesized_expression" => parts(node).first().map_or(NotKnown, |n| inner(*n)),
            "unary_expression" => match (self.part(node, "operator"), part("operand")) {
                ("-", _) if self.text(node).ends_with("2147483648") => Is(Int(i32::MIN)),
                (operator, Is(value)) => unary(operator, value),
                (_, other) => other,
            },
            "binary_expression" => match (part("left"), part("right")) {
                (Is(a), Is(b)) => binary(self.part(node, "operator"), a, b),
                (No, _) | (_, No) => No,
                _ => NotKnown,
            },
            "ternary_expression" => match (part("condition"), part("consequence"), part("alternative")) {
                (Is(Truth(first)), Is(a), Is(b)) => either(first, a, b),
                (No, ..) | (_, No, _) | (_, _, No) => No,
                _ => NotKnown,
            },
            "cast_expression" => match (self.part(node, "type"), part("value")) {
                (to, Is(value)) if PRIMITIVE.contains(&to) || to == "String" => converted(value, to),
                (to, other) if PRIMITIVE.contains(&to) || to == "String" => other,
                _ => No,
            },
            "identifier" => match self.find_field(class, self.text(node)) {
                Some(field) => self.constancy(field),
                None => NotKnown,
            },
            "field_access" => self.constant_access(node),
            "null_literal" | "class_literal" | "this" | "lambda_expression" | "method_reference" => No,
            "method_invocation" | "object_creation_expression" | "array_creation_expression" => No,
            "array_access" | "assignment_expression" | "update_expression" | "instanceof_expression" => No,
            _ => NotKnown,
        }
    }

    /// `CLASS.NAME`; a field of an object is no constant expression.
    fn constant_access(&self, node: Node<'t>) -> Constancy {
        let Some(object) = child(node, "object") else { return NotKnown };
        let (owner, name) = (self.text(object), self.part(node, "field"));
        match object.kind() {
            "identifier" if self.classes.contains_key(owner) => {
                self.find_field(owner, name).map_or(NotKnown, |field| self.constancy(field))
            }
            "identifier" if BOXES.contains(&owner) => match name {
                "MAX_VALUE" if owner == "Integer" => Is(Int(i32::MAX)),
                "MIN_VALUE" if owner == "Integer" => Is(Int(i32::MIN)),
                _ if OF_BOXES.contains(&name) => Is(Number),
                _ => NotKnown,
            },
            "identifier" | "this" | "method_invocation" | "object_creation_expression" => No,
            _ => NotKnown,
        }
    }
}

fn integer(text: &str) -> Constancy {
    let digits = text.replace('_', "").to_ascii_lowercase();
    let (digits, long) = (digits.trim_end_matches('l'), digits.ends_with('l'));
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x', ..] => (&digits[2..], 16),
        [b'0', b'b', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    match u64::from_str_radix(digits, radix) {
        Ok(value) if long => Is(Long(value as i64)),
        Ok(value) if value <= u64::from(u32::MAX) => Is(Int(value as u32 as i32)),
        _ => NotKnown,
    }
}

/// A value where another type is wanted; what is no value of that type does not compile.
fn converted(value: Value, to: &str) -> Constancy {
    match (to, value) {
        ("boolean", Truth(_)) | ("String", Text) | ("int", Int(_)) | ("long", Long(_)) => Is(value),
        ("long", Int(v)) => Is(Long(v.into())),
        ("int", Long(v)) => Is(Int(v as i32)),
        ("byte", Int(v)) => Is(Int((v as i8).into())),
        ("short", Int(v)) => Is(Int((v as i16).into())),
        ("byte" | "short" | "char" | "int" | "long" | "float" | "double", Int(_) | Long(_) | Number) => {
            Is(Number)
        }
        _ => NotKnown,
    }
}

fn unary(operator: &str, value: Value) -> Constancy {
    match (operator, value) {
        ("!", Truth(b)) => Is(Truth(!b)),
        ("+", Int(_) | Long(_) | Number) | ("-" | "~", Number) => Is(value),
        ("-", Int(v)) => Is(Int(v.wrapping_neg())),
        ("-", Long(v)) => Is(Long(v.wrapping_neg())),
        ("~", Int(v)) => Is(Int(!v)),
        ("~", Long(v)) => Is(Long(!v)),
        _ => NotKnown,
    }
}

fn either(first: bool, a: Value, b: Value) -> Constancy {
    match (a, b) {
        (Truth(_), Truth(_)) | (Int(_), Int(_)) | (Long(_), Long(_)) => Is(if first { a } else { b }),
        (Text, Text) => Is(Text),
        (Int(_) | Long(_) | Number, Int(_) | Long(_) | Number) => Is(Number),
        _ => NotKnown,
    }
}

fn binary(operator: &str, a: Value, b: Value) -> Constancy {
    match (a, b) {
        (Text, _) | (_, Text) if operator == "+" => Is(Text),
        (Truth(a), Truth(b)) => match operator {
            "&&" | "&" => Is(Truth(a && b)),
            "||" | "|" => Is(Truth(a || b)),
            "^" | "!=" => Is(Truth(a != b)),
            "==" => Is(Truth(a == b)),
            _ => NotKnown,
        },
        (Int(a), Int(b)) => of_ints(operator, a, b),
        (Int(_) | Long(_), Int(_) | Long(_)) => of_longs(operator, long(a), long(b)),
        (Int(_) | Long(_) | Number, Int(_) | Long(_) | Number) => match operator {
            // Whether a division by a whole zero is among them is not known.
            "/" | "%" if b == Number || long(b) == 0 => NotKnown,
            "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" | ">>>" => Is(Number),
            _ => NotKnown,
        },
        _ => NotKnown,
    }
}

fn long(value: Value) -> i64 {
    match value {
        Int(v) => v.into(),
        Long(v) => v,
        _ => 0,
    }
}

fn compared(operator: &str, a: i64, b: i64) -> Constancy {
    match operator {
        "==" => Is(Truth(a == b)),
        "!=" => Is(Truth(a != b)),
        "<" => Is(Truth(a < b)),
        "<=" => Is(Truth(a <= b)),
        ">" => Is(Truth(a > b)),
        ">=" => Is(Truth(a >= b)),
        _ => NotKnown,
    }
}

fn of_ints(operator: &str, a: i32, b: i32) -> Constancy {
    match operator {
        "<<" => Is(Int(a.wrapping_shl(b as u32))),
        ">>" => Is(Int(a.wrapping_shr(b as u32))),
        ">>>" => Is(Int((a as u32).wrapping_shr(b as u32) as i32)),
        // The rest is the lower half of what it is on longs.
        _ => match of_longs(operator, a.into(), b.into()) {
            Is(Long(value)) => Is(Int(value as i32)),
            other => other,
        },
    }
}

fn of_longs(operator: &str, a: i64, b: i64) -> Constancy {
    let value = match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        // It does not complete normally.
        "/" | "%" if b == 0 => return No,
        "/" => a.wrapping_div(b),
        "%" => a.wrapping_rem(b),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        // The type is that of the left side alone.
        "<<" | ">>" | ">>>" => return Is(Number),
        _ => return compared(operator, a, b),
    };
    Is(Long(value))
}

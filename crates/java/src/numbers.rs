//! Numbers with a declared range: `//@ range count 0..3` makes every field, local, parameter and
//! result of that name exact.
//!
//! For each value but 0 there is a predicate, of the object, the thread or the program; 0 is the
//! value of which none holds, as it is in Java before the first assignment. An expression is
//! computed by branching: one label for each value it may have. A value outside the range of what
//! it is given to is an error of the program, so a range is checked, not believed. A number without
//! a range is forgotten, and cannot be given to one that has a range, unless `//@ any` stands
//! before the statement.

use crate::cells::{Cell, marked};
use crate::constants::Value;
use crate::draft::{Mover, Variable};
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::Type;
use crate::tree::{child, parts};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use structures::vocabulary::Symbol;
use tree_sitter::Node;

/// The most values in a range.
pub const VALUES: i64 = 33;

/// Where a computation goes on, for each value it may have.
pub type Values = BTreeMap<i64, Label>;

impl<'t> Lower<'t> {
    /// The values that an expression may have; `None` if it is not made of literals, constants and
    /// numbers with ranges.
    pub fn interval(&self, node: Node<'t>) -> Option<RangeInclusive<i64>> {
        let part = |name: &str| child(node, name).and_then(|n| self.interval(n));
        let known = match node.kind() {
            "decimal_integer_literal" => {
                let digits = self.program.text(node).replace(['_', 'l', 'L'], "");
                let octal = digits.len() > 1 && digits.starts_with('0');
                let value: i64 = digits.parse().ok().filter(|_| !octal)?;
                value..=value
            }
            "parenthesized_expression" => self.interval(*parts(node).first()?)?,
            "unary_expression" => match (self.program.part(node, "operator"), part("operand")?) {
                ("-", of) => -*of.end()..=-*of.start(),
                ("+", of) => of,
                _ => return None,
            },
            "binary_expression" => {
                combined(self.program.part(node, "operator"), &part("left")?, &part("right")?)?
            }
            "ternary_expression" => {
                let (a, b) = (part("consequence")?, part("alternative")?);
                *a.start().min(b.start())..=*a.end().max(b.end())
            }
            "update_expression" => {
                let of = self.interval(*parts(node).first()?)?;
                of.start() - 1..=of.end() + 1
            }
            "assignment_expression" if self.is_simple(node) => part("right")?,
            "identifier" | "field_access" => match (self.constant(node), self.type_of(node)) {
                (Some(value), _) => value..=value,
                (None, Type::Number(low, high)) => low..=high,
                _ => return None,
            },
            "method_invocation" => match self.result_of(node) {
                Some(Type::Number(low, high)) => low..=high,
                Some(_) => return None,
                None => self.atomic_interval(node)?,
            },
            _ => return None,
        };
        let fits = *known.start() >= i64::from(i32::MIN) && *known.end() <= i64::from(i32::MAX);
        fits.then_some(known)
    }

    fn is_simple(&self, node: Node<'t>) -> bool {
        self.program.part(node, "operator") == "="
            && self.is_local(child(node, "left"))
            && matches!(child(node, "left").map(|n| self.type_of(n)), Some(Type::Number(..)))
    }

    /// The value of a constant variable that is a whole number.
    fn constant(&self, node: Node<'t>) -> Option<i64> {
        match self.program.constant_value(&self.constant_named(node)?)? {
            Value::Int(value) => Some(value.into()),
            Value::Long(value) => Some(value),
            _ => None,
        }
    }

    /// Computes an expression that has an interval.
    pub fn compute(&mut self, node: Node<'t>, at: Label) -> Values {
        let part = |name: &str| child(node, name).unwrap_or(node);
        match node.kind() {
            "parenthesized_expression" => match parts(node).first() {
                Some(inner) => self.compute(*inner, at),
                None => Values::new(),
            },
            "unary_expression" => {
                let sign = if self.program.part(node, "operator") == "-" { -1 } else { 1 };
                self.compute(part("operand"), at).into_iter().map(|(v, l)| (sign * v, l)).collect()
            }
            "binary_expression" => self.compute_binary(node, at),
            "ternary_expression" => {
                let (yes, no) = (self.label(node), self.label(node));
                self.condition(part("condition"), at, yes, no);
                let (a, b) = (self.compute(part("consequence"), yes), self.compute(part("alternative"), no));
                self.gather(a.into_iter().chain(b))
            }
            "update_expression" => self.compute_update(node, at),
            "assignment_expression" => {
                let mut at = at;
                self.effect(node, &mut at);
                self.compute(part("left"), at)
            }
            "method_invocation" if !self.choices(node).is_empty() => {
                let mut at = at;
                let result = self.invoke(node, &mut at);
                Cell::local(&result).map_or_else(Values::new, |cell| self.look(&cell, node, at))
            }
            "method_invocation" => self.atomic_compute(node, at),
            "identifier" | "field_access" if self.constant(node).is_some() => {
                let mut at = at;
                self.constant_field(node, &mut at);
                self.constant(node).map(|v| (v, at)).into_iter().collect()
            }
            "identifier" | "field_access" if matches!(self.type_of(node), Type::Number(..)) => {
                let mut at = at;
                match self.cell(node, false, &mut at) {
                    Some(cell) => self.look(&cell, node, at),
                    None => Values::new(),
                }
            }
            _ => self.interval(node).map(|v| (*v.start(), at)).into_iter().collect(),
        }
    }

    fn compute_binary(&mut self, node: Node<'t>, at: Label) -> Values {
        let operator = self.program.part(node, "operator");
        let part = |name: &str| child(node, name).unwrap_or(node);
        let mut found = Vec::new();
        for (a, here) in self.compute(part("left"), at) {
            for (b, there) in self.compute(part("right"), here) {
                match arithmetic(operator, a, b) {
                    Some(value) => found.push((value, there)),
                    None => {
                        let draft = self.draft(node).moving(Mover::Yes);
                        self.fails(draft, there, "division by zero", node);
                    }
                }
            }
        }
        self.gather(found)
    }

    /// `x++` and the like: read, then written; the value is the one before or the one after.
    fn compute_update(&mut self, node: Node<'t>, mut at: Label) -> Values {
        let text = self.program.text(node);
        let by = if text.contains("++") { 1 } else { -1 };
        let before = !text.starts_with(['+', '-']);
        let Some(inner) = parts(node).first().copied() else { return Values::new() };
        let Some(cell) = self.cell(inner, true, &mut at) else { return Values::new() };
        let old = self.look(&cell, node, at);
        let mut found = Vec::new();
        for (value, mut here) in old {
            self.store(&cell, value + by, node, &mut here);
            found.push((if before { value } else { value + by }, here));
        }
        self.gather(found)
    }

    /// Goes on whatever the value is.
    pub fn compute_away(&mut self, node: Node<'t>, at: &mut Label) {
        let after = self.label(node);
        for (_, here) in self.compute(node, *at) {
            self.flow.alias(here, after);
        }
        *at = after;
    }

    /// One label for each value.
    fn gather(&mut self, found: impl IntoIterator<Item = (i64, Label)>) -> Values {
        let mut values = Values::new();
        for (value, label) in found {
            match values.get(&value) {
                Some(known) => self.flow.alias(label, *known),
                None => drop(values.insert(value, label)),
            }
        }
        values
    }

    /// `cell = value`, or any value of the range if that is meant.
    pub fn assign_number(&mut self, cell: &Cell, value: Node<'t>, node: Node<'t>, at: &mut Label) {
        let after = self.label(node);
        if self.interval(value).is_some() {
            for (v, mut here) in self.compute(value, *at) {
                self.store(cell, v, node, &mut here);
                self.flow.alias(here, after);
            }
        } else if std::mem::take(&mut self.any) {
            self.effect_inside(value, at);
            for v in cell.values() {
                let mut here = *at;
                self.store(cell, v, node, &mut here);
                self.flow.alias(here, after);
            }
        } else {
            let message = "the value of a number with a range depends on numbers without one";
            self.error("E0807", value, message);
        }
        *at = after;
    }

    /// `cell += value` and the like.
    pub fn change_number(&mut self, node: Node<'t>, at: &mut Label) {
        let part = |name: &str| child(node, name).unwrap_or(node);
        let (left, right) = (part("left"), part("right"));
        let operator = self.program.part(node, "operator").trim_end_matches('=');
        let known = self.interval(left).zip(self.interval(right));
        let possible = known.is_some_and(|(a, b)| combined(operator, &a, &b).is_some());
        let Some(cell) = self.cell(left, true, at).filter(|_| possible) else {
            return self.program.outside(node);
        };
        let after = self.label(node);
        for (a, here) in self.look(&cell, node, *at) {
            for (b, mut there) in self.compute(right, here) {
                match arithmetic(operator, a, b) {
                    Some(value) => {
                        self.store(&cell, value, node, &mut there);
                        self.flow.alias(there, after);
                    }
                    None => {
                        let draft = self.draft(node).moving(Mover::Yes);
                        self.fails(draft, there, "division by zero", node);
                    }
                }
            }
        }
        *at = after;
    }

    /// Branches on a comparison of numbers that have intervals; false if it is none.
    pub fn compare_numbers(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) -> bool {
        let part = |name: &str| child(node, name).unwrap_or(node);
        let (left, right) = (part("left"), part("right"));
        let holds: fn(i64, i64) -> bool = match self.program.part(node, "operator") {
            "==" => |a, b| a == b,
            "!=" => |a, b| a != b,
            "<" => |a, b| a < b,
            "<=" => |a, b| a <= b,
            ">" => |a, b| a > b,
            ">=" => |a, b| a >= b,
            _ => return false,
        };
        if self.program.ranges.is_empty() || self.interval(left).is_none() || self.interval(right).is_none() {
            return false;
        }
        for (a, here) in self.compute(left, from) {
            for (b, there) in self.compute(right, here) {
                self.flow.alias(there, if holds(a, b) { yes } else { no });
            }
        }
        true
    }

    /// A number for a local: of main or of each thread.
    pub fn local_number(&mut self, name: &str, low: i64, high: i64) -> Variable {
        let arity = usize::from(!self.is_main);
        let symbols: Vec<(i64, Symbol)> =
            marked(low, high).map(|v| (v, self.symbol(&format!("{name}={v}"), arity, &[]))).collect();
        for (_, symbol) in &symbols {
            self.flow.locals.insert(*symbol);
            if arity == 1 {
                self.flow.flags.insert(*symbol);
            }
        }
        Variable::Number(symbols)
    }

    /// Whether an expression may be given to a parameter with a range.
    pub fn is_exact(&self, node: Node<'t>) -> bool {
        let narrow = |v: RangeInclusive<i64>| v.end().max(&0) - v.start().min(&0) < VALUES;
        !self.program.ranges.is_empty() && self.interval(node).is_some_and(narrow)
    }

    /// Such an expression as a new local.
    pub fn number(&mut self, node: Node<'t>, at: &mut Label) -> Variable {
        let interval = self.interval(node).unwrap_or(0..=0);
        let (low, high) = (*interval.start().min(&0), *interval.end().max(&0));
        let variable = self.local("n", &Type::Number(low, high));
        self.assign_local_number(&variable, node, node, at);
        variable
    }

    /// `variable = value`.
    pub fn assign_local_number(
        &mut self,
        variable: &Variable,
        value: Node<'t>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        if let Some(cell) = Cell::local(variable) {
            self.assign_number(&cell, value, node, at);
        }
    }

    /// One local into another.
    pub fn copy_number(&mut self, to: &Variable, from: &Variable, node: Node<'t>, at: &mut Label) {
        let Some(cell) = Cell::local(to) else {
            return self.error("E0807", node, "a number without a range is given to one that has a range");
        };
        self.store_number(&cell, from, node, at);
    }

    /// A local into a variable or field.
    pub fn store_number(&mut self, to: &Cell, from: &Variable, node: Node<'t>, at: &mut Label) {
        let Some(from) = Cell::local(from) else {
            return self.error("E0807", node, "a number without a range is given to one that has a range");
        };
        let after = self.label(node);
        for (value, mut here) in self.look(&from, node, *at) {
            self.store(to, value, node, &mut here);
            self.flow.alias(here, after);
        }
        *at = after;
    }
}

pub const OUTSIDE: &str = "a value outside its declared range";

/// What Java computes; `None` for a division by zero.
fn arithmetic(operator: &str, a: i64, b: i64) -> Option<i64> {
    match operator {
        "+" => Some(a + b),
        "-" => Some(a - b),
        "*" => Some(a * b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        _ => None,
    }
}

/// The least interval around what an operator can result in; `None` if it is not known or could
/// leave the numbers of Java.
fn combined(operator: &str, a: &RangeInclusive<i64>, b: &RangeInclusive<i64>) -> Option<RangeInclusive<i64>> {
    if !matches!(operator, "+" | "-" | "*" | "/" | "%") {
        return None;
    }
    let small = |r: &RangeInclusive<i64>| r.end() - r.start() < VALUES * VALUES;
    if !small(a) || !small(b) {
        return None;
    }
    let all = a.clone().flat_map(|x| b.clone().filter_map(move |y| arithmetic(operator, x, y)));
    let (low, high) = all.fold((i64::MAX, i64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    // Nothing but divisions by zero.
    let (low, high) = if low > high { (0, 0) } else { (low, high) };
    let fits = low >= i64::from(i32::MIN) && high <= i64::from(i32::MAX);
    fits.then_some(low..=high)
}

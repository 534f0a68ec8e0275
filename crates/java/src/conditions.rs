//! Conditions into branches.

use crate::constants::Value;
use crate::draft::{Mover, Variable};
use crate::fields::Slot;
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::Type;
use crate::tree::{child, parts, sides};
use structures::formula::{self as f, Formula};
use tree_sitter::Node;

impl<'t> Lower<'t> {
    /// Branches on a condition.
    pub fn condition(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) {
        let operator = self.program.part(node, "operator");
        let mut at = from;
        if let Some(Value::Truth(truth)) = self.constant_field(node, &mut at) {
            return self.flow.alias(if truth { yes } else { no }, at);
        }
        match node.kind() {
            "true" => self.flow.alias(yes, from),
            "false" => self.flow.alias(no, from),
            "parenthesized_expression" => {
                if let Some(inner) = parts(node).first() {
                    self.condition(*inner, from, yes, no);
                }
            }
            "unary_expression" if operator == "!" => {
                if let Some(inner) = child(node, "operand") {
                    self.condition(inner, from, no, yes);
                }
            }
            "binary_expression" if operator == "&&" || operator == "||" => {
                let Some((left, right)) = sides(node) else { return };
                let middle = self.label(right);
                match operator {
                    "&&" => self.condition(left, from, middle, no),
                    _ => self.condition(left, from, yes, middle),
                }
                self.condition(right, middle, yes, no);
            }
            "binary_expression" if self.compare_numbers(node, from, yes, no) => {}
            "binary_expression" if (operator == "==" || operator == "!=") && self.compares(node) => {
                let (equal, different) = if operator == "==" { (yes, no) } else { (no, yes) };
                self.comparison(node, from, equal, different);
            }
            "binary_expression"
                if matches!(operator, "==" | "!=" | "^" | "&" | "|") && self.are_truths(node) =>
            {
                self.combine(node, from, yes, no);
            }
            "ternary_expression" if self.type_of(node) == Type::Boolean => {
                let part = |name: &str| child(node, name).unwrap_or(node);
                let (then, otherwise) = (self.label(node), self.label(node));
                self.condition(part("condition"), from, then, otherwise);
                self.condition(part("consequence"), then, yes, no);
                self.condition(part("alternative"), otherwise, yes, no);
            }
            "assignment_expression" if self.is_local(child(node, "left")) => {
                let mut at = from;
                self.effect(node, &mut at);
                self.condition(child(node, "left").unwrap_or(node), at, yes, no);
            }
            "method_invocation" if self.choices(node).is_empty() && self.atomic(node).is_some() => {
                if !self.atomic_condition(node, from, yes, no) {
                    self.program.outside(node);
                }
            }
            "method_invocation" if self.library_condition(node, from, yes, no) => {}
            "method_invocation" if self.executor_condition(node, from, yes, no) => {}
            "identifier" | "field_access" if self.field_condition(node, from, yes, no) => {}
            "instanceof_expression" => self.guess(node, from, yes, no),
            _ if self.type_of(node) == Type::Boolean && node.kind() != "binary_expression" => {
                let mut at = from;
                let variable = self.truth(node, &mut at);
                for (to, positive) in [(yes, true), (no, false)] {
                    let mut draft = self.draft(node).moving(Mover::Yes);
                    let flag = draft.flag(&variable);
                    draft.when(if positive { flag } else { f::not(flag) });
                    self.flow.add(draft, at, to);
                }
            }
            _ => self.guess(node, from, yes, no),
        }
    }

    /// Two truth values, both of which are computed.
    fn combine(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) {
        let part = |name: &str| child(node, name).unwrap_or(node);
        let (left, right) = (self.label(node), self.label(node));
        self.condition(part("left"), from, left, right);
        let (left_yes, left_no, right_yes, right_no) = match self.program.part(node, "operator") {
            "==" => (yes, no, no, yes),
            "!=" | "^" => (no, yes, yes, no),
            "&" => (yes, no, no, no),
            _ => (yes, yes, yes, no),
        };
        self.condition(part("right"), left, left_yes, left_no);
        self.condition(part("right"), right, right_yes, right_no);
    }

    /// Branches on a boolean field at once; false if it is none.
    fn field_condition(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) -> bool {
        let Some((object, name)) = self.program.named(node) else { return false };
        if self.type_of(node) != Type::Boolean || object.is_none() && self.find(name).is_some() {
            return false;
        }
        let mut at = from;
        let (owner, class) = self.owner(object, &mut at);
        let Some((slot, _)) = self.slot(&class, name) else { return false };
        self.loaded(&class, name, node, &mut at);
        if matches!(slot, Slot::Flag(_)) {
            self.not_null(&owner, node, at);
        }
        let mover = self.used(&slot, &owner, false);
        for (to, truth) in [(yes, true), (no, false)] {
            let mut draft = self.draft(node).moving(mover);
            let sign = |f: Formula| if truth { f } else { f::not(f) };
            match slot {
                Slot::StaticFlag(symbol) => draft.when(sign(f::atom(symbol, &[]))),
                Slot::Flag(symbol) => {
                    let o = draft.refers(&owner);
                    draft.when(sign(f::atom(symbol, &[o])));
                }
                _ => return false,
            }
            self.flow.add(draft, at, to);
        }
        true
    }

    /// A truth value in a variable.
    pub fn truth(&mut self, node: Node<'t>, at: &mut Label) -> Variable {
        match node.kind() {
            "identifier" | "field_access" => self.variable(node, at),
            "method_invocation" => self.invoke(node, at),
            _ => {
                self.program.outside(node);
                Variable::Nothing
            }
        }
    }

    /// Either way: what it depends on is forgotten.
    pub fn guess(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) {
        let mut at = from;
        self.effect_inside(node, &mut at);
        let meant = std::mem::take(&mut self.any);
        let ends = self.counted.take() == Some(node.id());
        for to in [yes, no] {
            let mut draft = self.draft(node).moving(Mover::Yes);
            draft.action.guess = !meant;
            draft.action.eventually = ends && to == no;
            self.flow.add(draft, at, to);
        }
    }

    fn comparison(&mut self, node: Node<'t>, from: Label, equal: Label, different: Label) {
        let Some((left, right)) = sides(node) else { return };
        let mut at = from;
        let (a, _) = self.operand(left, &mut at);
        let a = self.settled(a, Some(left), &[right], &mut at);
        let (b, _) = self.operand(right, &mut at);
        for (to, same) in [(equal, true), (different, false)] {
            let mut draft = self.draft(node).moving(Mover::Yes);
            draft.focus(&a, None);
            draft.focus(&b, None);
            let o = draft.fresh();
            let (is_a, is_b) = (draft.is(&a, o), draft.is(&b, o));
            let both = f::exists(o, f::and([is_a, is_b]));
            let (no_a, no_b) = (draft.is_null(&a), draft.is_null(&b));
            let agree = f::or([both, f::and([no_a, no_b])]);
            draft.when(if same { agree } else { f::not(agree) });
            self.flow.add(draft, at, to);
        }
    }
}

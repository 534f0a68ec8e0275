//! Constants: expressions whose value is known now, computed as C does in 32 bits.

use source::Diagnostic;

use super::Checker;
use crate::ast::{self, BinaryOp};
use crate::model::*;
use logic::{IntType, wrapped_binary, wrapped_unary};

impl Checker {
    /// The value of an expression that must be constant and within bounds.
    pub(super) fn constant(&mut self, expr: &ast::Expr, what: &str, least: i32, most: i32) -> i32 {
        let resolved = self.expression(expr);
        let Some(value) = self.value(&resolved) else {
            let known =
                self.diagnostics.last().is_some_and(|last| last.is_error() && last.primary.span == expr.span);
            if !known {
                self.error("E0304", expr.span, format!("{what} must be a constant"));
            }
            return least;
        };
        if value < least || value > most {
            let message = format!("{what} must lie between {least} and {most}, not {value}");
            self.error("E0305", expr.span, message);
            return least;
        }
        value
    }

    /// The value of an expression, if it is known now. A global with a constant initial value
    /// counts, with a warning.
    pub(super) fn value(&mut self, expr: &Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Read(place) => self.initial_value(place),
            ExprKind::Number(value) | ExprKind::Mtype { value, .. } => Some(*value),
            ExprKind::Unary(operator, a) => {
                wrapped_unary(IntType::INT, *operator, self.value(a)?.into()).try_into().ok()
            }
            ExprKind::Binary(operator, a, b) => binary(*operator, self.value(a)?, self.value(b)?),
            ExprKind::Conditional(a, b, c) => match self.value(a)? {
                0 => self.value(c),
                _ => self.value(b),
            },
            _ => None,
        }
    }

    fn initial_value(&mut self, place: &Place) -> Option<i32> {
        let Root::Global(id) = place.root else { return None };
        let variable = self.model.globals.get(id)?;
        let (name, span) = (variable.name.clone(), variable.span);
        let Initial::Value(Expr { kind: ExprKind::Number(value), .. }) = variable.initial else {
            return None;
        };
        if place.index.is_some() || !place.fields.is_empty() {
            return None;
        }
        let message = format!("variable `{name}` where a constant is needed");
        let warning = Diagnostic::warning("W0304", place.span, message).label(format!("taken as {value}"));
        let warning = warning.also(span, "its initial value counts");
        self.diagnostics
            .push(warning.help(format!("write `#define {name} {value}` instead of the variable")));
        Some(value)
    }
}

/// None if C leaves it open.
fn binary(operator: BinaryOp, a: i32, b: i32) -> Option<i32> {
    match operator {
        BinaryOp::Divide | BinaryOp::Remainder => drop(a.checked_div(b)?),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => drop(a.checked_shl(b.try_into().ok()?)?),
        _ => {}
    }
    wrapped_binary(IntType::INT, operator, a.into(), b.into()).ok()?.try_into().ok()
}

//! Expressions and formulas as text. Operands of operators that are not simple get parentheses.

use crate::ast::*;
use crate::lexer::BINARY;

/// An expression as text.
pub fn expression(expr: &Expr) -> String {
    let list = |exprs: &[Expr]| exprs.iter().map(expression).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Skip => "skip".to_string(),
        ExprKind::Variable(place) => variable(place),
        ExprKind::Unary(operator, a) => format!("{}{}", unary(*operator), operand(a)),
        ExprKind::Binary(operator, a, b) => {
            format!("{} {} {}", operand(a), binary(*operator), operand(b))
        }
        ExprKind::Conditional(a, b, c) => {
            format!("({} -> {} : {})", expression(a), expression(b), expression(c))
        }
        ExprKind::Run { proctype, arguments, priority } => {
            let priority =
                priority.as_ref().map_or(String::new(), |value| format!(" priority {}", operand(value)));
            format!("run {}({}){priority}", proctype.name, list(arguments))
        }
        ExprKind::Len(channel) => format!("len({})", variable(channel)),
        ExprKind::Probe(probe, channel) => format!("{}({})", probe_word(*probe), variable(channel)),
        ExprKind::Poll { channel, random, pattern: fields } => {
            let fields: Vec<_> = fields.iter().map(pattern).collect();
            format!("{}{}[{}]", variable(channel), if *random { "??" } else { "?" }, fields.join(", "))
        }
        ExprKind::Timeout => "timeout".to_string(),
        ExprKind::NonProgress => "np_".to_string(),
        ExprKind::Enabled(a) => format!("enabled({})", expression(a)),
        ExprKind::PcValue(a) => format!("pc_value({})", expression(a)),
        ExprKind::GetPriority(a) => format!("get_priority({})", expression(a)),
        ExprKind::RemoteLabel { proctype, process, label } => {
            format!("{}{}@{}", proctype.name, index(process.as_deref()), label.name)
        }
        ExprKind::RemoteVariable { proctype, process, variable: place } => {
            format!("{}{}:{}", proctype.name, index(process.as_deref()), variable(place))
        }
        ExprKind::Error => "false".to_string(),
    }
}

/// An expression as an operand: with parentheses if it has an operator of its own. A number below
/// zero is one.
pub fn operand(expr: &Expr) -> String {
    let compound = match &expr.kind {
        ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Run { .. } => true,
        ExprKind::Number(value) => *value < 0,
        _ => false,
    };
    if compound { format!("({})", expression(expr)) } else { expression(expr) }
}

/// A variable as text.
pub fn variable(place: &VarRef) -> String {
    let part = |part: &Part| format!("{}{}", part.name.name, index(part.index.as_deref()));
    place.parts.iter().map(part).collect::<Vec<_>>().join(".")
}

fn index(index: Option<&Expr>) -> String {
    index.map_or(String::new(), |index| format!("[{}]", expression(index)))
}

pub(super) fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Variable(place) => variable(place),
        Pattern::Eval { value, .. } => format!("eval({})", expression(value)),
        Pattern::Constant(value) => expression(value),
    }
}

fn unary(operator: UnaryOp) -> &'static str {
    match operator {
        UnaryOp::Not => "!",
        UnaryOp::Negate => "-",
        UnaryOp::Complement => "~",
    }
}

/// The symbol of an operator.
pub(crate) fn binary(operator: BinaryOp) -> &'static str {
    BINARY.iter().find(|(_, _, found)| *found == operator).map_or("", |(symbol, ..)| symbol)
}

fn probe_word(probe: Probe) -> &'static str {
    match probe {
        Probe::Full => "full",
        Probe::Empty => "empty",
        Probe::NotFull => "nfull",
        Probe::NotEmpty => "nempty",
    }
}

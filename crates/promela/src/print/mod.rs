//! Statements and expressions as Promela text, for messages and traces.

mod expressions;

use crate::ast::*;
pub use expressions::{expression, operand, variable};

/// A statement as text on one line, for messages and traces. Compound statements show only their
/// first word.
pub fn statement(kind: &StatementKind) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    match kind {
        StatementKind::Guard(condition) => expression(condition),
        StatementKind::Else => "else".to_string(),
        StatementKind::Assign { to, value } => format!("{} = {}", variable(to), expression(value)),
        StatementKind::Count { variable: counter, up } => variable(counter) + if *up { "++" } else { "--" },
        StatementKind::Assert(condition) => format!("assert({})", expression(condition)),
        StatementKind::Printf { format, arguments } => {
            let arguments: String =
                arguments.iter().map(|argument| format!(", {}", expression(argument))).collect();
            format!("printf(\"{}\"{arguments})", format.value)
        }
        StatementKind::Printm(value) => format!("printm({})", expression(value)),
        StatementKind::SetPriority { process, priority } => {
            format!("set_priority({}, {})", expression(process), expression(priority))
        }
        StatementKind::Send { channel, sorted, message } => {
            let operator = if *sorted { "!!" } else { "!" };
            format!("{}{operator}{}", variable(channel), list(message.iter().map(expression).collect()))
        }
        StatementKind::Receive { channel, mode, pattern } => {
            let operator = if mode.random { "??" } else { "?" };
            let (open, close) = if mode.keep { ("<", ">") } else { ("", "") };
            let pattern = list(pattern.iter().map(expressions::pattern).collect());
            format!("{}{operator}{open}{pattern}{close}", variable(channel))
        }
        StatementKind::Goto(label) => format!("goto {}", label.name),
        StatementKind::Break => "break".to_string(),
        StatementKind::If(_) => "if".to_string(),
        StatementKind::Do(_) => "do".to_string(),
        StatementKind::Atomic(_) => "atomic".to_string(),
        StatementKind::DStep(_) => "d_step".to_string(),
        StatementKind::Block { .. } => String::new(),
        StatementKind::For(head) => {
            let For { index, range, .. } = &**head;
            let range = match range {
                Range::Between(from, to) => {
                    format!(" : {} .. {}", expression(from), expression(to))
                }
                Range::In(array) => format!(" in {}", variable(array)),
            };
            format!("for ({}{range})", variable(index))
        }
        StatementKind::Select(select) => {
            let Select { index, from, to, form } = &**select;
            let (index, from, to) = (variable(index), expression(from), expression(to));
            match form {
                SelectForm::Choice => format!("select ({index} : {from} .. {to})"),
                SelectForm::Loop => format!("select ({index} : ({from}) .. {to})"),
            }
        }
        StatementKind::Error => "skip".to_string(),
    }
}

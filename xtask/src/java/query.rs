//! An assertion at the end of `main` about the outcome: one that some run breaks, or none does.

use super::ast::{Cls, Expr, FieldId, Kind, Op, Place, Program, Stmt, Type};
use super::explore::Truth;
use super::print::completes;
use crate::generate::rng::Rng;

/// The program with a question about two of its fields, if it has such fields.
pub(crate) fn ask(program: &Program, truth: &Truth, rng: &mut Rng) -> Option<Program> {
    let main = program.classes[0].methods.iter().position(|m| m.name == "main")?;
    if !completes(&program.classes[0].methods[main].body) {
        return None;
    }
    let mut fields: Vec<usize> = Vec::new();
    for (number, field) in program.classes[0].fields.iter().enumerate() {
        let asked = matches!(field.ty, Type::Int | Type::Bool | Type::BoxInt | Type::Ref(Cls::Own(_)));
        if asked && !field.hidden && !field.constant {
            fields.push(number);
        }
    }
    while fields.len() > 2 {
        fields.swap_remove(rng.below(fields.len()));
    }
    if fields.is_empty() {
        return None;
    }
    // Half of the questions are about values that no run ends with.
    let wanted = rng.chance(45);
    for _ in 0..12 {
        let values: Vec<&str> = fields.iter().map(|&field| value(program, field, rng)).collect();
        let names: Vec<&str> =
            fields.iter().map(|&field| program.classes[0].fields[field].name.as_str()).collect();
        let ends = |outcome: &String| names.iter().zip(&values).all(|(n, v)| has(outcome, n, v));
        if truth.outcomes.iter().any(ends) == wanted {
            return with(program, main, &fields, &values);
        }
    }
    None
}

/// A value that a field of the main class may end with.
fn value(program: &Program, field: usize, rng: &mut Rng) -> &'static str {
    let values: &[&str] = match program.classes[0].fields[field].ty {
        Type::Int => &["0", "1", "2", "3", "-1"],
        Type::Bool => &["true", "false"],
        _ => &["null", "object"],
    };
    rng.pick(values).copied().unwrap_or("0")
}

/// Does a run with this outcome leave the value in the field? For references: null, or not.
fn has(outcome: &str, name: &str, value: &str) -> bool {
    let start = format!("{name}=");
    let found = outcome.split(' ').find_map(|part| part.strip_prefix(&start));
    found.is_some_and(|found| found == value || (value == "object" && found != "null"))
}

fn with(program: &Program, main: usize, fields: &[usize], values: &[&str]) -> Option<Program> {
    let mut test: Option<Expr> = None;
    for (&field, value) in fields.iter().zip(values) {
        let part = equals(program, field, value)?;
        test = Some(match test {
            Some(test) => Expr::Bin(Op::And, Box::new(test), Box::new(part)),
            None => part,
        });
    }
    let mut asked = program.clone();
    asked.next_id += 1;
    let kind = Kind::Assert(Expr::Not(Box::new(parenthesized(test?))));
    let stmt = Stmt { id: asked.next_id, kind };
    asked.classes[0].methods[main].body.push(stmt);
    Some(asked)
}

/// `!` stands before what is already in parentheses.
fn parenthesized(expr: Expr) -> Expr {
    match expr {
        Expr::Bin(..) | Expr::Not(_) => expr,
        other => Expr::Bin(Op::Both, Box::new(other), Box::new(Expr::Bool(true))),
    }
}

fn equals(program: &Program, number: usize, value: &str) -> Option<Expr> {
    let field = &program.classes[0].fields[number];
    let read = Expr::Read(Place::Static(FieldId { class: 0, field: number }));
    let same = |a: Expr, b: Expr| Expr::Bin(Op::Eq, Box::new(a), Box::new(b));
    Some(match (field.ty, value) {
        (Type::Int, _) => same(read, Expr::Int(value.parse().ok()?)),
        (Type::Bool, "true") => read,
        (Type::Bool, _) => Expr::Not(Box::new(read)),
        (_, "null") => same(read, Expr::Null),
        _ => Expr::Bin(Op::Ne, Box::new(read), Box::new(Expr::Null)),
    })
}

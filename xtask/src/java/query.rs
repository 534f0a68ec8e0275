//! An assertion at the end of `main` about the outcome: one that some run breaks, or none does.

use super::ast::{Cls, Expr, FieldId, Kind, Op, Place, Program, Stmt, Type};
use super::explore::Truth;
use super::print::completes;
use crate::generate::rng::Rng;

/// The program with a question about two of its fields, if it has such fields.
pub fn ask(program: &Program, truth: &Truth, rng: &mut Rng) -> Option<Program> {
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
    // Values from one outcome are possible together; from two, perhaps not.
    let whole = rng.chance(50);
    let outcomes: Vec<&String> = truth.outcomes.iter().collect();
    let one = outcomes.get(rng.below(outcomes.len())).copied()?;
    let mut test: Option<Expr> = None;
    for &field in &fields {
        let from = if whole { one } else { outcomes[rng.below(outcomes.len())] };
        let part = equals(program, field, from)?;
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

fn equals(program: &Program, number: usize, outcome: &str) -> Option<Expr> {
    let field = &program.classes[0].fields[number];
    let start = format!("{}=", field.name);
    let value = outcome.split(' ').find_map(|part| part.strip_prefix(&start))?;
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


//! Which part of a failing assertion fails, with the values of what it reads.
//!
//! A conjunction is false because of its first part that is, a disjunction because all are; what
//! compares is explained by the variables that it reads.

use super::names::{Names, bare};
use crate::model::Model;
use crate::report::Valued;
use logic::{Binary, Term, Unary};
use system::evaluate::{Context, holds};
use system::{Expr, Fault, Move, Operation, Pid, Read, State};

/// The condition of the assertion that a move violates. `None` if the move writes before it comes
/// to the assertion: then the values are not those of the state.
pub(crate) fn failing(model: &Model, before: &State, taken: &Move) -> Option<Valued> {
    let [transition] = taken.step.path[..] else { return None };
    if taken.fault != Some(Fault::Assertion) || taken.step.partner.is_some() {
        return None;
    }
    let pid: Pid = taken.step.actor;
    let process_type = before.processes.get(pid)?.process_type;
    let transition = model.system.process_types.get(process_type)?.transitions.get(transition)?;
    let context = Context::of(&model.system, before, pid);
    let names = Names { model, process_type: Some(process_type) };
    for operation in &transition.command {
        match operation {
            Operation::Assert { condition } if holds(&context, condition) == Ok(false) => {
                return valued(names, &context, condition);
            }
            Operation::Assert { .. } | Operation::Print { .. } => {}
            _ => return None,
        }
    }
    None
}

/// A condition with its value, and the parts that decide.
pub(super) fn valued(names: Names<'_>, context: &Context<'_>, term: &Expr) -> Option<Valued> {
    let value = names.value(context, term)?;
    let mut parts = Vec::new();
    deciding(names, context, bare(term), &mut parts);
    Some(Valued { text: names.text(term), value, parts })
}

/// Adds the parts that decide the value of a term.
fn deciding(names: Names<'_>, context: &Context<'_>, term: &Expr, parts: &mut Vec<Valued>) {
    match term {
        Term::Binary(op @ (Binary::And | Binary::Or), ..) => {
            let mut sides = Vec::new();
            flat(*op, term, &mut sides);
            let decisive = *op == Binary::Or;
            let one = sides.iter().find(|side| holds(context, side) == Ok(decisive)).copied();
            let chosen = one.map_or(sides, |one| vec![one]);
            parts.extend(chosen.into_iter().filter_map(|side| valued(names, context, side)));
        }
        Term::Unary(Unary::Not, inner) => match bare(inner) {
            Term::Atom(_) => parts.extend(leaf(names, context, inner)),
            inner => parts.extend(valued(names, context, inner)),
        },
        Term::Conditional(branches) => {
            let [condition, then, otherwise] = branches.as_ref();
            parts.extend(valued(names, context, condition));
            let taken = if holds(context, condition) == Ok(true) { then } else { otherwise };
            parts.extend(valued(names, context, taken));
        }
        Term::Atom(_) => {}
        _ => reads(names, context, term, parts),
    }
}

/// The sides of nested operators of one kind, from left to right.
fn flat<'a>(op: Binary, term: &'a Expr, into: &mut Vec<&'a Expr>) {
    match term {
        Term::Binary(own, a, b) if *own == op => {
            flat(op, a, into);
            flat(op, b, into);
        }
        other => into.push(other),
    }
}

/// What a term reads, each once, with its value.
fn reads(names: Names<'_>, context: &Context<'_>, term: &Expr, parts: &mut Vec<Valued>) {
    let mut atoms: Vec<&Read> = Vec::new();
    term.atoms(&mut |read| {
        if !atoms.contains(&read) {
            atoms.push(read);
        }
    });
    parts.extend(atoms.into_iter().filter_map(|read| leaf(names, context, &Term::Atom(read.clone()))));
}

fn leaf(names: Names<'_>, context: &Context<'_>, term: &Expr) -> Option<Valued> {
    Some(Valued { text: names.text(term), value: names.value(context, term)?, parts: Vec::new() })
}

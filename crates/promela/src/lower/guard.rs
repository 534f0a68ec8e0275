//! When a statement could go on, as a term: what stands at the beginning of a d_step.

use super::flow::Action;
use logic::{Binary, Term, Unary};
use system::{Expr, Operation, Pattern, Read};

/// Holds if the statement is executable.
pub(crate) fn executable(action: &Action) -> Expr {
    let possible = match action.command.first() {
        Some(Operation::Send { channel, .. }) => not(Read::Full(Box::new(channel.clone()))),
        Some(Operation::Receive { channel, patterns, mode }) => {
            let channel = Box::new(channel.clone());
            let tested = patterns.iter().map(|p| match p {
                Pattern::Match(term) => Pattern::Match(term.clone()),
                Pattern::Bind(_) | Pattern::Ignore => Pattern::Ignore,
            });
            let poll =
                Read::Poll { channel: channel.clone(), patterns: tested.collect(), anywhere: mode.anywhere };
            and(not(Read::Empty(channel)), Term::Atom(poll))
        }
        _ => Term::TRUE,
    };
    and(action.guard.clone(), possible)
}

fn not(read: Read) -> Expr {
    Term::unary(Unary::Not, Term::Atom(read))
}

fn and(a: Expr, b: Expr) -> Expr {
    match (a.is_true(), b.is_true()) {
        (true, _) => b,
        (_, true) => a,
        _ => Term::binary(Binary::And, a, b),
    }
}

//! Terms with what is known put in: constants for reads, and arithmetic on constants done.
//!
//! Conjunctions are left as they are, so that the conjuncts of a guard keep their numbers.

use logic::{Binary, Term, apply_binary, apply_unary};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use system::*;

/// What a read gives, if that never changes.
pub(super) type Lookup<'a> = dyn Fn(&Read) -> Option<i64> + 'a;

pub(super) fn transition(t: &Transition, known: &Lookup<'_>) -> Transition {
    Transition {
        guard: term(&t.guard, known),
        command: t.command.iter().map(|o| operation(o, known)).collect(),
        ..t.clone()
    }
}

pub(super) fn term(t: &Expr, known: &Lookup<'_>) -> Expr {
    let folded = match t {
        Term::Constant(_) => return t.clone(),
        Term::Atom(read) => {
            let read = atom(read, known);
            return known(&read).map_or_else(|| Term::Atom(read), Term::Constant);
        }
        Term::Unary(op, a) => Term::unary(*op, term(a, known)),
        Term::Binary(op, a, b) => Term::binary(*op, term(a, known), term(b, known)),
        Term::Wrap(int, a) => Term::wrap(*int, term(a, known)),
        Term::Conditional(parts) => {
            let [condition, then, otherwise] = parts.as_ref();
            match term(condition, known) {
                Term::Constant(0) => return term(otherwise, known),
                Term::Constant(_) => return term(then, known),
                condition => Term::conditional(condition, term(then, known), term(otherwise, known)),
            }
        }
    };
    fold(&folded).map_or(folded, Term::Constant)
}

fn fold(t: &Expr) -> Option<i64> {
    let constant = |t: &Expr| if let Term::Constant(c) = t { Some(BigInt::from(*c)) } else { None };
    match t {
        Term::Unary(op, a) => apply_unary(*op, &constant(a)?).to_i64(),
        Term::Wrap(int, a) => int.wrap(&constant(a)?).to_i64(),
        Term::Binary(Binary::And | Binary::Or, ..) => None,
        Term::Binary(op, a, b) => apply_binary(*op, &constant(a)?, &constant(b)?).ok()?.to_i64(),
        Term::Constant(_) | Term::Atom(_) | Term::Conditional(_) => None,
    }
}

fn atom(read: &Read, known: &Lookup<'_>) -> Read {
    let boxed = |t: &Expr| Box::new(term(t, known));
    match read {
        Read::Place(p) => Read::Place(place(p, known)),
        Read::Enabled(t) => Read::Enabled(boxed(t)),
        Read::Location(t) => Read::Location(boxed(t)),
        Read::Priority(t) => Read::Priority(boxed(t)),
        Read::At { process, process_type, point } => {
            Read::At { process: boxed(process), process_type: *process_type, point: *point }
        }
        Read::Length(t) => Read::Length(boxed(t)),
        Read::Empty(t) => Read::Empty(boxed(t)),
        Read::Full(t) => Read::Full(boxed(t)),
        Read::Poll { channel, patterns, anywhere } => Read::Poll {
            channel: boxed(channel),
            patterns: patterns.iter().map(|p| pattern(p, known)).collect(),
            anywhere: *anywhere,
        },
        Read::Handle(_) | Read::Myself | Read::Instance(_) | Read::ProcessCount => read.clone(),
        Read::Last | Read::Timeout | Read::NonProgress | Read::Accepting => read.clone(),
    }
}

fn place(p: &Place, known: &Lookup<'_>) -> Place {
    let root = match &p.root {
        Root::Remote { process, process_type, object } => Root::Remote {
            process: Box::new(term(process, known)),
            process_type: *process_type,
            object: *object,
        },
        root => root.clone(),
    };
    let path = p.path.iter().map(|access| match access {
        Access::Field(field) => Access::Field(*field),
        Access::Index(t) => Access::Index(term(t, known)),
    });
    Place { root, path: path.collect() }
}

fn pattern(p: &Pattern, known: &Lookup<'_>) -> Pattern {
    match p {
        Pattern::Bind(p) => Pattern::Bind(place(p, known)),
        Pattern::Match(t) => Pattern::Match(term(t, known)),
        Pattern::Ignore => Pattern::Ignore,
    }
}

fn operation(o: &Operation, known: &Lookup<'_>) -> Operation {
    let all = |terms: &[Expr]| terms.iter().map(|t| term(t, known)).collect();
    match o {
        Operation::Assign { target, value } => {
            Operation::Assign { target: place(target, known), value: term(value, known) }
        }
        Operation::Send { channel, message, sorted } => {
            Operation::Send { channel: term(channel, known), message: all(message), sorted: *sorted }
        }
        Operation::Receive { channel, patterns, mode } => Operation::Receive {
            channel: term(channel, known),
            patterns: patterns.iter().map(|p| pattern(p, known)).collect(),
            mode: *mode,
        },
        Operation::Start { process_type, arguments, priority, result } => Operation::Start {
            process_type: *process_type,
            arguments: all(arguments),
            priority: priority.as_ref().map(|t| term(t, known)),
            result: result.as_ref().map(|p| place(p, known)),
        },
        Operation::SetPriority { process, priority } => {
            Operation::SetPriority { process: term(process, known), priority: term(priority, known) }
        }
        Operation::Assert { condition } => Operation::Assert { condition: term(condition, known) },
        Operation::Print { format, arguments } => {
            Operation::Print { format: format.clone(), arguments: all(arguments) }
        }
        Operation::Stop => Operation::Stop,
    }
}

//! Which variables never change after the initial state, and their values: above all channel
//! variables, whose operations can then be bound to their channel at compile time.

use logic::Term;
use std::collections::HashMap;
use system::state::{State, Value};
use system::{Access, ObjectId, Operation, Pattern, Place, Read, Root, System};

/// The constant globals of a system with their initial values.
pub fn constant_globals(system: &System) -> HashMap<ObjectId, Value> {
    let mut written = vec![false; system.globals.len()];
    let mut mark = |place: &Place| {
        if let Root::Global(object) = place.root {
            written[object] = true;
        }
    };
    for transition in system.templates.iter().flat_map(|t| &t.transitions) {
        for operation in &transition.command {
            written_places(operation).for_each(&mut mark);
        }
    }
    let Ok(initial) = State::initial(system) else { return HashMap::new() };
    let constants = initial.globals.into_iter().enumerate();
    constants.filter(|(o, v)| !written[*o] && !matches!(v, Value::Channel(_))).collect()
}

/// The places an operation writes.
pub fn written_places(operation: &Operation) -> impl Iterator<Item = &Place> {
    let (one, patterns): (Option<&Place>, &[Pattern]) = match operation {
        Operation::Assign { target, .. } => (Some(target), &[]),
        Operation::Start { result, .. } => (result.as_ref(), &[]),
        Operation::Receive { patterns, .. } => (None, patterns),
        _ => (None, &[]),
    };
    let bound = patterns.iter().filter_map(|p| match p {
        Pattern::Bind(place) => Some(place),
        Pattern::Match(_) | Pattern::Ignore => None,
    });
    one.into_iter().chain(bound)
}

/// The value of a place if it is known at compile time.
pub fn known(constants: &HashMap<ObjectId, Value>, place: &Place) -> Option<i64> {
    let Root::Global(object) = place.root else { return None };
    let mut value = constants.get(&object)?;
    for access in &place.path {
        let index = match access {
            Access::Field(field) => *field,
            Access::Index(term) => usize::try_from(known_term(constants, term)?).ok()?,
        };
        let Value::Parts(parts) = value else { return None };
        value = parts.get(index)?;
    }
    match value {
        Value::Int(v) => i64::try_from(v).ok(),
        _ => None,
    }
}

fn known_term(constants: &HashMap<ObjectId, Value>, term: &system::Expr) -> Option<i64> {
    match term {
        Term::Constant(c) => Some(*c),
        Term::Atom(Read::Place(place)) => known(constants, place),
        _ => None,
    }
}

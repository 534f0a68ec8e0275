//! Which variables never change after the initial state, and their values: above all channel
//! variables, whose operations can then be bound to their channel at compile time.

use logic::Term;
use std::collections::HashMap;
use system::state::{State, Value};
use system::{Access, ObjectId, Place, Read, Root, System};

/// The constant globals of a system with their initial values.
pub fn constant_globals(system: &System) -> HashMap<ObjectId, Value> {
    let written = system.written();
    let Ok(initial) = State::initial(system) else { return HashMap::new() };
    let constants = initial.globals.into_iter().enumerate();
    constants.filter(|(o, v)| !written.contains(&(None, *o)) && !matches!(v, Value::Channel(_))).collect()
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

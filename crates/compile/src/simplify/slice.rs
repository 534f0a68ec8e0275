//! Slicing: variables that nothing depends on are not stored.
//!
//! A variable is needed if a guard, an assertion, an index, a message, an argument or a needed
//! variable depends on it. Writes to other variables go, and with them their bytes (their sort
//! becomes a record without fields); so do prints, which the reference stepper shows again. What
//! may end in a fault (a print too, an initial value) is still computed.

use super::terms::{initial_may_fail, may_fail, path_may_fail, variables_read, variables_used};
use logic::Sort;
use std::collections::HashSet;
use system::{Initial, Object, ObjectKind, Operation, Pattern, System, Variable};

/// Slices all variables that can be.
pub fn slice(system: &mut System) {
    for process_type in &mut system.process_types {
        for transition in &mut process_type.transitions {
            transition.command.retain(|o| match o {
                Operation::Print { arguments, .. } => arguments.iter().any(may_fail),
                _ => true,
            });
        }
    }
    let needed = needed(system, HashSet::new());
    drop_the_rest(system, &needed);
}

/// Slices hidden variables only: what their declaration asks for, where it is sound.
pub fn slice_hidden(system: &mut System) {
    let locals = system.process_types.iter().enumerate();
    let locals =
        locals.flat_map(|(id, t)| t.objects.iter().enumerate().map(move |(o, x)| ((Some(id), o), x)));
    let globals = system.globals.iter().enumerate().map(|(o, object)| ((None, o), object));
    let (hidden, shown): (Vec<_>, Vec<_>) = globals.chain(locals).partition(|(_, object)| object.hidden);
    if hidden.is_empty() {
        return;
    }
    let needed = needed(system, shown.into_iter().map(|(variable, _)| variable).collect());
    drop_the_rest(system, &needed);
}

fn drop_the_rest(system: &mut System, needed: &HashSet<Variable>) {
    for (id, process_type) in system.process_types.iter_mut().enumerate() {
        for transition in &mut process_type.transitions {
            transition.command.retain(|o| match o {
                Operation::Assign { target, value } => {
                    may_fail(value) || needed.contains(&target.variable(id))
                }
                _ => true,
            });
            transition.command.iter_mut().for_each(|o| forget_fields(id, o, needed));
        }
        process_type
            .objects
            .iter_mut()
            .enumerate()
            .for_each(|(o, object)| drop_unless(object, needed, (Some(id), o)));
    }
    system.globals.iter_mut().enumerate().for_each(|(o, object)| drop_unless(object, needed, (None, o)));
}

/// Fields of messages and process numbers that would go to a variable that is not needed go
/// nowhere.
fn forget_fields(process_type: usize, operation: &mut Operation, needed: &HashSet<Variable>) {
    match operation {
        Operation::Receive { patterns, .. } => {
            for pattern in patterns {
                if let Pattern::Bind(place) = pattern
                    && !needed.contains(&place.variable(process_type))
                {
                    *pattern = Pattern::Ignore;
                }
            }
        }
        // The value may end in a fault: it is computed, and goes nowhere.
        Operation::Assign { target, value } if !needed.contains(&target.variable(process_type)) => {
            *operation = Operation::Print { format: String::new(), arguments: vec![value.clone()] };
        }
        Operation::Start { result, .. } => {
            *result = result.take().filter(|place| needed.contains(&place.variable(process_type)));
        }
        _ => {}
    }
}

fn drop_unless(object: &mut Object, needed: &HashSet<Variable>, variable: Variable) {
    if let ObjectKind::Variable { sort, initial } = &mut object.kind
        && !needed.contains(&variable)
    {
        *sort = Sort::Record(Vec::new());
        *initial = Initial::Zero;
    }
}

fn needed(system: &System, mut needed: HashSet<Variable>) -> HashSet<Variable> {
    begin(system, &mut needed);
    loop {
        let before = needed.len();
        for (id, process_type) in system.process_types.iter().enumerate() {
            for operation in process_type.transitions.iter().flat_map(|t| &t.command) {
                if let Operation::Assign { target, value } = operation
                    && needed.contains(&target.variable(id))
                {
                    variables_read(id, value, &mut |v| {
                        needed.insert(v);
                    });
                }
            }
        }
        if needed.len() == before {
            return needed;
        }
    }
}

/// What is needed whatever else is: all that is read outside of assignments, and what initial
/// values read.
fn begin(system: &System, needed: &mut HashSet<Variable>) {
    for (id, process_type) in system.process_types.iter().enumerate() {
        for transition in &process_type.transitions {
            variables_read(id, &transition.guard, &mut |v| {
                needed.insert(v);
            });
            for operation in &transition.command {
                match operation {
                    Operation::Assign { target, value } => {
                        if may_fail(value) {
                            variables_read(id, value, &mut |v| {
                                needed.insert(v);
                            });
                        }
                        let path = Operation::Assign { target: target.clone(), value: logic::Term::FALSE };
                        variables_used(id, &path, &mut |v| {
                            needed.insert(v);
                        });
                    }
                    _ => variables_used(id, operation, &mut |v| {
                        needed.insert(v);
                    }),
                }
                keep_fallible_places(id, operation, needed);
            }
        }
        initial_reads(Some(id), &process_type.objects, needed);
    }
    let rules = system.scheduling.iter().flat_map(|d| d.process_types.iter().enumerate());
    for (id, rules) in rules {
        if let Some(provided) = &rules.provided {
            variables_read(id, provided, &mut |v| {
                needed.insert(v);
            });
        }
    }
    for proposition in &system.propositions {
        variables_read(0, proposition, &mut |v| {
            needed.insert(v);
        });
    }
    initial_reads(None, &system.globals, needed);
    claimed_channels(system, needed);
}

fn keep_fallible_places(process_type: usize, operation: &Operation, needed: &mut HashSet<Variable>) {
    let fallible = operation.writes().filter(|place| path_may_fail(place));
    needed.extend(fallible.map(|place| place.variable(process_type)));
}

fn claimed_channels(system: &System, needed: &mut HashSet<Variable>) {
    for claim in &system.exclusive {
        variables_read(claim.process_type, &claim.channel, &mut |v| {
            needed.insert(v);
        });
    }
}

fn initial_reads(process_type: Option<usize>, objects: &[Object], needed: &mut HashSet<Variable>) {
    for (o, object) in objects.iter().enumerate() {
        if let ObjectKind::Variable { initial, .. } = &object.kind {
            reads_of_initial(process_type.unwrap_or(0), initial, needed);
            if initial_may_fail(initial) {
                needed.insert((process_type, o));
            }
        }
    }
}

fn reads_of_initial(process_type: usize, initial: &Initial, needed: &mut HashSet<Variable>) {
    match initial {
        Initial::Term(term) => variables_read(process_type, term, &mut |v| {
            needed.insert(v);
        }),
        Initial::Each(one) => reads_of_initial(process_type, one, needed),
        Initial::Parts(parts) => parts.iter().for_each(|p| reads_of_initial(process_type, p, needed)),
        Initial::Zero | Initial::Argument(_) => {}
    }
}

//! Walks over everything a system reads.

use crate::{Access, Expr, Initial, Object, ObjectKind, Operation, Pattern, Place, Read, Root, System};

/// Calls `visit` on every read of guards, commands, initial values and scheduling rules, nested
/// ones included.
pub fn reads_of_system(system: &System, visit: &mut impl FnMut(&Read)) {
    system.globals.iter().for_each(|o| reads_of_object(o, visit));
    system.initial.iter().flat_map(|creation| &creation.arguments).for_each(|a| reads_of_term(a, visit));
    for process_type in &system.process_types {
        process_type.objects.iter().for_each(|o| reads_of_object(o, visit));
        for transition in &process_type.transitions {
            reads_of_term(&transition.guard, visit);
            transition.command.iter().for_each(|o| reads_of_operation(o, visit));
        }
    }
    system.propositions.iter().for_each(|p| reads_of_term(p, visit));
    let rules = system.scheduling.iter().flat_map(|d| &d.process_types);
    rules.filter_map(|r| r.provided.as_ref()).for_each(|p| reads_of_term(p, visit));
}

/// Whether the system asks who moved last.
pub fn reads_last(system: &System) -> bool {
    let mut found = false;
    reads_of_system(system, &mut |read| found |= *read == Read::Last);
    found
}

/// The reads in the initial value of an object.
pub fn reads_of_object(object: &Object, visit: &mut impl FnMut(&Read)) {
    if let ObjectKind::Variable { initial, .. } = &object.kind {
        reads_of_initial(initial, visit);
    }
}

fn reads_of_initial(initial: &Initial, visit: &mut impl FnMut(&Read)) {
    match initial {
        Initial::Term(term) => reads_of_term(term, visit),
        Initial::Each(one) => reads_of_initial(one, visit),
        Initial::Parts(parts) => parts.iter().for_each(|p| reads_of_initial(p, visit)),
        Initial::Zero | Initial::Argument(_) => {}
    }
}

/// Calls `visit` for everything that an operation reads, inner reads included.
pub fn reads_of_operation(operation: &Operation, visit: &mut impl FnMut(&Read)) {
    match operation {
        Operation::Assign { target, value } => {
            reads_of_path(target, visit);
            reads_of_term(value, visit);
        }
        Operation::Send { channel, message, .. } => {
            reads_of_term(channel, visit);
            message.iter().for_each(|m| reads_of_term(m, visit));
        }
        Operation::Receive { channel, patterns, .. } => {
            reads_of_term(channel, visit);
            reads_of_patterns(patterns, visit);
        }
        Operation::Start { arguments, priority, result, .. } => {
            arguments.iter().chain(priority).for_each(|a| reads_of_term(a, visit));
            result.iter().for_each(|r| reads_of_path(r, visit));
        }
        Operation::SetPriority { process, priority } => {
            reads_of_term(process, visit);
            reads_of_term(priority, visit);
        }
        Operation::Assert { condition } => reads_of_term(condition, visit),
        Operation::Print { arguments, .. } => arguments.iter().for_each(|a| reads_of_term(a, visit)),
        Operation::Stop => {}
    }
}

/// Calls `visit` for everything that a term reads, inner reads included.
pub fn reads_of_term(term: &Expr, visit: &mut impl FnMut(&Read)) {
    let mut atoms = Vec::new();
    term.atoms(&mut |read| atoms.push(read));
    for read in atoms {
        visit(read);
        match read {
            Read::Place(place) => reads_of_path(place, visit),
            Read::Enabled(t) | Read::Location(t) | Read::Priority(t) => reads_of_term(t, visit),
            Read::At { process, .. } => reads_of_term(process, visit),
            Read::Length(c) | Read::Empty(c) | Read::Full(c) => reads_of_term(c, visit),
            Read::Poll { channel, patterns, .. } => {
                reads_of_term(channel, visit);
                reads_of_patterns(patterns, visit);
            }
            Read::Handle(_) | Read::Instance(_) | Read::Myself | Read::ProcessCount | Read::Last => {}
            Read::Timeout | Read::NonProgress | Read::Accepting => {}
        }
    }
}

/// The reads in the indices of a place, not the place itself.
fn reads_of_path(place: &Place, visit: &mut impl FnMut(&Read)) {
    if let Root::Remote { process, .. } = &place.root {
        reads_of_term(process, visit);
    }
    for access in &place.path {
        if let Access::Index(term) = access {
            reads_of_term(term, visit);
        }
    }
}

fn reads_of_patterns(patterns: &[Pattern], visit: &mut impl FnMut(&Read)) {
    for pattern in patterns {
        match pattern {
            Pattern::Bind(place) => reads_of_path(place, visit),
            Pattern::Match(term) => reads_of_term(term, visit),
            Pattern::Ignore => {}
        }
    }
}

//! Labels that other processes ask for: they get points, and the terms that ask get them.

use super::flow::{Action, Flow, Node};
use crate::model::{ExprKind, Model};
use logic::Term;
use std::collections::HashMap;
use system::{Access, Expr, Initial, Object, ObjectKind, Operation, Pattern, Place, Read, Root, System};

/// By process: the labels that some expression of the model asks for.
pub(crate) fn watched_labels(model: &Model) -> Vec<Vec<usize>> {
    let mut watched = vec![Vec::new(); model.processes.len()];
    crate::walk::expressions(model, &mut |e| {
        if let ExprKind::RemoteLabel { process, label, .. } = &e.kind
            && !watched[*process].contains(label)
        {
            watched[*process].push(*label);
        }
    });
    watched
}

/// A label that is asked for and stands at a jump gets a skip in front of the jump to stand at.
pub(crate) fn give_jumps_a_place(flow: &mut Flow, watched: &[usize]) {
    for label in watched {
        let Some(el) = flow.labels[*label] else { continue };
        let Node::Goto { span, .. } = flow.elements[el].node else { continue };
        let jump = flow.elements[el].clone();
        let action = Action { guard: Term::TRUE, command: Vec::new(), text: "skip".into(), span };
        let moved = flow.elements.len();
        flow.elements.push(jump);
        flow.elements[el].node = Node::Skip(action);
        flow.elements[el].next = Some(moved);
    }
}

/// Puts points in the place of labels in all terms that ask for one.
pub(crate) fn resolve(system: &mut System, label_points: &[HashMap<usize, usize>]) {
    let fix = |term: &mut Expr| fix_term(term, label_points);
    system.globals.iter_mut().for_each(|o| fix_object(o, label_points));
    for process_type in &mut system.process_types {
        process_type.objects.iter_mut().for_each(|o| fix_object(o, label_points));
        for transition in &mut process_type.transitions {
            fix(&mut transition.guard);
            transition.command.iter_mut().for_each(|o| fix_operation(o, label_points));
        }
    }
    let rules = system.scheduling.iter_mut().flat_map(|d| &mut d.process_types);
    rules.filter_map(|r| r.provided.as_mut()).for_each(fix);
}

/// The same for a term of its own.
pub(crate) fn resolve_term(term: &mut Expr, label_points: &[HashMap<usize, usize>]) {
    fix_term(term, label_points);
}

fn fix_object(object: &mut Object, points: &[HashMap<usize, usize>]) {
    if let ObjectKind::Variable { initial, .. } = &mut object.kind {
        fix_initial(initial, points);
    }
}

fn fix_initial(initial: &mut Initial, points: &[HashMap<usize, usize>]) {
    match initial {
        Initial::Term(term) => fix_term(term, points),
        Initial::Each(one) => fix_initial(one, points),
        Initial::Parts(parts) => parts.iter_mut().for_each(|p| fix_initial(p, points)),
        Initial::Zero | Initial::Argument(_) => {}
    }
}

fn fix_operation(operation: &mut Operation, points: &[HashMap<usize, usize>]) {
    match operation {
        Operation::Assign { target, value } => {
            fix_place(target, points);
            fix_term(value, points);
        }
        Operation::Send { channel, message, .. } => {
            fix_term(channel, points);
            message.iter_mut().for_each(|m| fix_term(m, points));
        }
        Operation::Receive { channel, patterns, .. } => {
            fix_term(channel, points);
            patterns.iter_mut().for_each(|p| fix_pattern(p, points));
        }
        Operation::Start { arguments, priority, result, .. } => {
            arguments.iter_mut().chain(priority).for_each(|a| fix_term(a, points));
            result.iter_mut().for_each(|r| fix_place(r, points));
        }
        Operation::SetPriority { process, priority } => {
            fix_term(process, points);
            fix_term(priority, points);
        }
        Operation::Assert { condition } => fix_term(condition, points),
        Operation::Print { arguments, .. } => arguments.iter_mut().for_each(|a| fix_term(a, points)),
        Operation::Stop => {}
    }
}

fn fix_pattern(pattern: &mut Pattern, points: &[HashMap<usize, usize>]) {
    match pattern {
        Pattern::Bind(place) => fix_place(place, points),
        Pattern::Match(term) => fix_term(term, points),
        Pattern::Ignore => {}
    }
}

fn fix_place(place: &mut Place, points: &[HashMap<usize, usize>]) {
    if let Root::Remote { process, .. } = &mut place.root {
        fix_term(process, points);
    }
    for access in &mut place.path {
        if let Access::Index(term) = access {
            fix_term(term, points);
        }
    }
}

fn fix_term(term: &mut Expr, points: &[HashMap<usize, usize>]) {
    match term {
        Term::Constant(_) => {}
        Term::Unary(_, a) | Term::Wrap(_, a) => fix_term(a, points),
        Term::Binary(_, a, b) => {
            fix_term(a, points);
            fix_term(b, points);
        }
        Term::Conditional(parts) => parts.iter_mut().for_each(|p| fix_term(p, points)),
        Term::Atom(read) => {
            if let Read::At { process_type, point, .. } = read {
                match points[*process_type].get(point) {
                    Some(found) => *point = *found,
                    None => {
                        *term = Term::FALSE;
                        return;
                    }
                }
            }
            fix_read(read, points);
        }
    }
}

fn fix_read(read: &mut Read, points: &[HashMap<usize, usize>]) {
    match read {
        Read::Place(place) => fix_place(place, points),
        Read::Enabled(t) | Read::Location(t) | Read::Priority(t) => fix_term(t, points),
        Read::At { process, .. } => fix_term(process, points),
        Read::Length(c) | Read::Empty(c) | Read::Full(c) => fix_term(c, points),
        Read::Poll { channel, patterns, .. } => {
            fix_term(channel, points);
            patterns.iter_mut().for_each(|p| fix_pattern(p, points));
        }
        Read::Handle(_) | Read::Instance(_) | Read::Myself | Read::ProcessCount => {}
        Read::Last | Read::Timeout | Read::NonProgress | Read::Accepting => {}
    }
}

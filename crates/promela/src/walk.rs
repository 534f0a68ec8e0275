//! Walks over the statements and expressions of a checked model.

use crate::model::{Block, Expr, Model, Place, Statement, StatementKind, Step};

/// Calls `visit` on every statement of every body.
pub(crate) fn statements<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Statement)) {
    model.processes.iter().for_each(|p| block(&p.body, visit));
}

fn block<'a>(block_: &'a Block, visit: &mut dyn FnMut(&'a Statement)) {
    for step in &block_.steps {
        match step {
            Step::Declare { .. } | Step::Exclusive { .. } => {}
            Step::Statement(s) => statement(s, visit),
            Step::Unless { main, escape, .. } => {
                statement(main, visit);
                statement(escape, visit);
            }
        }
    }
}

fn statement<'a>(s: &'a Statement, visit: &mut dyn FnMut(&'a Statement)) {
    visit(s);
    match &s.kind {
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().for_each(|b| block(b, visit))
        }
        StatementKind::Atomic(b) | StatementKind::DStep(b) | StatementKind::Block(b) => block(b, visit),
        StatementKind::For(f) => block(&f.body, visit),
        StatementKind::ForMessages(f) => block(&f.body, visit),
        _ => {}
    }
}

/// Calls `visit` on every expression of the model, those inside others included.
pub(crate) fn expressions<'a>(model: &'a Model, visit: &mut dyn FnMut(&'a Expr)) {
    let initial = model.globals.iter().chain(model.processes.iter().flat_map(|p| &p.locals));
    for variable in initial {
        if let crate::model::Initial::Value(e) = &variable.initial {
            expression(e, visit);
        }
    }
    model.processes.iter().filter_map(|p| p.provided.as_ref()).for_each(|e| expression(e, visit));
    model.formulas.iter().for_each(|p| p.formula.atoms(&mut |e| expression(e, visit)));
    statements(model, &mut |s| of_statement(s, visit));
    model.processes.iter().for_each(|p| claims(&p.body, visit));
}

fn claims<'a>(b: &'a Block, visit: &mut dyn FnMut(&'a Expr)) {
    for step in &b.steps {
        if let Step::Exclusive { channels, .. } = step {
            channels.iter().for_each(|c| place(c, visit));
        }
    }
}

fn of_statement<'a>(s: &'a Statement, visit: &mut dyn FnMut(&'a Expr)) {
    match &s.kind {
        StatementKind::Guard(e) | StatementKind::Assert(e) | StatementKind::Printm(e) => expression(e, visit),
        StatementKind::Assign { to, value } => {
            place(to, visit);
            expression(value, visit);
        }
        StatementKind::Count { place: p, .. } => place(p, visit),
        StatementKind::Printf { arguments, .. } => arguments.iter().for_each(|e| expression(e, visit)),
        StatementKind::SetPriority { process, priority } => {
            expression(process, visit);
            expression(priority, visit);
        }
        StatementKind::Send { channel, message, .. } => {
            place(channel, visit);
            message.iter().for_each(|e| expression(e, visit));
        }
        StatementKind::Receive { channel, pattern, .. } => {
            place(channel, visit);
            pattern.iter().for_each(|p| p.for_each_child(&mut |e| expression(e, visit)));
        }
        StatementKind::For(f) => {
            place(&f.index, visit);
            expression(&f.from, visit);
            expression(&f.to, visit);
        }
        StatementKind::Select(select) => {
            place(&select.index, visit);
            expression(&select.from, visit);
            expression(&select.to, visit);
        }
        StatementKind::ForMessages(f) => {
            f.message.iter().for_each(|p| place(p, visit));
            place(&f.channel, visit);
        }
        StatementKind::Else | StatementKind::Goto(_) | StatementKind::Break => {}
        StatementKind::If(_) | StatementKind::Do(_) => {}
        StatementKind::Atomic(_) | StatementKind::DStep(_) | StatementKind::Block(_) => {}
    }
}

fn place<'a>(p: &'a Place, visit: &mut dyn FnMut(&'a Expr)) {
    p.for_each_index(&mut |e| expression(e, visit));
}

fn expression<'a>(e: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(e);
    e.for_each_child(&mut |child| expression(child, visit));
}

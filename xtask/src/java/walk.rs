//! Walks over all statements and expressions of a program.

use super::ast::{Class, Expr, Kind, Place, Program, Stmt};

/// All expressions of a program, outermost first.
pub fn expressions<'a>(program: &'a Program, visit: &mut dyn FnMut(&'a Expr)) {
    for class in &program.classes {
        expressions_of(class, visit);
    }
}

/// An initializer is the value alone: that it is assigned is no use of the field.
pub fn expressions_of<'a>(class: &'a Class, visit: &mut dyn FnMut(&'a Expr)) {
    for init in class.fields.iter().filter_map(|f| f.init.as_ref()) {
        if let Kind::Do(Expr::Assign(_, value)) = &init.kind {
            expression(value, visit);
        }
    }
    let mut of = |stmt: &'a Stmt| own(&stmt.kind).into_iter().for_each(|e| expression(e, visit));
    class.methods.iter().for_each(|method| statements(&method.body, &mut of));
}

pub fn statements_of<'a>(class: &'a Class, visit: &mut dyn FnMut(&'a Stmt)) {
    class.fields.iter().filter_map(|f| f.init.as_ref()).for_each(&mut *visit);
    class.methods.iter().for_each(|method| statements(&method.body, visit));
}

/// All statements of a block, outermost first.
pub fn statements<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    for stmt in body {
        visit(stmt);
        blocks(&stmt.kind).into_iter().for_each(|block| statements(block, visit));
    }
}

/// The blocks inside of a statement.
pub fn blocks(kind: &Kind) -> Vec<&Vec<Stmt>> {
    match kind {
        Kind::If(_, yes, no) => vec![yes, no],
        Kind::While(_, body) | Kind::For(_, _, body) | Kind::Sync(_, body) => vec![body],
        Kind::Try(body, catches, last) => {
            let mut all = vec![body];
            all.extend(catches.iter().map(|(_, body)| body));
            all.extend(last);
            all
        }
        _ => Vec::new(),
    }
}

pub fn blocks_mut(kind: &mut Kind) -> Vec<&mut Vec<Stmt>> {
    match kind {
        Kind::If(_, yes, no) => vec![yes, no],
        Kind::While(_, body) | Kind::For(_, _, body) | Kind::Sync(_, body) => vec![body],
        Kind::Try(body, catches, last) => {
            let mut all = vec![body];
            all.extend(catches.iter_mut().map(|(_, body)| body));
            all.extend(last);
            all
        }
        _ => Vec::new(),
    }
}

/// The expressions of a statement that are in none of its blocks.
fn own(kind: &Kind) -> Vec<&Expr> {
    match kind {
        Kind::Local(_, _, e)
        | Kind::Do(e)
        | Kind::If(e, ..)
        | Kind::While(e, _)
        | Kind::Sync(e, _)
        | Kind::Return(Some(e))
        | Kind::Assert(e)
        | Kind::Print(e)
        | Kind::Wait(e)
        | Kind::Notify(e)
        | Kind::NotifyAll(e)
        | Kind::Lock(e)
        | Kind::Unlock(e)
        | Kind::Await(e)
        | Kind::Signal(e)
        | Kind::SignalAll(e)
        | Kind::Start(e)
        | Kind::Join(e)
        | Kind::Shutdown(e) => vec![e],
        Kind::Submit(a, b) | Kind::Execute(a, b) => vec![a, b],
        Kind::For(..) | Kind::Try(..) | Kind::Throw(_) | Kind::Return(None) | Kind::Break | Kind::Sleep => {
            Vec::new()
        }
    }
}

fn expression<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    parts(expr).into_iter().for_each(|part| expression(part, visit));
}

fn parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Read(p) => inside(p),
        Expr::New(_, args) | Expr::Static(_, args) => args.iter().collect(),
        Expr::Bin(_, a, b) | Expr::Concat(a, b) | Expr::Equals(a, b) => vec![a, b],
        Expr::Not(a)
        | Expr::Neg(a)
        | Expr::Cast(_, a)
        | Expr::InstanceOf(a, _)
        | Expr::Box(a)
        | Expr::Length(a)
        | Expr::ToString(a)
        | Expr::TryLock(a)
        | Expr::Unbox { of: a, .. } => {
            vec![a]
        }
        Expr::Choose(a, b, c) => vec![a, b, c],
        Expr::Assign(p, a) | Expr::Compound(_, p, a) => {
            let mut all = inside(p);
            all.push(a);
            all
        }
        Expr::Step { place, .. } => inside(place),
        Expr::Call(on, _, args) | Expr::Atomic(_, on, args) => {
            let mut all: Vec<&Expr> = vec![on];
            all.extend(args);
            all
        }
        Expr::Null | Expr::Int(_) | Expr::Bool(_) | Expr::Str(_) | Expr::This | Expr::Constant(..) => {
            Vec::new()
        }
    }
}

fn inside(place: &Place) -> Vec<&Expr> {
    match place {
        Place::Field(on, _) => vec![on],
        Place::Local(_) | Place::Static(_) => Vec::new(),
    }
}

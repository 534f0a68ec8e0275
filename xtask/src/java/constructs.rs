//! Which constructs of Java a program uses.

use super::ast::{Catch, Expr, Field, Kind, Nature, Op, Place, Program, Stmt, Type};
use super::{print::constant, walk};
use std::collections::BTreeSet;

/// Every construct that the generator writes; each of them comes up.
pub const ALL: [&str; 73] = [
    "AtomicBoolean",
    "AtomicInteger",
    "AtomicReference",
    "Boolean",
    "Condition.await",
    "Condition.signal",
    "Condition.signalAll",
    "Integer",
    "ReentrantLock.lock",
    "ReentrantLock.tryLock",
    "ReentrantLock.unlock",
    "Runnable",
    "String",
    "Thread",
    "Thread.join",
    "Thread.start",
    "assert",
    "assignment of a local",
    "atomic operation",
    "boxing",
    "break",
    "call of a method",
    "call of a static method",
    "cast",
    "catch",
    "catch of everything",
    "class that extends another",
    "compareAndSet",
    "compound assignment",
    "concatenation",
    "conditional expression",
    "constructor with parameters",
    "division",
    "equals",
    "execute",
    "field initializer",
    "finally",
    "for",
    "getAndSet",
    "if",
    "instance field",
    "instanceof",
    "local variable",
    "main",
    "nested class",
    "new",
    "notify",
    "notifyAll",
    "null",
    "plain static field",
    "println",
    "range",
    "remainder",
    "return",
    "return in finally",
    "short-circuit",
    "shutdown",
    "static final constant",
    "static initializer",
    "step (++ or --)",
    "string length",
    "submit",
    "synchronized block",
    "synchronized method",
    "throw",
    "toString",
    "try",
    "unboxing",
    "unboxing that is written",
    "volatile field",
    "wait",
    "while",
    "while with an empty body",
];

/// The constructs of one program.
pub fn of(program: &Program) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::from(["main", "nested class"]);
    let shown: Vec<_> = program.classes.iter().filter(|class| !class.hidden).collect();
    for class in &shown {
        found.extend(match class.nature {
            Nature::Thread => Some("Thread"),
            Nature::Runnable => Some("Runnable"),
            _ => class.parent.map(|_| "class that extends another"),
        });
        found.extend((!class.constructor.is_empty()).then_some("constructor with parameters"));
        class.fields.iter().filter(|f| !f.hidden).for_each(|f| field(f, &mut found));
        for method in class.methods.iter().filter(|m| !m.hidden) {
            found.extend(method.synced.then_some("synchronized method"));
            walk::statements(&method.body, &mut |stmt| statement(stmt, &mut found));
        }
    }
    let mut visible = program.clone();
    visible.classes.retain(|class| !class.hidden);
    visible.classes.iter_mut().for_each(|class| class.methods.retain(|m| !m.hidden));
    walk::expressions(&visible, &mut |expr| expression(expr, &mut found));
    found.extend((!program.ranges.is_empty()).then_some("range"));
    found
}

fn field(field: &Field, found: &mut BTreeSet<&'static str>) {
    found.insert(match (field.volatile, field.of_class) {
        (true, _) => "volatile field",
        (false, true) => "plain static field",
        (false, false) => "instance field",
    });
    match field.ty {
        Type::Str => drop(found.insert("String")),
        Type::BoxInt => drop(found.insert("Integer")),
        Type::BoxBool => drop(found.insert("Boolean")),
        _ => {}
    }
    if field.init.is_some() {
        found.insert(match (field.of_class, constant(field)) {
            (true, true) => "static final constant",
            (true, false) => "static initializer",
            (false, _) => "field initializer",
        });
    }
}

fn statement(stmt: &Stmt, found: &mut BTreeSet<&'static str>) {
    let name = match &stmt.kind {
        Kind::Local(..) => "local variable",
        Kind::Do(_) => return,
        Kind::If(..) => "if",
        Kind::While(_, body) if body.is_empty() => "while with an empty body",
        Kind::While(..) => "while",
        Kind::For(..) => "for",
        Kind::Sync(..) => "synchronized block",
        Kind::Try(_, catches, last) => {
            found.insert("try");
            found.extend((!catches.is_empty()).then_some("catch"));
            let any = catches.iter().any(|(what, _)| *what == Catch::Throwable);
            found.extend(any.then_some("catch of everything"));
            if let Some(last) = last {
                found.insert("finally");
                let returns = last.iter().any(|s| matches!(s.kind, Kind::Return(_)));
                found.extend(returns.then_some("return in finally"));
            }
            return;
        }
        Kind::Throw(_) => "throw",
        Kind::Return(_) => "return",
        Kind::Break => "break",
        Kind::Assert(_) => "assert",
        Kind::Print(_) => "println",
        Kind::Wait(_) => "wait",
        Kind::Notify(_) => "notify",
        Kind::NotifyAll(_) => "notifyAll",
        Kind::Lock(_) => "ReentrantLock.lock",
        Kind::Unlock(_) => "ReentrantLock.unlock",
        Kind::Await(_) => "Condition.await",
        Kind::Signal(_) => "Condition.signal",
        Kind::SignalAll(_) => "Condition.signalAll",
        Kind::Start(_) => "Thread.start",
        Kind::Join(_) => "Thread.join",
        Kind::Sleep => "Thread.sleep",
        Kind::Submit(..) => "submit",
        Kind::Execute(..) => "execute",
        Kind::Shutdown(_) => "shutdown",
    };
    found.insert(name);
}

fn expression(expr: &Expr, found: &mut BTreeSet<&'static str>) {
    use super::ast::{Atomic, Cls};
    let name = match expr {
        Expr::Null => "null",
        Expr::New(class, _) => match class {
            Cls::AtomicInt => "AtomicInteger",
            Cls::AtomicBool => "AtomicBoolean",
            Cls::AtomicRef => "AtomicReference",
            _ => "new",
        },
        Expr::Bin(Op::Div, ..) | Expr::Compound(Op::Div, ..) => "division",
        Expr::Bin(Op::Rem, ..) | Expr::Compound(Op::Rem, ..) => "remainder",
        Expr::Bin(Op::And | Op::Or, ..) => "short-circuit",
        Expr::Choose(..) => "conditional expression",
        Expr::Assign(Place::Local(_), _) => "assignment of a local",
        Expr::Compound(..) => "compound assignment",
        Expr::Step { .. } => "step (++ or --)",
        Expr::Static(..) => "call of a static method",
        Expr::Call(..) => "call of a method",
        Expr::Cast(..) => "cast",
        Expr::InstanceOf(..) => "instanceof",
        Expr::Box(_) => "boxing",
        Expr::Unbox { written: true, .. } => "unboxing that is written",
        Expr::Unbox { .. } => "unboxing",
        Expr::Concat(..) => "concatenation",
        Expr::Length(_) => "string length",
        Expr::Equals(..) => "equals",
        Expr::ToString(_) => "toString",
        Expr::Atomic(Atomic::CompareAndSet, ..) => "compareAndSet",
        Expr::Atomic(Atomic::GetAndSet, ..) => "getAndSet",
        Expr::Atomic(..) => "atomic operation",
        Expr::TryLock(_) => "ReentrantLock.tryLock",
        _ => return,
    };
    found.insert(name);
}

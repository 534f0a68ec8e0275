//! Statement macros: `macro NAME(parameters) do S`, called as `NAME(arguments)`.
//!
//! A call is the statement with the arguments in the place of the parameters, as if it were written
//! there: names mean what they mean at the call, and each part is a step of its own unless `<…>`
//! makes one of it. A macro is defined before it is called, so none calls itself. Two things would
//! mean something else than what is written, and are refused: labels, as each call would have them
//! again, and arguments that speak of a name which the macro declares itself.

use super::Parser;
use crate::ast::{Bound, Declaration, Expr, ExprKind, Ident, Name, Statement, StatementKind, Type, TypeKind};
use source::{Diagnostic, Parsed, Span};

/// The statements that calls stand for, all together: macros that call others can double what they
/// stand for each time.
const MAX_STATEMENTS: usize = 20_000;

/// A statement with parameters.
#[derive(Clone)]
pub(super) struct Procedure {
    name: Ident,
    parameters: Vec<Ident>,
    body: Statement,
    /// The names that it declares itself.
    own: Vec<Name>,
    /// How many statements it is made of.
    size: usize,
}

impl Parser {
    /// What follows the parameters of a statement macro.
    pub(super) fn procedure(&mut self, name: Ident, parameters: Vec<Ident>) -> Parsed<()> {
        self.expect("do")?;
        let mut body = self.statement()?;
        self.eat(";");
        let (mut own, mut size, mut labels) = (Vec::new(), 0, Vec::new());
        each_statement(&mut body, &mut |s| {
            size += 1;
            labels.extend(s.labels.iter().chain(&s.after).map(|label| label.span));
            match &s.kind {
                StatementKind::Block(declarations, _) => {
                    own.extend(declarations.iter().flat_map(|d| &d.names).map(|i| i.name.clone()));
                    declarations.iter().for_each(|d| enumerated(&d.of, &mut own));
                }
                StatementKind::Replicated(index, ..) => own.push(index.name.clone()),
                _ => {}
            }
        });
        each_expression(&mut body, &mut |e| {
            if let ExprKind::Quantified(_, bounds, _) = &e.kind {
                own.extend(bounds.iter().flat_map(|b| &b.names).map(|i| i.name.clone()));
            }
        });
        for span in labels {
            let message = "a label inside a statement macro";
            let help = "each call would have it again; put labels before the calls";
            self.report(Diagnostic::error("E0739", span, message).help(help));
        }
        if let Some(name) = parameters.iter().find(|p| own.contains(&p.name)) {
            let message = format!("`{}` is a parameter and declared inside the macro", name.name);
            self.report(Diagnostic::error("E0713", name.span, message));
        }
        if let Some(first) = self.procedures.iter().find(|p| p.name.name == name.name) {
            let message = format!("macro `{}` is defined twice", name.name);
            let first = first.name.span;
            self.report(Diagnostic::error("E0713", name.span, message).also(first, "first here"));
        }
        self.procedures.push(Procedure { name, parameters, body, own, size });
        Ok(())
    }

    /// Whether a call of a statement macro begins here. A variable may have its name.
    pub(super) fn is_call(&self) -> bool {
        let known = self.procedures.iter().any(|p| *p.name.name == *self.peek().text());
        known && ![":=", "<=", "=>", "[", "."].contains(&self.ahead(1).text())
    }

    /// A call: the statement that it stands for.
    pub(super) fn call(&mut self) -> Parsed<StatementKind> {
        let start = self.span();
        let name = self.ident()?;
        let arguments = if self.is("(") { self.arguments()? } else { Vec::new() };
        let span = self.since(start);
        let found = self.procedures.iter().find(|p| p.name.name == name.name).cloned();
        let Some(procedure) = found else { return self.unexpected("the name of a macro") };
        if arguments.len() != procedure.parameters.len() {
            let message = format!("`{}` takes {} arguments", name.name, procedure.parameters.len());
            self.report(Diagnostic::error("E0722", span, message));
            return Ok(StatementKind::Error);
        }
        self.expanded += procedure.size;
        if self.expanded > MAX_STATEMENTS {
            let message = format!("macros stand for more than {MAX_STATEMENTS} statements");
            self.report(Diagnostic::error("E0722", span, message));
            self.stop();
            return Err(source::Abandoned);
        }
        if let Some(caught) = arguments.iter().find_map(|a| procedure.catches(a)) {
            let message = format!("`{caught}` means something else inside the macro `{}`", name.name);
            let help = format!("the macro declares a `{caught}` of its own; rename that");
            self.report(Diagnostic::error("E0739", span, message).help(help));
        }
        Ok(procedure.with(&arguments, span).kind)
    }
}

impl Procedure {
    /// A name of an argument that the macro declares itself.
    fn catches(&self, argument: &Expr) -> Option<Name> {
        let mut caught = None;
        walk(&mut argument.clone(), &mut |e| {
            if let ExprKind::Name(name) | ExprKind::Primed(name) = &e.kind
                && self.own.contains(name)
            {
                caught = Some(name.clone());
            }
        });
        caught
    }

    /// The body for arguments; its statements stand where the call does.
    fn with(&self, arguments: &[Expr], span: Span) -> Statement {
        let mut body = self.body.clone();
        each_statement(&mut body, &mut |s| s.span = span);
        each_expression(&mut body, &mut |e| {
            let ExprKind::Name(name) = &e.kind else { return };
            if let Some(at) = self.parameters.iter().position(|p| p.name == *name) {
                *e = arguments[at].clone();
            }
        });
        body
    }
}

/// Visits a statement and all inside it.
fn each_statement(s: &mut Statement, visit: &mut dyn FnMut(&mut Statement)) {
    visit(s);
    match &mut s.kind {
        StatementKind::If(_, then, otherwise) => {
            each_statement(then, visit);
            otherwise.iter_mut().for_each(|inner| each_statement(inner, visit));
        }
        StatementKind::When(_, inner)
        | StatementKind::While(_, inner)
        | StatementKind::Loop(inner)
        | StatementKind::Block(_, inner)
        | StatementKind::Group(inner)
        | StatementKind::Replicated(_, _, _, inner)
        | StatementKind::Process(_, inner) => each_statement(inner, visit),
        StatementKind::Or(parts) | StatementKind::Sequence(parts) | StatementKind::Parallel(parts) => {
            parts.iter_mut().for_each(|part| each_statement(part, visit));
        }
        _ => {}
    }
}

/// Visits the expressions of a statement, outer ones after those inside them.
fn each_expression(s: &mut Statement, visit: &mut dyn FnMut(&mut Expr)) {
    each_statement(s, &mut |s| match &mut s.kind {
        StatementKind::Assign(targets, values) => {
            targets.iter_mut().chain(values).for_each(|e| walk(e, visit));
        }
        StatementKind::Await(e)
        | StatementKind::Produce(e)
        | StatementKind::Consume(e)
        | StatementKind::Choose(e)
        | StatementKind::Request(e)
        | StatementKind::Release(e)
        | StatementKind::If(e, ..)
        | StatementKind::When(e, _)
        | StatementKind::While(e, _) => walk(e, visit),
        StatementKind::Send(a, b) | StatementKind::Receive(a, b) | StatementKind::Replicated(_, a, b, _) => {
            walk(a, visit);
            walk(b, visit);
        }
        StatementKind::Block(declarations, _) => {
            declarations.iter_mut().for_each(|d| of_declaration(d, visit));
        }
        _ => {}
    });
}

fn of_declaration(declaration: &mut Declaration, visit: &mut dyn FnMut(&mut Expr)) {
    of_type(&mut declaration.of, visit);
    declaration.initially.iter_mut().for_each(|e| walk(e, visit));
}

fn of_type(t: &mut Type, visit: &mut dyn FnMut(&mut Expr)) {
    match &mut t.kind {
        TypeKind::Range(low, high) => [low, high].into_iter().for_each(|e| walk(e, visit)),
        TypeKind::Array(low, high, element) => {
            [low, high].into_iter().for_each(|e| walk(e, visit));
            of_type(element, visit);
        }
        TypeKind::Record(fields) => fields.iter_mut().for_each(|(_, t)| of_type(t, visit)),
        TypeKind::Sequence(element) | TypeKind::Synchronous(element) => of_type(element, visit),
        TypeKind::Asynchronous(capacity, element) => {
            capacity.iter_mut().for_each(|e| walk(e, visit));
            of_type(element, visit);
        }
        TypeKind::Function(arguments, result) => {
            arguments.iter_mut().chain([&mut **result]).for_each(|t| of_type(t, visit));
        }
        TypeKind::Data(constructors) => {
            let fields = constructors.iter_mut().flat_map(|(_, fields)| fields);
            fields.for_each(|(_, t)| of_type(t, visit));
        }
        TypeKind::Bool
        | TypeKind::Int
        | TypeKind::Real
        | TypeKind::Named(_)
        | TypeKind::Enumeration(_)
        | TypeKind::Error => {}
    }
}

fn walk(e: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    match &mut e.kind {
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) => walk(a, visit),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
            walk(a, visit);
            walk(b, visit);
        }
        ExprKind::If(parts) => parts.iter_mut().for_each(|part| walk(part, visit)),
        ExprKind::Call(function, arguments) => {
            walk(function, visit);
            arguments.iter_mut().for_each(|a| walk(a, visit));
        }
        ExprKind::Quantified(_, bounds, body) => {
            bounds.iter_mut().filter_map(|b: &mut Bound| b.of.as_mut()).for_each(|t| of_type(t, visit));
            walk(body, visit);
        }
        ExprKind::Bool(_)
        | ExprKind::Number(_)
        | ExprKind::Decimal(..)
        | ExprKind::Name(_)
        | ExprKind::Primed(_)
        | ExprKind::Labels(..)
        | ExprKind::Error => {}
    }
    visit(e);
}

/// The values of enumerations inside a type.
fn enumerated(t: &Type, names: &mut Vec<Name>) {
    match &t.kind {
        TypeKind::Enumeration(values) => names.extend(values.iter().map(|value| value.name.clone())),
        TypeKind::Array(_, _, element)
        | TypeKind::Sequence(element)
        | TypeKind::Synchronous(element)
        | TypeKind::Asynchronous(_, element) => enumerated(element, names),
        TypeKind::Record(fields) => fields.iter().for_each(|(_, t)| enumerated(t, names)),
        _ => {}
    }
}

//! Names, scopes and types: syntax tree to checked model.
//!
//! First all declarations are collected, so that processes may refer to each other in any order;
//! then initial values, bodies and formulas are resolved. Scopes are SPIN 6's: braces open one, the
//! options of `if` and `do` do not. Deviations from SPIN: globals may be used before their
//! declaration; an inner name may hide an outer one, with a warning.

mod channels;
mod constants;
mod declarations;
mod expressions;
mod jumps;
mod labels;
mod places;
mod processes;
mod scopes;
mod statements;

use std::collections::HashMap;

use source::{Diagnostic, NameKind, Recorder, Span};

use crate::ast;
use crate::model::*;
use channels::ChannelUse;
use processes::Frame;
use source::Name;

/// Checks a program. The model is meaningful only if no diagnostic is an error.
pub fn check(program: &ast::Program) -> (Model, Vec<Diagnostic>) {
    let (model, diagnostics, _) = check_names(program);
    (model, diagnostics)
}

/// As [`check`], with what the names mean.
pub fn check_names(program: &ast::Program) -> (Model, Vec<Diagnostic>, Recorder) {
    let mut checker = Checker::default();
    checker.declare(program);
    checker.resolve(program);
    checker.check_channel_uses();
    (checker.model, checker.diagnostics, checker.names)
}

/// The codes that say of a name that it means nothing.
pub(crate) const UNKNOWN: [&str; 4] = ["E0301", "E0303", "E0316", "E0318"];

/// What a global name stands for.
#[derive(Clone, Copy)]
enum Symbol {
    Variable(GlobalId),
    Mtype { set: MtypeSetId, value: i32 },
    Record(RecordId),
    Process(ProcessId),
}

#[derive(Default)]
struct Checker {
    model: Model,
    diagnostics: Vec<Diagnostic>,
    /// What names mean; never asked here.
    names: Recorder,
    /// Where sets of mtypes got their names.
    mtype_sets: HashMap<Name, Span>,
    /// Global names, with the place of their declaration.
    globals: HashMap<Name, (Symbol, Span)>,
    /// The process being resolved.
    frame: Frame,
    /// Labels of all processes.
    labels: Vec<labels::Labels>,
    /// By record: how many scalars it has, and how deep records nest in it.
    record_sizes: Vec<(u64, u32)>,
    channel_uses: Vec<ChannelUse>,
    /// Channel variables that are assigned: what they refer to is not known.
    assigned_channels: Vec<(ProcessId, Root)>,
}

impl Checker {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(code, span, message));
    }

    /// The first pass: everything that has a name.
    fn declare(&mut self, program: &ast::Program) {
        self.declare_mtypes(program);
        for item in &program.items {
            match item {
                ast::Item::Typedef(typedef) => self.declare_record(typedef),
                ast::Item::Declaration(declaration) => self.declare_globals(declaration),
                _ => {}
            }
        }
        for item in &program.items {
            self.declare_process(item);
        }
        self.require_runnable(program);
    }

    /// The second pass: initial values, bodies, formulas.
    fn resolve(&mut self, program: &ast::Program) {
        let (mut global, mut process) = (0, 0);
        for item in &program.items {
            match item {
                ast::Item::Declaration(declaration) => global = self.resolve_globals(declaration, global),
                ast::Item::Ltl(ltl) => self.resolve_formula(ltl),
                ast::Item::Mtype(_) | ast::Item::Typedef(_) => {}
                _ => {
                    self.resolve_process(item, process);
                    process += 1;
                }
            }
        }
    }

    /// Enters a global name, of something that stands there as a whole.
    fn enter(&mut self, name: &ast::Ident, symbol: Symbol, whole: Span) {
        let kind = match symbol {
            Symbol::Variable(_) => NameKind::Variable,
            Symbol::Mtype { .. } => NameKind::Constant,
            Symbol::Record(_) => NameKind::Type,
            Symbol::Process(_) => NameKind::Process,
        };
        self.names.define_whole(name, kind, whole);
        if let Some((_, first)) = self.globals.get(&name.name) {
            let first = *first;
            self.redeclared(name, first);
            return;
        }
        self.globals.insert(name.name.clone(), (symbol, name.span));
    }

    /// A global name is used.
    fn uses(&mut self, name: &ast::Ident) {
        if let Some((_, defined)) = self.globals.get(&name.name) {
            self.names.mean(name, *defined);
        }
    }

    fn redeclared(&mut self, name: &ast::Ident, first: Span) {
        let message = format!("`{}` is declared twice", name.name);
        let diagnostic = Diagnostic::error("E0302", name.span, message).label("declared again");
        self.diagnostics.push(diagnostic.also(first, "first declared here"));
    }

    fn require_runnable(&mut self, program: &ast::Program) {
        let runs = self.model.processes.iter().any(|process| process.active > 0);
        if runs || self.diagnostics.iter().any(Diagnostic::is_error) {
            return;
        }
        let span = self.model.processes.first().map_or_else(|| first_span(program), |process| process.span);
        let help = "add `init { … }` or write `active` before a proctype";
        self.diagnostics.push(Diagnostic::error("E0327", span, "no process runs in this model").help(help));
    }
}

/// Where the model begins. Formulas may stand in other texts.
fn first_span(program: &ast::Program) -> Span {
    let first = program.items.iter().find(|item| !matches!(item, ast::Item::Ltl(_)));
    first.map_or_else(Span::default, |item| match item {
        ast::Item::Declaration(declaration) => declaration.span,
        ast::Item::Mtype(mtype) => mtype.span,
        ast::Item::Typedef(typedef) => typedef.span,
        ast::Item::Proctype(proctype) => proctype.span,
        ast::Item::Init(init) => init.span,
        ast::Item::Never(never) => never.span,
        ast::Item::Trace(trace) => trace.span,
        ast::Item::Ltl(ltl) => ltl.span,
    })
}

#[cfg(test)]
mod tests;

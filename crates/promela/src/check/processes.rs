//! Proctypes, init, claims, and formulas.

use std::collections::HashMap;

use source::{Diagnostic, NameKind, Span};

use super::labels::{BlockId, collect};
use super::{Checker, Symbol};
use crate::ast::{self, Item};
use crate::model::*;
use source::Name;

/// The process whose body is being resolved.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) process: ProcessId,
    /// None outside of all bodies.
    pub(super) kind: Option<ProcessKind>,
    pub(super) scopes: Vec<HashMap<Name, LocalId>>,
    pub(super) next_local: LocalId,
    pub(super) next_label: LabelId,
    pub(super) block: BlockId,
    pub(super) next_block: BlockId,
    /// For each loop around: the d_step it is in.
    pub(super) loops: Vec<Option<BlockId>>,
    /// How many inline calls are around.
    pub(super) inlines: usize,
    /// A statement has been met: declarations from now on run.
    pub(super) started: bool,
}

impl Checker {
    /// Enters a process with its parameters, locals and labels; bodies come later.
    pub(super) fn declare_process(&mut self, item: &Item) {
        let Some(head) = Head::of(item) else { return };
        let id = self.model.processes.len();
        if let (Some(name), ProcessKind::Proctype) = (head.ident, head.kind) {
            self.enter(name, Symbol::Process(id), head.span.to(head.body.span));
        } else if let Some(name) = head.ident {
            self.names.define_whole(name, NameKind::Property, head.span.to(head.body.span));
        }
        let collected = collect(head.body);
        for entry in &collected.labels.entries {
            self.names.define(&ast::Ident { name: entry.name.clone(), span: entry.span }, NameKind::Label);
        }
        self.check_labels(&collected.labels);
        let labels = collected.labels.entries.iter();
        let labels = labels.map(|entry| Label { name: entry.name.clone(), span: entry.span }).collect();
        self.labels.push(collected.labels.clone());
        let mut locals = Vec::new();
        for declaration in head.parameters {
            for declarator in &declaration.variables {
                locals.push(self.parameter(declaration, declarator));
            }
        }
        let parameters = locals.len();
        for declaration in collected.declarations {
            locals.extend(
                declaration.variables.iter().map(|declarator| self.variable(declaration, declarator)),
            );
        }
        let active = self.active(item);
        let priority = head.priority.as_ref();
        let priority = priority.map(|priority| self.constant(priority, "a priority", 1, 255) as u8);
        self.model.processes.push(Process {
            kind: head.kind,
            name: head.name(),
            active,
            parameters,
            locals,
            labels,
            priority,
            provided: None,
            body: Block::default(),
            span: head.span,
        });
        self.check_only_one(head.kind, head.span);
    }

    fn parameter(&mut self, declaration: &ast::Declaration, declarator: &ast::Declarator) -> Variable {
        let variable = self.variable(declaration, declarator);
        let arrays = |id: RecordId| self.model.records[id].fields.iter().any(|field| field.length.is_some());
        let has_array = variable.length.is_some() || matches!(variable.ty, Type::Record(id) if arrays(id));
        if has_array {
            self.error("E0309", declarator.span, "an array cannot be a parameter");
        }
        if declarator.initial.is_some() {
            self.error("E0329", declarator.span, "a parameter cannot have an initial value");
        }
        variable
    }

    fn active(&mut self, item: &Item) -> u32 {
        match item {
            Item::Init(_) => 1,
            Item::Proctype(proctype) => match &proctype.active {
                Some(ast::Active { count: Some(count), .. }) => {
                    self.constant(count, "the number of processes", 0, 255) as u32
                }
                Some(_) => 1,
                None => 0,
            },
            _ => 0,
        }
    }

    fn check_only_one(&mut self, kind: ProcessKind, span: Span) {
        let trace = |kind| matches!(kind, ProcessKind::Trace | ProcessKind::NoTrace);
        let same = |other: &&Process| other.kind == kind || (trace(other.kind) && trace(kind));
        let (_, before) =
            self.model.processes.split_last().map_or((None, &[][..]), |(last, rest)| (Some(last), rest));
        let first = before.iter().find(same).map(|process| process.span);
        let single = kind == ProcessKind::Init || trace(kind);
        if let Some(first) = first.filter(|_| single) {
            let diagnostic = Diagnostic::error("E0302", span, "a model can have only one of these");
            self.diagnostics.push(diagnostic.also(first, "the first one"));
        }
    }

    /// The second pass over a process.
    pub(super) fn resolve_process(&mut self, item: &Item, id: ProcessId) {
        let Some(head) = Head::of(item) else { return };
        self.frame = Frame { process: id, kind: Some(head.kind), ..Frame::default() };
        self.frame.scopes.push(HashMap::new());
        if let Item::Proctype(proctype) = item {
            for declarator in proctype.parameters.iter().flat_map(|declaration| &declaration.variables) {
                self.names.define(&declarator.name, NameKind::Parameter);
                self.enter_local(&declarator.name, self.frame.next_local);
                self.frame.next_local += 1;
            }
            let provided = proctype.provided.as_ref().map(|provided| self.provided(provided));
            self.model.processes[id].provided = provided;
        }
        let body = self.sequence(head.body);
        self.model.processes[id].body = body;
        self.frame = Frame::default();
    }

    fn provided(&mut self, provided: &ast::Expr) -> Expr {
        let condition = self.expression(provided);
        let wrong = |expr: &Expr| match &expr.kind {
            ExprKind::Read(place) | ExprKind::Len(place) | ExprKind::Probe(_, place) => {
                matches!(place.root, Root::Local(_))
            }
            ExprKind::Run { .. } | ExprKind::RemoteLabel { .. } | ExprKind::RemoteVariable { .. } => true,
            _ => false,
        };
        if condition.any(&mut |expr| wrong(expr)) {
            let message = "a `provided` clause may use only global variables, `_pid` and `_priority`";
            self.error("E0322", provided.span, message);
        }
        condition
    }

    pub(super) fn resolve_formula(&mut self, ltl: &ast::Ltl) {
        ltl.name.iter().for_each(|name| self.names.define_whole(name, NameKind::Property, ltl.span));
        let number = self.model.formulas.iter().filter(|property| property.name.starts_with("ltl_")).count();
        let name = ltl.name.as_ref().map_or_else(|| format!("ltl_{number}").into(), |name| name.name.clone());
        if let Some(first) = self.model.formulas.iter().find(|property| property.name == name) {
            let first = first.span;
            let span = ltl.name.as_ref().map_or(ltl.span, |name| name.span);
            self.redeclared(&ast::Ident { name: name.clone(), span }, first);
        }
        let formula = ltl.formula.clone().map(&mut |expr| {
            let value = self.expression(&expr);
            self.no_run(&value, "a formula");
            self.scalar(&value);
            value
        });
        self.model.formulas.push(Property { name, formula, text: ltl.text.clone(), span: ltl.span });
    }
}

/// What all processes have in common.
struct Head<'a> {
    kind: ProcessKind,
    ident: Option<&'a ast::Ident>,
    parameters: &'a [ast::Declaration],
    priority: &'a Option<ast::Expr>,
    body: &'a ast::Sequence,
    span: Span,
}

impl<'a> Head<'a> {
    fn of(item: &'a Item) -> Option<Head<'a>> {
        let plain =
            |kind, ident, body, span| Head { kind, ident, parameters: &[], priority: &None, body, span };
        Some(match item {
            Item::Proctype(p) => Head {
                kind: ProcessKind::Proctype,
                ident: Some(&p.name),
                parameters: &p.parameters,
                priority: &p.priority,
                body: &p.body,
                span: p.span,
            },
            Item::Init(i) => {
                Head { priority: &i.priority, ..plain(ProcessKind::Init, None, &i.body, i.span) }
            }
            Item::Never(n) => plain(ProcessKind::Never, n.name.as_ref(), &n.body, n.span),
            Item::Trace(t) if t.forbidden => plain(ProcessKind::NoTrace, None, &t.body, t.span),
            Item::Trace(t) => plain(ProcessKind::Trace, None, &t.body, t.span),
            _ => return None,
        })
    }

    fn name(&self) -> Name {
        let nameless = match self.kind {
            ProcessKind::Proctype | ProcessKind::Init => ":init:",
            ProcessKind::Never => ":never:",
            ProcessKind::Trace => ":trace:",
            ProcessKind::NoTrace => ":notrace:",
        };
        self.ident.map_or_else(|| nameless.into(), |ident| ident.name.clone())
    }
}

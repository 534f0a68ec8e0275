//! Statements: names resolved, operands checked, and each where it may stand.

use std::collections::HashMap;

use source::{Diagnostic, NameKind, Span};

use super::Checker;
use super::channels::Use;
use super::places::Access;
use crate::ast::{self, Range, Sequence, StatementKind as Ast, VarRef};
use crate::model::*;
use crate::print;

impl Checker {
    pub(super) fn sequence(&mut self, sequence: &Sequence) -> Block {
        let steps = sequence.steps.iter().map(|step| self.step(step)).collect();
        Block { steps, span: sequence.span }
    }

    /// `word` names the kind of block in messages.
    fn braces(&mut self, body: &Sequence, word: &str) -> Block {
        self.check_first_label(body, word);
        self.block(body)
    }

    /// A sequence in braces: a scope of its own.
    fn block(&mut self, body: &Sequence) -> Block {
        self.frame.next_block += 1;
        let outer = std::mem::replace(&mut self.frame.block, self.frame.next_block);
        self.frame.scopes.push(HashMap::new());
        self.frame.started = true;
        let block = self.sequence(body);
        self.frame.scopes.pop();
        self.frame.block = outer;
        block
    }

    fn step(&mut self, step: &ast::Step) -> Step {
        match step {
            ast::Step::Declaration(declaration) => self.declaration(declaration),
            ast::Step::Exclusive(exclusive) => {
                let channels =
                    exclusive.channels.iter().filter_map(|channel| self.channel_place(channel)).collect();
                Step::Exclusive { direction: exclusive.direction, channels, span: exclusive.span }
            }
            ast::Step::Statement(statement) => Step::Statement(self.statement(statement, false)),
            ast::Step::Unless { main, escape, span } => {
                self.check_unless_label(main);
                if self.labels[self.frame.process].d_step(self.frame.block).is_some() {
                    self.error("E0321", *span, "`unless` inside a d_step");
                }
                if let Some(label) = escape.labels.first() {
                    let message = format!("label `{}` stands at the start of an escape", label.name);
                    self.error("E0325", label.span, message);
                }
                let main = self.statement(main, false);
                let escape = self.statement(escape, false);
                Step::Unless { main: Box::new(main), escape: Box::new(escape), span: *span }
            }
        }
    }

    fn declaration(&mut self, declaration: &ast::Declaration) -> Step {
        let mut variables = Vec::new();
        let runs = self.frame.started;
        for declarator in &declaration.variables {
            let id = self.frame.next_local;
            self.frame.next_local += 1;
            self.names.define(&declarator.name, NameKind::Variable);
            let variable = self.locals()[id].clone();
            let initial = self.initial(declarator, &variable);
            self.check_local(&variable, &initial, declarator, runs);
            self.enter_local(&declarator.name, id);
            let process = self.frame.process;
            self.model.processes[process].locals[id].initial = initial;
            variables.push(id);
        }
        Step::Declare { variables, runs, span: declaration.span }
    }

    fn check_local(
        &mut self,
        variable: &Variable,
        initial: &Initial,
        declarator: &ast::Declarator,
        runs: bool,
    ) {
        if variable.visibility == Some(ast::Visibility::Hidden) {
            self.error(
                "E0312",
                declarator.span,
                format!("`{}` cannot be hidden: it is local", variable.name),
            );
        }
        if runs && matches!(initial, Initial::Channel(_)) {
            let message = format!("channel `{}` is made in the middle of a body", variable.name);
            let diagnostic = Diagnostic::error("E0326", declarator.span, message);
            self.diagnostics
                .push(diagnostic.help("declare it at the start of the proctype, before all statements"));
        }
    }

    /// `guards` says that the statement is the first of an option.
    fn statement(&mut self, statement: &ast::Statement, guards: bool) -> Statement {
        self.frame.started = true;
        let first = self.frame.next_label;
        self.frame.next_label += statement.labels.len();
        let labels = (first..self.frame.next_label).collect();
        self.check_claim(statement);
        let skip = StatementKind::Guard(Expr { kind: ExprKind::Number(1), span: statement.span });
        let kind = self.statement_kind(statement, guards).unwrap_or(skip);
        let text =
            if is_compound(&statement.kind) { String::new() } else { print::statement(&statement.kind) };
        Statement { labels, kind, text, span: statement.span }
    }

    /// What may stand in a never claim or a trace.
    fn check_claim(&mut self, statement: &ast::Statement) {
        let io = matches!(statement.kind, Ast::Send { .. } | Ast::Receive { .. });
        let control = is_compound(&statement.kind) || matches!(statement.kind, Ast::Goto(_) | Ast::Break);
        match self.frame.kind {
            Some(ProcessKind::Never) if io => {
                self.error("E0324", statement.span, "a never claim cannot send or receive");
            }
            Some(ProcessKind::Trace | ProcessKind::NoTrace) if !io && !control => {
                self.error("E0324", statement.span, "a trace consists of sends and receives only");
            }
            _ => {}
        }
    }

    /// Compound statements are kept apart from the others: they nest, so their stack frames must
    /// stay small.
    fn statement_kind(&mut self, statement: &ast::Statement, guards: bool) -> Option<StatementKind> {
        match &statement.kind {
            Ast::If(options) => Some(StatementKind::If(self.options(options))),
            Ast::Do(options) => Some(StatementKind::Do(self.loop_options(options))),
            Ast::Atomic(body) => Some(StatementKind::Atomic(self.braces(body, "an atomic"))),
            Ast::DStep(body) => Some(StatementKind::DStep(self.braces(body, "a d_step"))),
            Ast::Block { body, inlined } => {
                self.frame.inlines += usize::from(inlined.is_some());
                let block = self.braces(body, "a block");
                self.frame.inlines -= usize::from(inlined.is_some());
                Some(StatementKind::Block(block))
            }
            Ast::For(of) => self.for_loop(&of.index, &of.range, &of.body),
            _ => self.basic_statement(statement, guards),
        }
    }

    fn basic_statement(&mut self, statement: &ast::Statement, guards: bool) -> Option<StatementKind> {
        let span = statement.span;
        Some(match &statement.kind {
            Ast::Guard(condition) => self.guard(condition),
            Ast::Else => self.else_(span, guards),
            Ast::Assign { to, value } => self.assign(to, value)?,
            Ast::Count { variable, up } => self.count(variable, *up)?,
            Ast::Assert(condition) => StatementKind::Assert(self.pure(condition, "an assertion")),
            Ast::Printf { format, arguments } => self.printf(format, arguments),
            Ast::Printm(value) => StatementKind::Printm(self.pure(value, "printm")),
            Ast::SetPriority { process, priority } => {
                let process = Box::new(self.pure(process, "set_priority"));
                StatementKind::SetPriority {
                    process,
                    priority: Box::new(self.pure(priority, "set_priority")),
                }
            }
            Ast::Send { channel, sorted, message } => self.send(channel, *sorted, message)?,
            Ast::Receive { channel, mode, pattern } => self.receive(channel, *mode, pattern)?,
            Ast::Goto(label) => StatementKind::Goto(self.goto(label)?),
            Ast::Break => {
                self.break_(span);
                StatementKind::Break
            }
            Ast::Select(select) => self.select_statement(select)?,
            _ => return None,
        })
    }

    /// An expression that is neither a record nor starts a process.
    fn pure(&mut self, expr: &ast::Expr, place: &str) -> Expr {
        let value = self.expression(expr);
        self.scalar(&value);
        self.no_run(&value, place);
        value
    }

    fn guard(&mut self, condition: &ast::Expr) -> StatementKind {
        let condition = self.expression(condition);
        self.scalar(&condition);
        self.run_alone(&condition);
        StatementKind::Guard(condition)
    }

    /// `run` may be all of a guard or of an assigned value, and nothing less.
    fn run_alone(&mut self, expr: &Expr) {
        if !matches!(expr.kind, ExprKind::Run { .. }) {
            self.no_run(expr, "a larger expression");
        }
    }

    fn else_(&mut self, span: Span, guards: bool) -> StatementKind {
        if !guards {
            let diagnostic =
                Diagnostic::error("E0320", span, "`else` is not the first statement of an option");
            self.diagnostics.push(diagnostic.help("write `:: else -> …` in an `if` or `do`"));
        }
        StatementKind::Else
    }

    fn assign(&mut self, to: &VarRef, value: &ast::Expr) -> Option<StatementKind> {
        if to.plain().is_some_and(|name| &*name.name == "_priority") {
            let process = Box::new(Expr { kind: ExprKind::Pid, span: to.span });
            let priority = Box::new(self.pure(value, "a priority"));
            return Some(StatementKind::SetPriority { process, priority });
        }
        let place = self.scalar_place(to, Access::Write);
        let value = self.expression(value);
        self.run_alone(&value);
        let to = place?;
        if to.root != Root::Nowhere {
            self.assignable(to.ty, &value);
        }
        self.channel_changes(&to);
        Some(StatementKind::Assign { to, value })
    }

    fn count(&mut self, variable: &VarRef, up: bool) -> Option<StatementKind> {
        let place = self.scalar_place(variable, Access::Write)?;
        if place.ty == Type::Chan {
            self.error("E0313", variable.span, "channels cannot be computed with");
        }
        Some(StatementKind::Count { place, up })
    }

    fn printf(&mut self, format: &ast::Text, arguments: &[ast::Expr]) -> StatementKind {
        let wanted = format.value.replace("%%", "").matches('%').count();
        if wanted != arguments.len() {
            let message = format!("the text asks for {wanted} values, {} are given", arguments.len());
            self.warn("W0308", format.span, message);
        }
        let arguments = arguments.iter().map(|argument| self.pure(argument, "printf")).collect();
        StatementKind::Printf { format: format.value.clone(), arguments }
    }

    fn send(&mut self, channel: &VarRef, sorted: bool, message: &[ast::Expr]) -> Option<StatementKind> {
        let place = self.channel_place(channel);
        let message = self.message(message);
        let channel = place?;
        self.use_channel(&channel, Use::Send, message.len());
        Some(StatementKind::Send { channel, sorted, message })
    }

    fn receive(
        &mut self,
        channel: &VarRef,
        mode: ast::ReceiveMode,
        pattern: &[ast::Pattern],
    ) -> Option<StatementKind> {
        let place = self.channel_place(channel);
        let pattern = self.patterns(pattern);
        let channel = place?;
        self.use_channel(&channel, Use::Receive, pattern.len());
        Some(StatementKind::Receive { channel, mode, pattern })
    }

    fn options(&mut self, options: &[Sequence]) -> Vec<Block> {
        self.check_else(options);
        options.iter().map(|option| self.option(option)).collect()
    }

    fn loop_options(&mut self, options: &[Sequence]) -> Vec<Block> {
        let d_step = self.labels[self.frame.process].d_step(self.frame.block);
        self.frame.loops.push(d_step);
        let options = self.options(options);
        self.frame.loops.pop();
        options
    }

    fn option(&mut self, option: &Sequence) -> Block {
        let mut first = true;
        let mut steps = Vec::new();
        for step in &option.steps {
            steps.push(match step {
                ast::Step::Statement(statement) => {
                    Step::Statement(self.statement(statement, std::mem::take(&mut first)))
                }
                _ => {
                    first &= matches!(step, ast::Step::Exclusive(_));
                    self.step(step)
                }
            });
        }
        Block { steps, span: option.span }
    }

    /// At most one `else`, and not beside sends and receives.
    fn check_else(&mut self, options: &[Sequence]) {
        let guard = |option: &Sequence| match option.steps.first() {
            Some(ast::Step::Statement(statement)) => Some(statement.clone()),
            _ => None,
        };
        let guards: Vec<_> = options.iter().filter_map(guard).collect();
        let mut elses = guards.iter().filter(|guard| guard.kind == Ast::Else);
        let (Some(first), second) = (elses.next(), elses.next()) else { return };
        if let Some(second) = second {
            let diagnostic = Diagnostic::error("E0320", second.span, "a second `else`");
            self.diagnostics.push(diagnostic.also(first.span, "the first one"));
        }
        let io = guards.iter().find(|guard| matches!(guard.kind, Ast::Send { .. } | Ast::Receive { .. }));
        if let Some(io) = io {
            let message = "`else` beside a send or receive";
            let warning = Diagnostic::warning("W0303", first.span, message).also(io.span, "this one");
            self.diagnostics
                .push(warning.note("a rendezvous can be possible later in the same state of this process"));
        }
    }

    /// The variable that a `for` or `select` sets.
    fn index_place(&mut self, index: &VarRef) -> Option<Place> {
        let place = self.scalar_place(index, Access::Write)?;
        if place.ty == Type::Chan || place.root == Root::Nowhere {
            self.error("E0313", index.span, "the index of a loop must be a number");
            return None;
        }
        Some(place)
    }

    fn bounds(&mut self, from: &ast::Expr, to: &ast::Expr) -> (Expr, Expr) {
        let (from, to) = (self.pure(from, "a range"), self.pure(to, "a range"));
        if let (ExprKind::Number(low), ExprKind::Number(high)) = (&from.kind, &to.kind)
            && low > high
        {
            let message = format!("the range from {low} to {high} is empty");
            self.error("E0305", from.span.to(to.span), message);
        }
        (from, to)
    }

    fn for_loop(&mut self, index: &VarRef, range: &Range, body: &Sequence) -> Option<StatementKind> {
        let head = match range {
            Range::Between(from, to) => {
                let place = self.index_place(index);
                let (from, to) = self.bounds(from, to);
                place.map(|place| (place, from, to))
            }
            Range::In(over) => return self.for_in(index, over, body),
        };
        let body = self.loop_body(body);
        let (index, from, to) = head?;
        Some(StatementKind::For(Box::new(For { index, from, to, body })))
    }

    fn select_statement(&mut self, select: &ast::Select) -> Option<StatementKind> {
        let index = self.index_place(&select.index);
        let (from, to) = self.bounds(&select.from, &select.to);
        Some(StatementKind::Select(Box::new(Select { index: index?, from, to, form: select.form })))
    }

    fn loop_body(&mut self, body: &Sequence) -> Block {
        self.frame.loops.push(self.labels[self.frame.process].d_step(self.frame.block));
        let body = self.block(body);
        self.frame.loops.pop();
        body
    }

    /// `for (i in array)` or `for (message in channel)`.
    fn for_in(&mut self, index: &VarRef, over: &VarRef, body: &Sequence) -> Option<StatementKind> {
        if let Some(length) = self.array_length(over) {
            let index_place = self.index_place(index);
            let number = |value| Expr { kind: ExprKind::Number(value), span: over.span };
            let body = self.loop_body(body);
            let (from, to) = (number(0), number(length - 1));
            return Some(StatementKind::For(Box::new(For { index: index_place?, from, to, body })));
        }
        let place = self.place(over, Access::Read);
        let message = self.place(index, Access::Write);
        if let Some(place) = place.as_ref().filter(|place| place.ty != Type::Chan) {
            let message = format!("`{}` is neither an array nor a channel", print::variable(over));
            self.error("E0306", place.span, message);
        }
        let counter = self.add_counter(over.span);
        let body = self.loop_body(body);
        let (channel, message) = (place?, self.spread(message?));
        self.use_channel(&channel, Use::Receive, message.len());
        self.use_channel(&channel, Use::Send, message.len());
        Some(StatementKind::ForMessages(Box::new(ForMessages { counter, message, channel, body })))
    }

    /// The length of what a reference means, if that is an array without its index.
    fn array_length(&mut self, over: &VarRef) -> Option<i32> {
        let (last, before) = over.parts.split_last()?;
        if last.index.is_some() {
            return None;
        }
        if before.is_empty() {
            self.mentioned(&last.name);
        }
        let variable = match before {
            [] => match self.meaning(&last.name.name) {
                super::scopes::Meaning::Local(id) => self.locals().get(id).cloned(),
                super::scopes::Meaning::Global(id) => self.model.globals.get(id).cloned(),
                _ => None,
            },
            _ => {
                let owner = VarRef { parts: before.to_vec(), span: over.span };
                let Type::Record(id) = self.place(&owner, Access::Read)?.ty else { return None };
                let fields = &self.model.records[id].fields;
                let found = fields.iter().find(|field| field.name == last.name.name).cloned();
                found.iter().for_each(|field| self.names.mean(&last.name, field.span));
                found
            }
        };
        variable?.length.map(|length| length as i32)
    }

    /// A local that the user did not write, behind all others.
    fn add_counter(&mut self, span: Span) -> LocalId {
        let locals = &mut self.model.processes[self.frame.process].locals;
        let (name, ty) = ("_for_counter".into(), Type::Short);
        locals.push(Variable { name, ty, length: None, initial: Initial::Zero, visibility: None, span });
        locals.len() - 1
    }
}

fn is_compound(kind: &Ast) -> bool {
    matches!(
        kind,
        Ast::If(_)
            | Ast::Do(_)
            | Ast::Atomic(_)
            | Ast::DStep(_)
            | Ast::Block { .. }
            | Ast::For(_)
            | Ast::Select(_)
            | Ast::Error
    )
}

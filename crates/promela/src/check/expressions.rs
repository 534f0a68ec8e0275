//! Expressions: names resolved, operands checked.

use source::{Diagnostic, Span};

use super::labels::Found;
use super::places::Access;
use super::scopes::Meaning;
use super::{Checker, Symbol};
use crate::ast::{self, BinaryOp, Ident, UnaryOp, VarRef};
use crate::model::*;

impl Checker {
    /// A resolved expression. One that was reported counts as 0.
    pub(super) fn expression(&mut self, expr: &ast::Expr) -> Expr {
        let kind = self.expression_kind(expr).unwrap_or(ExprKind::Number(0));
        Expr { kind, span: expr.span }
    }

    fn boxed(&mut self, expr: &ast::Expr) -> Box<Expr> {
        let value = self.expression(expr);
        self.scalar(&value);
        Box::new(value)
    }

    fn expression_kind(&mut self, expr: &ast::Expr) -> Option<ExprKind> {
        use ast::ExprKind as Ast;
        Some(match &expr.kind {
            Ast::Number(value) => ExprKind::Number(*value),
            Ast::Bool(value) => ExprKind::Number((*value).into()),
            Ast::Skip => ExprKind::Number(1),
            Ast::Variable(variable) => self.named(variable)?,
            Ast::Unary(operator, a) => self.unary(*operator, a),
            Ast::Binary(operator, a, b) => self.binary(*operator, a, b),
            Ast::Conditional(a, b, c) => ExprKind::Conditional(self.boxed(a), self.boxed(b), self.boxed(c)),
            Ast::Run { proctype, arguments, priority } => {
                self.run(expr.span, proctype, arguments, priority.as_deref())?
            }
            Ast::Len(channel) => ExprKind::Len(Box::new(self.channel_place(channel)?)),
            Ast::Probe(probe, channel) => ExprKind::Probe(*probe, Box::new(self.channel_place(channel)?)),
            Ast::Poll { channel, random, pattern } => self.poll(channel, *random, pattern)?,
            Ast::Timeout => ExprKind::Timeout,
            Ast::NonProgress => self.non_progress(expr.span),
            Ast::Enabled(a) => ExprKind::Enabled(self.boxed(a)),
            Ast::PcValue(a) => ExprKind::PcValue(self.boxed(a)),
            Ast::GetPriority(a) => ExprKind::GetPriority(self.boxed(a)),
            Ast::RemoteLabel { proctype, process, label } => {
                self.remote_label(proctype, process.as_deref(), label)?
            }
            Ast::RemoteVariable { proctype, process, variable } => {
                self.remote_variable(proctype, process.as_deref(), variable)?
            }
            Ast::Error => return None,
        })
    }

    /// A variable, an mtype constant or a predefined name.
    fn named(&mut self, variable: &VarRef) -> Option<ExprKind> {
        if let Some(name) = variable.plain() {
            self.mentioned(name);
            match (self.meaning(&name.name), &*name.name) {
                (Meaning::Mtype { set, value }, _) => return Some(ExprKind::Mtype { set, value }),
                (Meaning::Unknown, "_pid") => return Some(self.own(name, ExprKind::Pid)),
                (Meaning::Unknown, "_nr_pr") => return Some(ExprKind::ProcessCount),
                (Meaning::Unknown, "_last") => return Some(ExprKind::Last),
                (Meaning::Unknown, "_priority") => return Some(self.own(name, ExprKind::Priority)),
                _ => {}
            }
        }
        Some(ExprKind::Read(Box::new(self.place(variable, Access::Read)?)))
    }

    /// What only a process has.
    fn own(&mut self, name: &Ident, kind: ExprKind) -> ExprKind {
        if !matches!(self.frame.kind, Some(ProcessKind::Proctype | ProcessKind::Init)) {
            let message = format!("`{}` is of the process that reads it; here is none", name.name);
            let help = "write the number, or a global variable that the process sets";
            self.diagnostics.push(Diagnostic::error("E0330", name.span, message).help(help));
        }
        kind
    }

    fn unary(&mut self, operator: UnaryOp, a: &ast::Expr) -> ExprKind {
        if let ast::ExprKind::Probe(probe, _) = &a.kind {
            self.negated_probe(*probe, a.span);
        }
        let a = self.boxed(a);
        self.no_channel(&a);
        ExprKind::Unary(operator, a)
    }

    fn negated_probe(&mut self, probe: ast::Probe, span: Span) {
        let (word, opposite) = match probe {
            ast::Probe::Full => ("full", "nfull"),
            ast::Probe::NotFull => ("nfull", "full"),
            ast::Probe::Empty => ("empty", "nempty"),
            ast::Probe::NotEmpty => ("nempty", "empty"),
        };
        let diagnostic =
            Diagnostic::error("E0214", span, format!("`{word}` cannot be negated or computed with"));
        self.diagnostics.push(diagnostic.help(format!("write `{opposite}` for the opposite")));
    }

    fn binary(&mut self, operator: BinaryOp, a: &ast::Expr, b: &ast::Expr) -> ExprKind {
        let logical = matches!(operator, BinaryOp::And | BinaryOp::Or);
        for side in [a, b] {
            if let (ast::ExprKind::Probe(probe, _), false) = (&side.kind, logical) {
                self.negated_probe(*probe, side.span);
            }
        }
        let (a, b) = (self.boxed(a), self.boxed(b));
        if !matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual) {
            self.no_channel(&a);
            self.no_channel(&b);
        } else {
            self.same_mtype(&a, &b);
        }
        ExprKind::Binary(operator, a, b)
    }

    /// Constants of different mtype sets are never meant to be compared.
    fn same_mtype(&mut self, a: &Expr, b: &Expr) {
        let (Some(Type::Mtype(left)), Some(Type::Mtype(right))) = (type_of(a), type_of(b)) else { return };
        if left != right {
            let message = format!("compares {} with {}", self.mtype_name(left), self.mtype_name(right));
            self.warn("W0306", a.span.to(b.span), message);
        }
    }

    pub(super) fn mtype_name(&self, set: MtypeSetId) -> String {
        match self.model.mtypes.get(set).and_then(|set| set.name.as_ref()) {
            Some(name) => format!("`mtype:{name}`"),
            None => "`mtype`".to_string(),
        }
    }

    fn no_channel(&mut self, expr: &Expr) {
        if type_of(expr) == Some(Type::Chan) {
            self.error("E0313", expr.span, "channels cannot be computed with");
        }
    }

    /// An expression that must not be a whole record.
    pub(super) fn scalar(&mut self, expr: &Expr) {
        if let Some(Type::Record(_)) = type_of(expr) {
            self.error("E0310", expr.span, "this is a record: name one of its fields");
        }
    }

    pub(super) fn no_run(&mut self, expr: &Expr, place: &str) {
        let mut found = None;
        expr.any(&mut |expr| {
            if let ExprKind::Run { .. } = expr.kind {
                found = Some(expr.span);
            }
            false
        });
        if let Some(span) = found {
            let diagnostic = Diagnostic::error("E0315", span, format!("`run` cannot be part of {place}"));
            self.diagnostics.push(diagnostic.help("make it a statement of its own: `x = run P()`"));
        }
    }

    fn non_progress(&mut self, span: Span) -> ExprKind {
        if !matches!(self.frame.kind, None | Some(ProcessKind::Never)) {
            self.error("E0323", span, "`np_` can be used only in a never claim");
        }
        ExprKind::NonProgress
    }

    pub(super) fn process(&mut self, name: &Ident) -> Option<ProcessId> {
        match self.globals.get(&name.name) {
            Some((Symbol::Process(id), defined)) => {
                self.names.mean(name, *defined);
                Some(*id)
            }
            _ => {
                let message = format!("no proctype named `{}`", name.name);
                let diagnostic = Diagnostic::error("E0316", name.span, message).label("not declared");
                let processes = self.global_names(|symbol| matches!(symbol, Symbol::Process(_)));
                let diagnostic = diagnostic.meant(&name.name, processes);
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    fn run(
        &mut self,
        span: Span,
        proctype: &Ident,
        arguments: &[ast::Expr],
        priority: Option<&ast::Expr>,
    ) -> Option<ExprKind> {
        match self.frame.kind {
            Some(ProcessKind::Proctype | ProcessKind::Init) => {}
            _ => self.error("E0315", span, "`run` outside of a proctype"),
        }
        let in_d_step =
            self.labels.get(self.frame.process).is_some_and(|l| l.d_step(self.frame.block).is_some());
        if in_d_step {
            let diagnostic = Diagnostic::error("E0315", span, "`run` inside a d_step");
            self.diagnostics.push(diagnostic.help("use `atomic` instead of `d_step`"));
        }
        let arguments = self.message(arguments);
        let priority = priority.map(|priority| self.boxed(priority));
        let process = self.process(proctype)?;
        self.check_arguments(span, process, &arguments);
        Some(ExprKind::Run { process, arguments, priority })
    }

    fn check_arguments(&mut self, span: Span, process: ProcessId, arguments: &[Expr]) {
        let callee = &self.model.processes[process];
        let mut wanted = Vec::new();
        for parameter in &callee.locals[..callee.parameters] {
            self.spread_type(parameter.ty, 1, &mut wanted);
        }
        if wanted.len() != arguments.len() {
            let message =
                format!("`{}` takes {} arguments, not {}", callee.name, wanted.len(), arguments.len());
            let diagnostic = Diagnostic::error("E0317", span, message).also(callee.span, "declared here");
            self.diagnostics.push(diagnostic);
            return;
        }
        for (ty, argument) in wanted.into_iter().zip(arguments) {
            self.assignable(ty, argument);
        }
    }

    /// The values of a message or of arguments, records spread out.
    pub(super) fn message(&mut self, values: &[ast::Expr]) -> Vec<Expr> {
        let mut message = Vec::new();
        for value in values {
            let value = self.expression(value);
            self.no_run(&value, "a message or an argument");
            match value.kind {
                ExprKind::Read(place) if matches!(place.ty, Type::Record(_)) => {
                    let span = value.span;
                    let read = |place| Expr { kind: ExprKind::Read(Box::new(place)), span };
                    message.extend(self.spread(*place).into_iter().map(read));
                }
                _ => message.push(value),
            }
        }
        message
    }

    /// May a value be stored in a variable of this type? Channels and mtypes are checked, numbers
    /// are cut to fit.
    pub(super) fn assignable(&mut self, ty: Type, value: &Expr) {
        let channels = (ty == Type::Chan, type_of(value) == Some(Type::Chan));
        match (ty, &value.kind) {
            // 0 refers to no channel.
            (Type::Chan, ExprKind::Number(0)) => {}
            (Type::Chan, _) if channels == (true, false) => {
                self.error("E0313", value.span, "this is not a channel");
            }
            (Type::Mtype(set), ExprKind::Mtype { set: other, .. }) if set != *other => {
                let message = format!(
                    "expected a constant of {}, this one is of {}",
                    self.mtype_name(set),
                    self.mtype_name(*other)
                );
                self.error("E0314", value.span, message);
            }
            _ => {
                self.fits(ty, value);
                self.scalar(value);
            }
        }
    }

    /// Warns of a number that is written and does not fit.
    fn fits(&mut self, ty: Type, value: &Expr) {
        let number = match &value.kind {
            ExprKind::Number(number) => i64::from(*number),
            ExprKind::Unary(UnaryOp::Negate, inner) => match inner.kind {
                ExprKind::Number(number) => -i64::from(number),
                _ => return,
            },
            _ => return,
        };
        let (name, least, most) = match ty {
            Type::Bit => ("bit", 0, 1),
            Type::Bool => ("bool", 0, 1),
            Type::Byte => ("byte", 0, 255),
            Type::Pid => ("pid", 0, 255),
            Type::Short => ("short", -32_768, 32_767),
            Type::Unsigned(bits) => ("unsigned variable of this width", 0, (1 << bits) - 1),
            _ => return,
        };
        if (least..=most).contains(&number) {
            return;
        }
        let message = format!("{number} does not fit in a {name}");
        let warning = Diagnostic::warning("W0309", value.span, message);
        let warning = warning.label(format!("only {least} to {most} do; the number is cut"));
        self.diagnostics.push(warning.help("declare it as `int`, or write a number that fits"));
    }

    fn poll(&mut self, channel: &VarRef, random: bool, pattern: &[ast::Pattern]) -> Option<ExprKind> {
        let place = self.channel_place(channel);
        let pattern = self.patterns(pattern);
        let channel = Box::new(place?);
        self.use_channel(&channel, super::channels::Use::Poll, pattern.len());
        Some(ExprKind::Poll { channel, random, pattern })
    }

    pub(super) fn patterns(&mut self, patterns: &[ast::Pattern]) -> Vec<Pattern> {
        let mut resolved = Vec::new();
        for pattern in patterns {
            match pattern {
                ast::Pattern::Variable(variable) => self.pattern_variable(variable, &mut resolved),
                ast::Pattern::Constant(value) => resolved.push(Pattern::Match(self.expression(value))),
                ast::Pattern::Eval { value, .. } => {
                    let value = self.expression(value);
                    self.no_run(&value, "a pattern");
                    self.scalar(&value);
                    resolved.push(Pattern::Match(value));
                }
            }
        }
        resolved
    }

    fn pattern_variable(&mut self, variable: &VarRef, resolved: &mut Vec<Pattern>) {
        if let Some(name) = variable.plain()
            && let Meaning::Mtype { set, value } = self.meaning(&name.name)
        {
            self.uses(name);
            resolved.push(Pattern::Match(Expr { kind: ExprKind::Mtype { set, value }, span: variable.span }));
            return;
        }
        let Some(place) = self.place(variable, Access::Write) else {
            resolved.push(Pattern::Ignore);
            return;
        };
        if place.root == Root::Nowhere {
            resolved.push(Pattern::Ignore);
            return;
        }
        let scalars = self.spread(place);
        scalars.iter().for_each(|scalar| self.channel_changes(scalar));
        resolved.extend(scalars.into_iter().map(Pattern::Store));
    }

    fn remote_label(
        &mut self,
        proctype: &Ident,
        number: Option<&ast::Expr>,
        label: &Ident,
    ) -> Option<ExprKind> {
        let number = number.map(|number| self.boxed(number));
        let process = self.process(proctype)?;
        let label = match self.labels[process].find(&label.name, 0) {
            Found::One(at) => {
                self.names.mean(label, self.labels[process].entries[at].span);
                at
            }
            Found::Several(one, _) => {
                let first = self.model.processes[process].labels[one].span;
                let message =
                    format!("`{}` has several labels `{}` in inner blocks", proctype.name, label.name);
                self.diagnostics
                    .push(Diagnostic::error("E0318", label.span, message).also(first, "one of them"));
                return None;
            }
            Found::None => {
                let message = format!("`{}` has no label `{}`", proctype.name, label.name);
                self.error("E0318", label.span, message);
                return None;
            }
        };
        Some(ExprKind::RemoteLabel { process, number, label })
    }

    fn remote_variable(
        &mut self,
        proctype: &Ident,
        number: Option<&ast::Expr>,
        variable: &VarRef,
    ) -> Option<ExprKind> {
        let number = number.map(|number| self.boxed(number));
        let process = self.process(proctype)?;
        let name = &variable.parts[0].name;
        let locals = &self.model.processes[process].locals;
        let Some(id) = locals.iter().position(|local| local.name == name.name) else {
            let message = format!("`{}` has no variable `{}`", proctype.name, name.name);
            self.error("E0301", name.span, message);
            return None;
        };
        let local = locals[id].clone();
        self.names.mean(name, local.span);
        let place = Box::new(self.select(variable, Root::Local(id), local)?);
        Some(ExprKind::RemoteVariable { process, number, place })
    }
}

/// The type of a value, as far as it is more than a number.
pub(super) fn type_of(expr: &Expr) -> Option<Type> {
    match &expr.kind {
        ExprKind::Read(place) | ExprKind::RemoteVariable { place, .. } => Some(place.ty),
        ExprKind::Mtype { set, .. } => Some(Type::Mtype(*set)),
        ExprKind::Conditional(_, a, b) => type_of(a).filter(|ty| type_of(b) == Some(*ty)),
        _ => None,
    }
}

//! The body of a process to control flow.

use super::expr::{Scope, binary};
use super::flow::{Action, El, Flow, Node, Seq, Target};
use crate::ast::{BinaryOp, Direction, SelectForm};
use crate::model::{
    Block, Expr as ModelExpr, ExprKind, For, ForMessages, Place as ModelPlace, Process, Select, Statement,
    StatementKind, Step,
};
use logic::Term;
use source::Span;
use system::{Expr, Operation, Pattern, Place, ReceiveMode};

/// Writes the flow of one process.
pub(crate) struct Body<'a> {
    pub(crate) scope: Scope<'a>,
    pub(crate) process: &'a Process,
    pub(crate) flow: Flow,
    /// The loops around the statement at work, innermost last.
    loops: Vec<usize>,
    /// Exclusive-use claims: channel, whether it is about sending, where.
    pub(crate) exclusive: Vec<(Expr, bool, Span)>,
}

/// What a loop does again and again: an option that begins with its condition, then the body of a
/// `for`; then the index grows.
struct Round<'a> {
    option: Seq,
    index: Option<Place>,
    body: Option<&'a Block>,
}

impl<'a> Body<'a> {
    pub(crate) fn new(scope: Scope<'a>, process: &'a Process) -> Self {
        let flow = Flow::new(process.labels.len());
        Body { scope, process, flow, loops: Vec::new(), exclusive: Vec::new() }
    }

    /// The whole body, its end included.
    pub(crate) fn whole(&mut self) -> Seq {
        let seq = self.block(&self.process.body);
        let span = end_of(self.process.body.span);
        self.flow.put(seq, Node::End(Action::command(vec![Operation::Stop], "-end-", span)), span);
        self.flow.close(seq);
        seq
    }

    fn block(&mut self, block: &Block) -> Seq {
        let seq = self.flow.open();
        for step in &block.steps {
            self.step(seq, step);
        }
        self.flow.close(seq);
        seq
    }

    fn step(&mut self, seq: Seq, step: &Step) {
        match step {
            Step::Declare { runs: false, .. } => {}
            Step::Declare { variables, runs: true, span } => {
                for local in variables {
                    self.declare(seq, *local, *span);
                }
            }
            Step::Exclusive { direction, channels, span } => {
                let sends = *direction == Direction::Send;
                let claims = channels.iter().map(|c| (self.scope.channel(c), sends, *span));
                self.exclusive.extend(claims);
            }
            Step::Statement(statement) => {
                self.statement(seq, statement);
            }
            Step::Unless { main, escape, span } => {
                self.unless(seq, main, escape, *span);
            }
        }
    }

    /// A declaration that runs: its (first) element gets the initial value, or zero; a record gets
    /// nothing.
    fn declare(&mut self, seq: Seq, local: usize, span: Span) {
        let variable = &self.process.locals[local];
        let value = match &variable.initial {
            crate::model::Initial::Value(expr) => self.scope.expr(expr),
            _ => Term::FALSE,
        };
        let mut target = Place::local(self.scope.locals[self.scope.process.unwrap_or(0)][local]);
        if variable.length.is_some() {
            target.path.push(system::Access::Field(0));
        }
        let scalar = !matches!(variable.ty, crate::model::Type::Record(_));
        let command = if scalar { vec![Operation::Assign { target, value }] } else { Vec::new() };
        self.add(seq, Action::command(command, &format!("declare {}", variable.name), span));
    }

    fn add(&mut self, seq: Seq, action: Action) {
        let span = action.span;
        self.flow.put(seq, Node::Action(action), span);
    }

    /// Appends a statement with its labels.
    fn statement(&mut self, seq: Seq, statement: &Statement) {
        let labels = statement.labels.clone();
        if let StatementKind::Goto(_) | StatementKind::Break = statement.kind {
            return self.jump(seq, statement, &labels);
        }
        let el = self.compound_or_simple(seq, statement);
        self.label(&labels, el);
    }

    fn label(&mut self, labels: &[usize], el: El) {
        for label in labels {
            self.flow.labels[*label] = Some(el);
        }
    }

    /// A jump is no place to stay: a label with a meaning in front of one gets a skip to stand at.
    fn jump(&mut self, seq: Seq, statement: &Statement, labels: &[usize]) {
        let meaningful = |label: &usize| {
            let name = &self.process.labels[*label].name;
            ["end", "progress", "accept"].iter().any(|prefix| name.starts_with(prefix))
        };
        if labels.iter().any(meaningful) {
            let skip = Node::Skip(Action::test(Term::TRUE, "skip", statement.span));
            let el = self.flow.put(seq, skip, statement.span);
            self.label(labels, el);
        }
        let to = match &statement.kind {
            StatementKind::Goto(label) => Target::Label(*label),
            _ => Target::Loop(self.loops.last().copied().unwrap_or(0)),
        };
        let el = self.goto(seq, to, &statement.text, statement.span);
        if !labels.iter().any(meaningful) {
            self.label(labels, el);
        }
    }

    fn goto(&mut self, seq: Seq, to: Target, text: &str, span: Span) -> El {
        self.flow.put(seq, Node::Goto { to, text: text.to_string(), span }, span)
    }

    fn compound_or_simple(&mut self, seq: Seq, statement: &Statement) -> El {
        let span = statement.span;
        match &statement.kind {
            StatementKind::If(options) => {
                let options = self.options(options);
                self.flow.choice(seq, options, None, span)
            }
            StatementKind::Do(options) => {
                let number = self.enter_loop();
                let options = self.options(options);
                self.loops.pop();
                self.flow.choice(seq, options, Some(number), span)
            }
            StatementKind::Atomic(block) => self.enclosed(seq, block, Node::Atomic, span),
            StatementKind::DStep(block) => self.enclosed(seq, block, Node::Step, span),
            StatementKind::Block(block) => self.enclosed(seq, block, Node::Block, span),
            StatementKind::For(range) => self.for_range(seq, range, span),
            StatementKind::ForMessages(messages) => self.for_messages(seq, messages, span),
            StatementKind::Select(select) => self.select(seq, select, span),
            StatementKind::Else => self.flow.put(seq, Node::Else(span), span),
            _ => self.simple(seq, statement),
        }
    }

    fn options(&mut self, blocks: &[Block]) -> Vec<Seq> {
        let sequences: Vec<Seq> = blocks.iter().map(|block| self.block(block)).collect();
        for seq in &sequences {
            self.flow.drop_redundant_skips(*seq);
        }
        sequences
    }

    fn enter_loop(&mut self) -> usize {
        self.flow.exits.push(None);
        let number = self.flow.exits.len() - 1;
        self.loops.push(number);
        number
    }

    fn enclosed(&mut self, seq: Seq, block: &Block, node: fn(Seq) -> Node, span: Span) -> El {
        let inner = self.block(block);
        match node(inner) {
            Node::Atomic(_) => self.flow.make_atomic(inner, false),
            Node::Step(_) => self.flow.make_atomic(inner, true),
            _ => {}
        }
        self.flow.put(seq, node(inner), span)
    }

    fn unless(&mut self, seq: Seq, main: &Statement, escape: &Statement, span: Span) -> El {
        // The numbers of elements matter for escapes: SPIN has made a block by then, but makes
        // other statements now, the escape before the main part.
        let (main_seq, escape_seq);
        if let StatementKind::Block(_) = main.kind {
            main_seq = self.part(main);
            escape_seq = self.part(escape);
        } else {
            escape_seq = self.part(escape);
            main_seq = self.part(main);
        }
        if !main.labels.is_empty()
            && let StatementKind::Block(_) | StatementKind::Atomic(_) | StatementKind::DStep(_) = main.kind
        {
            return self.lifted_unless(seq, main, (main_seq, escape_seq), span);
        }
        self.flow.unless(seq, main_seq, escape_seq, span)
    }

    /// One side of an `unless` as a sequence of its own; a plain block is that already.
    fn part(&mut self, statement: &Statement) -> Seq {
        match &statement.kind {
            StatementKind::Block(block) => self.block(block),
            StatementKind::Atomic(block) if !statement.labels.is_empty() => self.marked(block, false),
            StatementKind::DStep(block) if !statement.labels.is_empty() => self.marked(block, true),
            _ => {
                let seq = self.flow.open();
                self.statement(seq, statement);
                self.flow.close(seq);
                seq
            }
        }
    }

    fn marked(&mut self, block: &Block, step: bool) -> Seq {
        let seq = self.block(block);
        self.flow.make_atomic(seq, step);
        seq
    }

    /// `label: { … } unless …`: the label is lifted to a block around the whole.
    fn lifted_unless(&mut self, seq: Seq, main: &Statement, sides: (Seq, Seq), span: Span) -> El {
        let inner = self.flow.open();
        self.flow.unless(inner, sides.0, sides.1, span);
        self.flow.close(inner);
        let node = match main.kind {
            StatementKind::Atomic(_) => Node::Atomic(inner),
            StatementKind::DStep(_) => Node::Step(inner),
            _ => Node::Block(inner),
        };
        let el = self.flow.put(seq, node, span);
        self.label(&main.labels, el);
        el
    }

    /// `i = from; do :: i <= to -> body; i = i + 1 :: else -> break od`.
    fn for_range(&mut self, seq: Seq, range: &For, span: Span) -> El {
        let For { index, from, to, body } = range;
        let (from, to) = (self.scope.expr(from), self.scope.expr(to));
        let place = self.scope.place(index);
        self.add(seq, Action::command(assign(&place, from), "for: start", span));
        let option = self.flow.open();
        self.add(option, Action::test(binary(BinaryOp::LessEqual, read(&place), to), "for: again", span));
        self.loop_over(seq, Round { option, index: place, body: Some(body) }, span)
    }

    /// Each message is taken out, put back at the end, and worked on.
    fn for_messages(&mut self, seq: Seq, messages: &ForMessages, span: Span) -> El {
        let ForMessages { counter, message, channel, body } = messages;
        let counter = Place::local(self.scope.locals[self.scope.process.unwrap_or(0)][*counter]);
        let channel = self.scope.channel(channel);
        let places: Vec<Place> = message.iter().filter_map(|p| self.scope.place(p)).collect();
        let index = Some(counter);
        self.add(seq, Action::command(assign(&index, Term::FALSE), "for: start", span));
        let length = Term::Atom(system::Read::Length(Box::new(channel.clone())));
        let option = self.flow.open();
        self.add(option, Action::test(binary(BinaryOp::Less, read(&index), length), "for: again", span));
        let receive = Operation::Receive {
            channel: channel.clone(),
            patterns: places.iter().cloned().map(Pattern::Bind).collect(),
            mode: ReceiveMode { anywhere: false, copy: false },
        };
        self.add(option, Action::command(vec![receive], "for: take a message", span));
        let message = places.into_iter().map(Place::read).collect();
        let send = Operation::Send { channel, message, sorted: false };
        self.add(option, Action::command(vec![send], "for: put it back", span));
        self.loop_over(seq, Round { option, index, body: Some(body) }, span)
    }

    /// Ends the option of a `for` or `select` and makes the loop.
    fn loop_over(&mut self, seq: Seq, round: Round<'_>, span: Span) -> El {
        let Round { option, index, body } = round;
        let number = self.enter_loop();
        for step in body.iter().flat_map(|body| &body.steps) {
            self.step(option, step);
        }
        let more = binary(BinaryOp::Add, read(&index), Term::TRUE);
        self.add(option, Action::command(assign(&index, more), "for: next", span));
        self.flow.close(option);
        let leave = self.flow.open();
        if body.is_some() {
            self.flow.put(leave, Node::Else(span), span);
        }
        self.goto(leave, Target::Loop(number), "break", span);
        self.flow.close(leave);
        self.loops.pop();
        self.flow.choice(seq, vec![leave, option], Some(number), span)
    }

    /// `i = from; do :: i < to -> i = i + 1 :: break od`, or a choice of all values.
    fn select(&mut self, seq: Seq, select: &Select, span: Span) -> El {
        let Select { index, from, to, form } = select;
        let place = self.scope.place(index);
        if let (SelectForm::Choice, ExprKind::Number(low), ExprKind::Number(high)) =
            (*form, &from.kind, &to.kind)
        {
            let options = (*low..=*high).map(|value| {
                let option = self.flow.open();
                let value = assign(&place, Term::Constant(value.into()));
                self.add(option, Action::command(value, "select", span));
                self.flow.close(option);
                option
            });
            let options = options.collect();
            return self.flow.choice(seq, options, None, span);
        }
        let (from, to) = (self.scope.expr(from), self.scope.expr(to));
        self.add(seq, Action::command(assign(&place, from), "select: start", span));
        let option = self.flow.open();
        self.add(option, Action::test(binary(BinaryOp::Less, read(&place), to), "select: again", span));
        self.loop_over(seq, Round { option, index: place, body: None }, span)
    }

    /// A basic statement.
    fn simple(&mut self, seq: Seq, statement: &Statement) -> El {
        let span = statement.span;
        let (guard, command) = self.action(&statement.kind);
        let action = Action { guard, command, text: statement.text.clone(), span };
        let node = match &statement.kind {
            StatementKind::Guard(ModelExpr { kind: ExprKind::Number(1), .. }) => Node::Skip(action),
            StatementKind::Guard(ModelExpr { kind: ExprKind::Number(0), .. }) => Node::Never(action),
            _ => Node::Action(action),
        };
        self.flow.put(seq, node, span)
    }

    fn action(&self, kind: &StatementKind) -> (Expr, Vec<Operation>) {
        let scope = &self.scope;
        let assign = |to: &ModelPlace, value: Expr| assign(&scope.place(to), value);
        let command = match kind {
            StatementKind::Guard(expr) => match &expr.kind {
                ExprKind::Run { .. } => vec![self.start(expr, None)],
                _ => return (scope.expr(expr), Vec::new()),
            },
            StatementKind::Assign { to, value } => match &value.kind {
                ExprKind::Run { .. } => vec![self.start(value, scope.place(to))],
                _ => assign(to, scope.expr(value)),
            },
            StatementKind::Count { place, up } => {
                let op = if *up { BinaryOp::Add } else { BinaryOp::Subtract };
                assign(place, binary(op, scope.channel(place), Term::TRUE))
            }
            StatementKind::Assert(expr) => vec![Operation::Assert { condition: scope.expr(expr) }],
            StatementKind::Printf { format, arguments } => {
                let sets: Vec<_> = arguments.iter().map(super::format::names_of).collect();
                let arguments = arguments.iter().map(|a| scope.expr(a)).collect();
                let format = super::format::lower(format, sets.into_iter());
                vec![Operation::Print { format, arguments }]
            }
            StatementKind::Printm(expr) => {
                let format = format!("%{}e\n", super::format::names_of(expr));
                vec![Operation::Print { format, arguments: vec![scope.expr(expr)] }]
            }
            StatementKind::SetPriority { process, priority } => {
                vec![Operation::SetPriority { process: scope.expr(process), priority: scope.expr(priority) }]
            }
            StatementKind::Send { channel, sorted, message } => vec![Operation::Send {
                channel: scope.channel(channel),
                message: message.iter().map(|m| scope.expr(m)).collect(),
                sorted: *sorted,
            }],
            StatementKind::Receive { channel, mode, pattern } => vec![Operation::Receive {
                channel: scope.channel(channel),
                patterns: scope.patterns(pattern),
                mode: ReceiveMode { anywhere: mode.random, copy: mode.keep },
            }],
            _ => Vec::new(),
        };
        (Term::TRUE, command)
    }

    fn start(&self, expr: &ModelExpr, result: Option<Place>) -> Operation {
        let ExprKind::Run { process, arguments, priority } = &expr.kind else { return Operation::Stop };
        Operation::Start {
            process_type: self.scope.process_types[*process].unwrap_or(0),
            arguments: arguments.iter().map(|a| self.scope.expr(a)).collect(),
            priority: priority.as_ref().map(|p| self.scope.expr(p)),
            result,
        }
    }
}

/// The assignment to a variable, if it is one.
fn assign(to: &Option<Place>, value: Expr) -> Vec<Operation> {
    to.iter().cloned().map(|target| Operation::Assign { target, value: value.clone() }).collect()
}

fn read(place: &Option<Place>) -> Expr {
    place.clone().map_or(Term::FALSE, Place::read)
}

fn end_of(span: Span) -> Span {
    Span { start: span.end.saturating_sub(1).max(span.start), ..span }
}

//! The syntax tree of Promela, after the grammar of SPIN 6.5.2 (spin.y), with a span on every node.
//!
//! Macros and inlines are gone: an inline call is the block it stands for. Everything else is as
//! the user wrote it: names are not resolved, constants not computed, `for` and `select` not taken
//! apart. Embedded C has no nodes.

use logic::ltl;
pub use logic::{Binary as BinaryOp, Unary as UnaryOp};
use source::Span;

pub use source::{Ident, Name};

/// A whole model.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Program {
    pub items: Vec<Item>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    Declaration(Declaration),
    Mtype(MtypeDeclaration),
    Typedef(Typedef),
    Proctype(Box<Proctype>),
    Init(Init),
    Never(Never),
    Trace(Trace),
    Ltl(Ltl),
}

/// `mtype = { … }` or `mtype:set = { … }`.
#[derive(Clone, PartialEq, Debug)]
pub struct MtypeDeclaration {
    pub set: Option<Ident>,
    pub names: Vec<Ident>,
    pub span: Span,
}

/// `typedef name { fields }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Typedef {
    pub name: Ident,
    pub fields: Vec<Declaration>,
    pub span: Span,
}

/// `active [2] proctype name (parameters) priority 3 provided (enabler) { body }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Proctype {
    pub active: Option<Active>,
    /// `D_proctype`, the old word for a deterministic one.
    pub deterministic: bool,
    pub name: Ident,
    pub parameters: Vec<Declaration>,
    pub priority: Option<Expr>,
    pub provided: Option<Expr>,
    pub body: Sequence,
    /// The header.
    pub span: Span,
}

/// `active` or `active [count]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Active {
    pub count: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Init {
    pub priority: Option<Expr>,
    pub body: Sequence,
    pub span: Span,
}

/// `never name { body }`; the name is optional.
#[derive(Clone, PartialEq, Debug)]
pub struct Never {
    pub name: Option<Ident>,
    pub body: Sequence,
    pub span: Span,
}

/// `trace { body }` or `notrace { body }`.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    pub forbidden: bool,
    pub body: Sequence,
    pub span: Span,
}

/// `ltl name { formula }`; the name is optional.
#[derive(Clone, PartialEq, Debug)]
pub struct Ltl {
    pub name: Option<Ident>,
    pub formula: ltl::Formula<Expr>,
    /// The formula as text, macros expanded.
    pub text: String,
    pub span: Span,
}

/// One declaration of one or more variables.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    pub visibility: Option<Visibility>,
    pub ty: Type,
    pub variables: Vec<Declarator>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    Hidden,
    Show,
    Local,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    /// `mtype` or `mtype:set`.
    Mtype(Option<Ident>),
    Chan,
    /// The name of a typedef.
    Record(Name),
}

/// `name : width`, `name [length]`, `name = initial`.
#[derive(Clone, PartialEq, Debug)]
pub struct Declarator {
    pub name: Ident,
    pub width: Option<Expr>,
    pub length: Option<Expr>,
    pub initial: Option<Initial>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Initial {
    Value(Expr),
    /// `{ 1, 2, 3 }`
    List(Vec<Expr>),
    /// `[capacity] of { fields }`
    Channel {
        capacity: Expr,
        fields: Vec<Type>,
        span: Span,
    },
}

/// A sequence of steps in braces or in an option of `if` or `do`.
#[derive(Clone, PartialEq, Debug)]
pub struct Sequence {
    pub steps: Vec<Step>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Declaration(Declaration),
    /// `xr a, b` or `xs a, b`.
    Exclusive(Exclusive),
    Statement(Statement),
    /// `main unless escape`.
    Unless {
        main: Box<Statement>,
        escape: Box<Statement>,
        span: Span,
    },
}

impl Step {
    pub fn span(&self) -> Span {
        match self {
            Step::Declaration(declaration) => declaration.span,
            Step::Exclusive(exclusive) => exclusive.span,
            Step::Statement(statement) => statement.span,
            Step::Unless { span, .. } => *span,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Exclusive {
    pub direction: Direction,
    pub channels: Vec<VarRef>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Receive,
    Send,
}

/// A statement with the labels before it.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    pub labels: Vec<Ident>,
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// An expression that must be true to go on.
    Guard(Expr),
    Else,
    Assign {
        to: VarRef,
        value: Expr,
    },
    /// `x++` or `x--`.
    Count {
        variable: VarRef,
        up: bool,
    },
    Assert(Expr),
    Printf {
        format: Text,
        arguments: Vec<Expr>,
    },
    /// `printm(x)`
    Printm(Expr),
    SetPriority {
        process: Box<Expr>,
        priority: Box<Expr>,
    },
    Send {
        channel: VarRef,
        sorted: bool,
        message: Vec<Expr>,
    },
    Receive {
        channel: VarRef,
        mode: ReceiveMode,
        pattern: Vec<Pattern>,
    },
    Goto(Ident),
    Break,
    If(Vec<Sequence>),
    Do(Vec<Sequence>),
    Atomic(Sequence),
    DStep(Sequence),
    /// Plain braces, or what an inline call stands for.
    Block {
        body: Sequence,
        inlined: Option<Inlined>,
    },
    For(Box<For>),
    Select(Box<Select>),
    /// What could not be read.
    Error,
}

/// `for (index : from .. to) { body }` or `for (index in array) { body }`.
#[derive(Clone, PartialEq, Debug)]
pub struct For {
    pub index: VarRef,
    pub range: Range,
    pub body: Sequence,
}

/// `select (index : from .. to)`
#[derive(Clone, PartialEq, Debug)]
pub struct Select {
    pub index: VarRef,
    pub from: Expr,
    pub to: Expr,
    pub form: SelectForm,
}

/// How SPIN takes a `select` apart, which shows in the number of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelectForm {
    /// An `if` with one option for each value: between numbers at most 32 apart, outside of
    /// inlines.
    Choice,
    /// Count up from the first value and stop anywhere.
    Loop,
}

/// The inline that a block stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct Inlined {
    pub name: Name,
    pub call: Span,
}

/// A string constant, escapes as written.
#[derive(Clone, PartialEq, Debug)]
pub struct Text {
    pub value: Name,
    pub span: Span,
}

/// `?` takes the first message, `??` the first that matches; in angle brackets the message stays in
/// the channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReceiveMode {
    pub random: bool,
    pub keep: bool,
}

/// One field of a receive.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// A variable to store into, `_` to forget, or the name of an mtype constant to match.
    Variable(VarRef),
    /// `eval(e)`: must match.
    Eval { value: Expr, span: Span },
    /// A constant: must match.
    Constant(Expr),
}

impl Pattern {
    pub fn span(&self) -> Span {
        match self {
            Pattern::Variable(variable) => variable.span,
            Pattern::Eval { span, .. } => *span,
            Pattern::Constant(value) => value.span,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Range {
    /// `index : from .. to`
    Between(Expr, Expr),
    /// `index in array` or `message in channel`
    In(VarRef),
}

/// `a[i].b[j].c`: never empty.
#[derive(Clone, PartialEq, Debug)]
pub struct VarRef {
    pub parts: Vec<Part>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    pub name: Ident,
    pub index: Option<Box<Expr>>,
}

/// An expression. Its height is bounded (`Expr::MAX_HEIGHT`), so that walking it by recursion is
/// safe.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    pub(crate) height: u16,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A number or a character constant.
    Number(i32),
    /// `true` or `false`.
    Bool(bool),
    Skip,
    /// A variable, or the name of an mtype constant.
    Variable(VarRef),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(condition -> yes : no)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Run {
        proctype: Ident,
        arguments: Vec<Expr>,
        priority: Option<Box<Expr>>,
    },
    Len(VarRef),
    /// `full`, `empty`, `nfull`, `nempty`.
    Probe(Probe, VarRef),
    /// `c?[…]` or `c??[…]`: could the receive go on?
    Poll {
        channel: VarRef,
        random: bool,
        pattern: Vec<Pattern>,
    },
    Timeout,
    /// `np_`
    NonProgress,
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    /// `P[process]@label`
    RemoteLabel {
        proctype: Ident,
        process: Option<Box<Expr>>,
        label: Ident,
    },
    /// `P[process]:variable`
    RemoteVariable {
        proctype: Ident,
        process: Option<Box<Expr>>,
        variable: VarRef,
    },
    /// What could not be read.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

impl Expr {
    /// The highest expression tree there is.
    pub(crate) const MAX_HEIGHT: u16 = 500;

    /// None if the tree would be too high.
    pub fn new(kind: ExprKind, span: Span) -> Option<Expr> {
        let mut height = 0;
        kind.for_each_child(&mut |child| height = height.max(child.height));
        (height < Expr::MAX_HEIGHT).then_some(Expr { kind, span, height: height + 1 })
    }

    pub fn error(span: Span) -> Expr {
        Expr { kind: ExprKind::Error, span, height: 1 }
    }

    /// Does the predicate hold for this expression or one inside it?
    pub fn any(&self, predicate: &mut dyn FnMut(&Expr) -> bool) -> bool {
        let mut found = predicate(self);
        self.kind.for_each_child(&mut |child| found = found || child.any(predicate));
        found
    }
}

impl ExprKind {
    /// Visits the expressions directly below this one, from left to right.
    pub(crate) fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Skip => {}
            ExprKind::Timeout | ExprKind::NonProgress | ExprKind::Error => {}
            ExprKind::Variable(variable) | ExprKind::Len(variable) | ExprKind::Probe(_, variable) => {
                variable.for_each_index(visit);
            }
            ExprKind::Unary(_, a)
            | ExprKind::Enabled(a)
            | ExprKind::PcValue(a)
            | ExprKind::GetPriority(a) => visit(a),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|child| visit(child)),
            ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|child| visit(child)),
            ExprKind::Run { arguments, priority, .. } => {
                arguments.iter().chain(priority.as_deref()).for_each(visit);
            }
            ExprKind::Poll { channel, pattern, .. } => {
                channel.for_each_index(visit);
                pattern.iter().for_each(|pattern| pattern.for_each_child(visit));
            }
            ExprKind::RemoteLabel { process, .. } => process.as_deref().into_iter().for_each(visit),
            ExprKind::RemoteVariable { process, variable, .. } => {
                process.as_deref().into_iter().for_each(&mut *visit);
                variable.for_each_index(visit);
            }
        }
    }
}

impl VarRef {
    pub(crate) fn for_each_index<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.parts.iter().filter_map(|part| part.index.as_deref()).for_each(visit);
    }

    /// The name, if it is nothing but a name.
    pub fn plain(&self) -> Option<&Ident> {
        match &self.parts[..] {
            [Part { name, index: None }] => Some(name),
            _ => None,
        }
    }
}

impl Pattern {
    fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Pattern::Variable(variable) => variable.for_each_index(visit),
            Pattern::Eval { value, .. } | Pattern::Constant(value) => visit(value),
        }
    }
}

//! A checked model: the syntax tree with all names resolved, types known and constants computed.
//!
//! Made by [`check`](crate::check). Everything that is written here is meaningful: a model has no
//! unknown names, no wrong numbers of arguments, no jumps to nowhere. Records in messages and
//! arguments are spread out into their fields, as SPIN does; nothing else is taken apart.

use logic::ltl::Formula;
use source::Span;

use crate::ast::{BinaryOp, Direction, Probe, ReceiveMode, SelectForm, UnaryOp, Visibility};
use source::Name;

/// Index into [`Model::mtypes`].
pub(crate) type MtypeSetId = usize;
/// Index into [`Model::records`].
pub(crate) type RecordId = usize;
/// Index into [`Model::globals`].
pub(crate) type GlobalId = usize;
/// Index into [`Process::locals`].
pub type LocalId = usize;
/// Index into [`Model::processes`].
pub(crate) type ProcessId = usize;
/// Index into [`Process::labels`].
pub type LabelId = usize;

#[derive(Clone, PartialEq, Default, Debug)]
pub struct Model {
    pub mtypes: Vec<MtypeSet>,
    /// Typedefs; a record's fields use earlier ones only.
    pub records: Vec<Record>,
    pub globals: Vec<Variable>,
    /// Everything with a body, in the order of the text, which is the order in which active ones
    /// get their numbers.
    pub processes: Vec<Process>,
    pub formulas: Vec<Property>,
}

/// All constants of `mtype` or of one `mtype:set`.
#[derive(Clone, PartialEq, Debug)]
pub struct MtypeSet {
    pub name: Option<Name>,
    /// By value: the first has value 1.
    pub constants: Vec<Name>,
}

/// A typedef.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    pub name: Name,
    pub fields: Vec<Variable>,
    pub span: Span,
}

/// A variable, parameter or field.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    pub name: Name,
    pub ty: Type,
    /// For arrays.
    pub length: Option<u32>,
    pub initial: Initial,
    pub visibility: Option<Visibility>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    /// With its number of bits, 1 to 31.
    Unsigned(u8),
    Mtype(MtypeSetId),
    Chan,
    Record(RecordId),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Initial {
    Zero,
    /// Every element of an array alike.
    Value(Expr),
    /// The elements of an array; those missing are like the last.
    List(Vec<i32>),
    /// A new channel for each element of an array.
    Channel(Channel),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Channel {
    /// 0 is rendezvous.
    pub capacity: u32,
    /// Types of the fields; records are spread out, an array in one being as many fields.
    pub fields: Vec<Type>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProcessKind {
    Proctype,
    Init,
    Never,
    Trace,
    NoTrace,
}

/// Something with a body.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    pub kind: ProcessKind,
    /// `:init:`, `:never:` and so on for those without a name.
    pub name: Name,
    /// How many run from the start.
    pub active: u32,
    /// How many leading locals are parameters. The arguments of `run` are spread out: one for each
    /// field of a record.
    pub parameters: usize,
    pub locals: Vec<Variable>,
    pub labels: Vec<Label>,
    pub priority: Option<u8>,
    pub provided: Option<Expr>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    pub name: Name,
    pub span: Span,
}

#[derive(Clone, PartialEq, Default, Debug)]
pub struct Block {
    pub steps: Vec<Step>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// A declaration. At the start of a body (`runs` false) it only sets initial values; elsewhere
    /// it is, for each variable, a statement that assigns the initial value or zero. SPIN's does so
    /// for the first element of an array only.
    Declare {
        variables: Vec<LocalId>,
        runs: bool,
        span: Span,
    },
    Exclusive {
        direction: Direction,
        channels: Vec<Place>,
        span: Span,
    },
    Statement(Statement),
    Unless {
        main: Box<Statement>,
        escape: Box<Statement>,
        span: Span,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    pub labels: Vec<LabelId>,
    pub kind: StatementKind,
    /// The statement in one line; empty for compound ones.
    pub text: String,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    Guard(Expr),
    /// Only as the first statement of an option, once for each `if` or `do`.
    Else,
    Assign {
        to: Place,
        value: Expr,
    },
    /// `x++` or `x--`.
    Count {
        place: Place,
        up: bool,
    },
    Assert(Expr),
    Printf {
        format: Name,
        arguments: Vec<Expr>,
    },
    Printm(Expr),
    SetPriority {
        process: Box<Expr>,
        priority: Box<Expr>,
    },
    Send {
        channel: Place,
        sorted: bool,
        message: Vec<Expr>,
    },
    Receive {
        channel: Place,
        mode: ReceiveMode,
        pattern: Vec<Pattern>,
    },
    Goto(LabelId),
    Break,
    If(Vec<Block>),
    Do(Vec<Block>),
    Atomic(Block),
    DStep(Block),
    Block(Block),
    For(Box<For>),
    ForMessages(Box<ForMessages>),
    Select(Box<Select>),
}

/// `index` runs from one value to the other, both included; over an array, through its indices.
#[derive(Clone, PartialEq, Debug)]
pub struct For {
    pub index: Place,
    pub from: Expr,
    pub to: Expr,
    pub body: Block,
}

/// Each message of the channel in turn is put in `message`, a record spread out; `counter` is an
/// extra local. SPIN takes each message out and sends it again, so that the channel turns round
/// once.
#[derive(Clone, PartialEq, Debug)]
pub struct ForMessages {
    pub counter: LocalId,
    pub message: Vec<Place>,
    pub channel: Place,
    pub body: Block,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Select {
    pub index: Place,
    pub from: Expr,
    pub to: Expr,
    pub form: SelectForm,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// Store the field here.
    Store(Place),
    /// `_`
    Ignore,
    /// The field must have this value.
    Match(Expr),
}

/// A variable or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    pub root: Root,
    /// Index of the root, if it is an array.
    pub index: Option<Box<Expr>>,
    pub fields: Vec<Field>,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    Global(GlobalId),
    Local(LocalId),
    /// `_`, which may only be written.
    Nowhere,
}

/// `.field[index]`
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Index into [`Record::fields`].
    pub field: usize,
    pub index: Option<Box<Expr>>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Number(i32),
    Mtype {
        set: MtypeSetId,
        value: i32,
    },
    Read(Box<Place>),
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Run {
        process: ProcessId,
        arguments: Vec<Expr>,
        priority: Option<Box<Expr>>,
    },
    Len(Box<Place>),
    Probe(Probe, Box<Place>),
    Poll {
        channel: Box<Place>,
        random: bool,
        pattern: Vec<Pattern>,
    },
    Timeout,
    NonProgress,
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    /// Without a process number it means the only process of the kind.
    RemoteLabel {
        process: ProcessId,
        number: Option<Box<Expr>>,
        label: LabelId,
    },
    /// The place is rooted in a local of that process.
    RemoteVariable {
        process: ProcessId,
        number: Option<Box<Expr>>,
        place: Box<Place>,
    },
}

/// An `ltl` block.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// `ltl_0`, `ltl_1` … for those without a name.
    pub name: Name,
    pub formula: Formula<Expr>,
    pub text: String,
    pub span: Span,
}

impl Expr {
    /// Visits the expressions directly below this one, from left to right.
    pub(crate) fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Number(_) | ExprKind::Mtype { .. } | ExprKind::Pid | ExprKind::ProcessCount => {}
            ExprKind::Last | ExprKind::Priority | ExprKind::Timeout | ExprKind::NonProgress => {}
            ExprKind::Read(place) | ExprKind::Len(place) | ExprKind::Probe(_, place) => {
                place.for_each_index(visit)
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
            ExprKind::RemoteLabel { number, .. } => number.as_deref().into_iter().for_each(visit),
            ExprKind::RemoteVariable { number, place, .. } => {
                number.as_deref().into_iter().for_each(&mut *visit);
                place.for_each_index(visit);
            }
        }
    }

    /// Does the predicate hold for this expression or one inside it?
    pub fn any(&self, predicate: &mut dyn FnMut(&Expr) -> bool) -> bool {
        let mut found = predicate(self);
        self.for_each_child(&mut |child| found = found || child.any(predicate));
        found
    }
}

impl Place {
    pub(crate) fn for_each_index<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        let fields = self.fields.iter().filter_map(|field| field.index.as_deref());
        self.index.as_deref().into_iter().chain(fields).for_each(visit);
    }
}

impl Pattern {
    pub(crate) fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Pattern::Store(place) => place.for_each_index(visit),
            Pattern::Match(value) => visit(value),
            Pattern::Ignore => {}
        }
    }
}

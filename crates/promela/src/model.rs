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

/// All that a text declares, checked.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Model {
    /// The sets of symbolic names.
    pub mtypes: Vec<MtypeSet>,
    /// Typedefs; a record's fields use earlier ones only.
    pub records: Vec<Record>,
    /// The global variables and channels, in the order of the text.
    pub globals: Vec<Variable>,
    /// Everything with a body, in the order of the text, which is the order in which active ones
    /// get their numbers.
    pub processes: Vec<Process>,
    /// The `ltl` blocks, in the order of the text.
    pub formulas: Vec<Property>,
}

/// All constants of `mtype` or of one `mtype:set`.
#[derive(Clone, PartialEq, Debug)]
pub struct MtypeSet {
    /// The name of the set; `None` for plain `mtype`.
    pub name: Option<Name>,
    /// By value: the first has value 1.
    pub constants: Vec<Name>,
}

/// A typedef.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The name of the type.
    pub name: Name,
    /// The fields, in the order of the text.
    pub fields: Vec<Variable>,
    /// Where it is declared.
    pub span: Span,
}

/// A variable, parameter or field.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// What it is called.
    pub name: Name,
    /// The type of its values, for an array of its elements.
    pub ty: Type,
    /// For arrays.
    pub length: Option<u32>,
    /// The value it has at first.
    pub initial: Initial,
    /// Whether it was declared `hidden`, `local` or `show`.
    pub visibility: Option<Visibility>,
    /// Where it is declared.
    pub span: Span,
}

/// The type of a variable, a field or an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `bit`: 0 or 1.
    Bit,
    /// `bool`: 0 or 1, too.
    Bool,
    /// `byte`: 0 to 255.
    Byte,
    /// `pid`: 0 to 255, too.
    Pid,
    /// `short`: 16 bits, signed.
    Short,
    /// `int`: 32 bits, signed.
    Int,
    /// With its number of bits, 1 to 31.
    Unsigned(u8),
    /// `mtype`, or one of its sets.
    Mtype(MtypeSetId),
    /// `chan`: a reference to a channel.
    Chan,
    /// A type declared by `typedef`.
    Record(RecordId),
}

/// The initial value of a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum Initial {
    /// No initial value is given: zero, for each element.
    Zero,
    /// Every element of an array alike.
    Value(Expr),
    /// The elements of an array; those missing are like the last.
    List(Vec<i32>),
    /// A new channel for each element of an array.
    Channel(Channel),
}

/// The channel that an initializer creates.
#[derive(Clone, PartialEq, Debug)]
pub struct Channel {
    /// 0 is rendezvous.
    pub capacity: u32,
    /// Types of the fields; records are spread out, an array in one being as many fields.
    pub fields: Vec<Type>,
    /// Where it is declared.
    pub span: Span,
}

/// What kind of body it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProcessKind {
    /// A `proctype`.
    Proctype,
    /// The `init` process.
    Init,
    /// A `never` claim.
    Never,
    /// A `trace` assertion.
    Trace,
    /// A `notrace` assertion.
    NoTrace,
}

/// Something with a body.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    /// What kind of body it is.
    pub kind: ProcessKind,
    /// `:init:`, `:never:` and so on for those without a name.
    pub name: Name,
    /// How many run from the start.
    pub active: u32,
    /// How many leading locals are parameters. The arguments of `run` are spread out: one for each
    /// field of a record.
    pub parameters: usize,
    /// Parameters first, then the variables of all blocks.
    pub locals: Vec<Variable>,
    /// The labels of the body.
    pub labels: Vec<Label>,
    /// The priority given where it is declared.
    pub priority: Option<u8>,
    /// The condition of `provided`, which every step of it needs.
    pub provided: Option<Expr>,
    /// The statements.
    pub body: Block,
    /// Where it is declared.
    pub span: Span,
}

/// A label, which may stand before several statements.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// What it is called.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// A sequence of steps, one after the other.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Block {
    /// The steps, in the order of the text.
    pub steps: Vec<Step>,
    /// Where it stands.
    pub span: Span,
}

/// One element of a sequence.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// A declaration. At the start of a body (`runs` false) it only sets initial values; elsewhere
    /// it is, for each variable, a statement that assigns the initial value or zero. SPIN's does so
    /// for the first element of an array only.
    Declare {
        /// The variables, in the order of the text.
        variables: Vec<LocalId>,
        /// Whether it is a statement of its own.
        runs: bool,
        /// Where it stands.
        span: Span,
    },
    /// `xr` or `xs`: this process alone receives from, or sends to, these channels.
    Exclusive {
        /// Whether it is about receiving or sending.
        direction: Direction,
        /// The channels.
        channels: Vec<Place>,
        /// Where it stands.
        span: Span,
    },
    /// A statement of its own.
    Statement(Statement),
    /// `{ main } unless { escape }`.
    Unless {
        /// What is executed while the escape is blocked.
        main: Box<Statement>,
        /// What is executed as soon as it is enabled.
        escape: Box<Statement>,
        /// Where it stands.
        span: Span,
    },
}

/// A statement with the labels before it.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// The labels that stand before it.
    pub labels: Vec<LabelId>,
    /// What it does.
    pub kind: StatementKind,
    /// The statement in one line; empty for compound ones.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// An expression as a statement: blocked while its value is 0.
    Guard(Expr),
    /// Only as the first statement of an option, once for each `if` or `do`.
    Else,
    /// An assignment.
    Assign {
        /// What is assigned to.
        to: Place,
        /// The new value, before it is cut to the type.
        value: Expr,
    },
    /// `x++` or `x--`.
    Count {
        /// What is counted.
        place: Place,
        /// Whether it is `++`.
        up: bool,
    },
    /// `assert(e)`.
    Assert(Expr),
    /// `printf(…)`.
    Printf {
        /// The format, as written.
        format: Name,
        /// What is printed.
        arguments: Vec<Expr>,
    },
    /// `printm(e)`.
    Printm(Expr),
    /// `set_priority(process, priority)`.
    SetPriority {
        /// The number of the process.
        process: Box<Expr>,
        /// Its new priority.
        priority: Box<Expr>,
    },
    /// `q!m` or `q!!m`.
    Send {
        /// The channel.
        channel: Place,
        /// Whether it is `!!`, which inserts in order.
        sorted: bool,
        /// The fields of the message.
        message: Vec<Expr>,
    },
    /// `q?p` and its variants.
    Receive {
        /// The channel.
        channel: Place,
        /// Which message is received, and whether it stays in the channel.
        mode: ReceiveMode,
        /// What each field is matched with or stored in.
        pattern: Vec<Pattern>,
    },
    /// `goto`.
    Goto(LabelId),
    /// `break`, out of the innermost loop.
    Break,
    /// `if`, by options.
    If(Vec<Block>),
    /// `do`, by options.
    Do(Vec<Block>),
    /// `atomic { … }`.
    Atomic(Block),
    /// `d_step { … }`.
    DStep(Block),
    /// `{ … }`.
    Block(Block),
    /// `for (i : a .. b)`, or over an array.
    For(Box<For>),
    /// `for (m in q)`.
    ForMessages(Box<ForMessages>),
    /// `select (i : a .. b)`.
    Select(Box<Select>),
}

/// `index` runs from one value to the other, both included; over an array, through its indices.
#[derive(Clone, PartialEq, Debug)]
pub struct For {
    /// What counts.
    pub index: Place,
    /// The first value.
    pub from: Expr,
    /// The last value.
    pub to: Expr,
    /// What is executed for each value.
    pub body: Block,
}

/// Each message of the channel in turn is put in `message`, a record spread out; `counter` is an
/// extra local. SPIN takes each message out and sends it again, so that the channel turns round
/// once.
#[derive(Clone, PartialEq, Debug)]
pub struct ForMessages {
    /// How many messages are left.
    pub counter: LocalId,
    /// The fields of the record that each message is stored in.
    pub message: Vec<Place>,
    /// The channel.
    pub channel: Place,
    /// What is executed for each message.
    pub body: Block,
}

/// `select`: any value of an interval.
#[derive(Clone, PartialEq, Debug)]
pub struct Select {
    /// What gets the value.
    pub index: Place,
    /// The least value.
    pub from: Expr,
    /// The greatest value.
    pub to: Expr,
    /// How SPIN would expand it.
    pub form: SelectForm,
}

/// What a receive statement does with one field of the message.
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
    /// The variable.
    pub root: Root,
    /// Index of the root, if it is an array.
    pub index: Option<Box<Expr>>,
    /// The fields selected, from the outermost record inwards.
    pub fields: Vec<Field>,
    /// The type of the part.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// Which variable a place is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// A global variable.
    Global(GlobalId),
    /// A local variable or parameter of the process.
    Local(LocalId),
    /// `_`, which may only be written.
    Nowhere,
}

/// `.field[index]`
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Index into [`Record::fields`].
    pub field: usize,
    /// The index, if the field is an array.
    pub index: Option<Box<Expr>>,
}

/// An expression with its place in the text.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A number.
    Number(i32),
    /// A symbolic name.
    Mtype {
        /// The set it is declared in.
        set: MtypeSetId,
        /// Its value.
        value: i32,
    },
    /// The value of a variable or of a part of one.
    Read(Box<Place>),
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(condition -> then : otherwise)`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(…)`.
    Run {
        /// What is created.
        process: ProcessId,
        /// The values of its parameters.
        arguments: Vec<Expr>,
        /// Its priority, if one is given.
        priority: Option<Box<Expr>>,
    },
    /// `len(q)`.
    Len(Box<Place>),
    /// `empty(q)`, `nempty(q)`, `full(q)`, `nfull(q)`.
    Probe(Probe, Box<Place>),
    /// `q?[p]`: whether the message could be received.
    Poll {
        /// The channel.
        channel: Box<Place>,
        /// Whether any message of the channel may match, not only the first.
        random: bool,
        /// What each field must match.
        pattern: Vec<Pattern>,
    },
    /// `timeout`.
    Timeout,
    /// `np_`: no process is at a progress label.
    NonProgress,
    /// `enabled(p)`.
    Enabled(Box<Expr>),
    /// `pc_value(p)`.
    PcValue(Box<Expr>),
    /// `get_priority(p)`.
    GetPriority(Box<Expr>),
    /// Without a process number it means the only process of the kind.
    RemoteLabel {
        /// The process type.
        process: ProcessId,
        /// The number of the process.
        number: Option<Box<Expr>>,
        /// The label it must be at.
        label: LabelId,
    },
    /// The place is rooted in a local of that process.
    RemoteVariable {
        /// The process type.
        process: ProcessId,
        /// The number of the process.
        number: Option<Box<Expr>>,
        /// What is read.
        place: Box<Place>,
    },
}

/// An `ltl` block.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// `ltl_0`, `ltl_1` … for those without a name.
    pub name: Name,
    /// What it says.
    pub formula: Formula<Expr>,
    /// As it is written.
    pub text: String,
    /// Where it stands.
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

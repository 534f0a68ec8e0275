//! The declarative description of a concurrent system: objects, process process types, guarded
//! transitions.
//!
//! After Godefroid's thesis, section 2.1. A transition is enabled in a state if its process is at
//! `pre`, its guard holds and every operation of its command, taken in order, is possible;
//! executing it performs the command and moves to `post`. Deviations: processes are created
//! dynamically; channels are first-class values (a handle is the 1-based position of the channel
//! among those that exist: globals first, then those of each process by creation).

use logic::{Sort, Term};
use source::Span;
use std::collections::BTreeSet;

/// A term that reads a system.
pub type Expr = Term<Read>;

/// Index of an object in its owner (the system or a process type).
pub type ObjectId = usize;
pub type ProcessTypeId = usize;
/// Index of a control point in its process type.
pub type PointId = usize;
/// Index of a transition in its process type.
pub type TransitionId = usize;
/// Index of a live process: its number by creation.
pub type Pid = usize;

/// No more processes than this exist at once, as in SPIN.
pub const MAX_PROCESSES: usize = 255;

#[derive(Clone, Debug, Default)]
pub struct System {
    pub name: String,
    pub globals: Vec<Object>,
    pub process_types: Vec<ProcessType>,
    /// The processes of the initial state, in order of their numbers.
    pub initial: Vec<Creation>,
    /// Promela's rules, if the system comes from there.
    pub scheduling: Option<crate::Scheduling>,
    /// Claims of exclusive channel use (`xr`, `xs`); a run that breaks one is worth a warning,
    /// nothing more.
    pub exclusive: Vec<Exclusive>,
    /// What properties read of a state, without being any process: true or false each.
    pub propositions: Vec<Expr>,
    /// Sets of names that prints show for numbers; the first name of a set is that of 1.
    pub names: Vec<Vec<String>>,
}

/// A process of the initial state.
#[derive(Clone, Debug)]
pub struct Creation {
    pub process_type: ProcessTypeId,
    pub arguments: Vec<Expr>,
    pub priority: u8,
}

/// A shared or local object.
#[derive(Clone, Debug)]
pub struct Object {
    pub name: String,
    pub kind: ObjectKind,
    /// Not meant to be part of a state (Promela's `hidden`).
    pub hidden: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ObjectKind {
    Variable {
        sort: Sort,
        initial: Initial,
    },
    /// A FIFO channel; capacity 0 is rendezvous.
    Channel {
        capacity: usize,
        fields: Vec<Sort>,
    },
}

/// How a variable begins. Terms are evaluated when its owner is created, in order of declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    Zero,
    Term(Expr),
    /// Each element of an array alike.
    Each(Box<Initial>),
    /// The elements of an array or the fields of a record.
    Parts(Vec<Initial>),
    /// The k-th argument of the process.
    Argument(usize),
}

/// A process type.
#[derive(Clone, Debug, Default)]
pub struct ProcessType {
    pub name: String,
    pub parameters: usize,
    pub objects: Vec<Object>,
    pub points: Vec<Point>,
    pub entry: PointId,
    pub transitions: Vec<Transition>,
    /// Statements of the source that no control path leads to, and where they stand: they have no
    /// transition.
    pub detached: Vec<(String, Span)>,
    pub span: Span,
}

/// A control point.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// The labels of the source that stand here.
    pub labels: Vec<String>,
    /// A process may rest here without that being a deadlock.
    pub valid_end: bool,
    pub progress: bool,
    pub accept: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub pre: PointId,
    pub guard: Expr,
    pub command: Vec<Operation>,
    pub post: PointId,
    /// The statement as the user wrote it, in one line.
    pub text: String,
    pub span: Span,
}

/// An operation on objects. Send and receive block; `Stop` blocks while a younger process lives;
/// the others never do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Assign {
        target: Place,
        value: Expr,
    },
    Send {
        channel: Expr,
        message: Vec<Expr>,
        sorted: bool,
    },
    Receive {
        channel: Expr,
        patterns: Vec<Pattern>,
        mode: ReceiveMode,
    },
    /// Creates a process; its number goes to `result`.
    Start {
        process_type: ProcessTypeId,
        arguments: Vec<Expr>,
        priority: Option<Expr>,
        result: Option<Place>,
    },
    SetPriority {
        process: Expr,
        priority: Expr,
    },
    Assert {
        condition: Expr,
    },
    Print {
        format: String,
        arguments: Vec<Expr>,
    },
    /// The process ends.
    Stop,
}

impl Operation {
    /// The places it writes to.
    pub fn writes(&self) -> impl Iterator<Item = &Place> {
        let (one, patterns): (Option<&Place>, &[Pattern]) = match self {
            Operation::Assign { target, .. } => (Some(target), &[]),
            Operation::Start { result, .. } => (result.as_ref(), &[]),
            Operation::Receive { patterns, .. } => (None, patterns),
            _ => (None, &[]),
        };
        let bound = patterns.iter().filter_map(|p| match p {
            Pattern::Bind(place) => Some(place),
            Pattern::Match(_) | Pattern::Ignore => None,
        });
        one.into_iter().chain(bound)
    }

    /// The process type that it creates a process of.
    pub fn starts(&self) -> Option<ProcessTypeId> {
        match self {
            Operation::Start { process_type, .. } => Some(*process_type),
            _ => None,
        }
    }
}

/// Which message a receive takes, and whether it stays in the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReceiveMode {
    /// Any message that matches (the first such), not only the oldest: Promela's `??`.
    pub anywhere: bool,
    /// The message stays: Promela's `?<…>`.
    pub copy: bool,
}

/// What a receive does with one field of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    Bind(Place),
    Match(Expr),
    Ignore,
}

/// A variable or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub root: Root,
    pub path: Vec<Access>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    Global(ObjectId),
    /// Of the process that executes.
    Local(ObjectId),
    /// Of another process; only read.
    Remote {
        process: Box<Expr>,
        process_type: ProcessTypeId,
        object: ObjectId,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    Field(usize),
    Index(Expr),
}

/// What a term can read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    Place(Place),
    /// The handle of a channel object.
    Handle(Root),
    /// The number of the executing process.
    Myself,
    /// The number of the oldest process of a process type, or -1.
    Instance(ProcessTypeId),
    /// How many processes live.
    ProcessCount,
    /// Who moved last (0 before the first move).
    Last,
    /// No process could move otherwise.
    Timeout,
    /// No process is at a progress point.
    NonProgress,
    /// Some process is at an accept point.
    Accepting,
    /// Whether a process can move.
    Enabled(Box<Expr>),
    /// The control point of a process as a number.
    ControlPoint(Box<Expr>),
    /// Whether a process is an instance of the process type and at the point.
    At {
        process: Box<Expr>,
        process_type: ProcessTypeId,
        point: PointId,
    },
    Priority(Box<Expr>),
    Length(Box<Expr>),
    Empty(Box<Expr>),
    Full(Box<Expr>),
    /// Whether a receive with these patterns would be possible; fields without a pattern may be
    /// anything.
    Poll {
        channel: Box<Expr>,
        patterns: Vec<Pattern>,
        anywhere: bool,
    },
}

/// A claim that only instances of `process_type` send to (or receive from) a channel, one process
/// at that.
#[derive(Clone, Debug)]
pub struct Exclusive {
    pub process_type: ProcessTypeId,
    pub channel: Expr,
    pub sends: bool,
    pub span: Span,
}

/// A variable by its owner, which may be all processes, and its number there.
pub type Variable = (Option<ProcessTypeId>, ObjectId);

impl System {
    /// The variables that some transition writes to.
    pub fn written(&self) -> BTreeSet<Variable> {
        let process_types = self.process_types.iter().enumerate();
        let commands = process_types.flat_map(|(id, t)| t.transitions.iter().map(move |t| (id, &t.command)));
        let places =
            commands.flat_map(|(id, c)| c.iter().flat_map(move |o| o.writes().map(move |p| (id, p))));
        places.map(|(id, place)| place.variable(id)).collect()
    }
}

impl Place {
    /// The variable that it belongs to, seen from a process type.
    pub fn variable(&self, process_type: ProcessTypeId) -> Variable {
        match &self.root {
            Root::Global(object) => (None, *object),
            Root::Local(object) => (Some(process_type), *object),
            Root::Remote { process_type, object, .. } => (Some(*process_type), *object),
        }
    }

    pub fn global(object: ObjectId) -> Place {
        Place { root: Root::Global(object), path: Vec::new() }
    }

    pub fn local(object: ObjectId) -> Place {
        Place { root: Root::Local(object), path: Vec::new() }
    }

    /// The term that reads this place.
    pub fn read(self) -> Expr {
        Term::Atom(Read::Place(self))
    }
}

impl Object {
    pub fn variable(name: &str, sort: Sort, initial: Initial) -> Object {
        let kind = ObjectKind::Variable { sort, initial };
        Object { name: name.to_string(), kind, hidden: false, span: Span::default() }
    }

    pub fn channel(name: &str, capacity: usize, fields: Vec<Sort>) -> Object {
        let kind = ObjectKind::Channel { capacity, fields };
        Object { name: name.to_string(), kind, hidden: false, span: Span::default() }
    }

    pub fn is_channel(&self) -> bool {
        matches!(self.kind, ObjectKind::Channel { .. })
    }
}

impl Transition {
    /// A transition with nothing of the source attached, for systems built by hand.
    pub fn new(pre: PointId, guard: Expr, command: Vec<Operation>, post: PointId) -> Transition {
        Transition { pre, guard, command, post, text: String::new(), span: Span::default() }
    }
}

//! The declarative description of a concurrent system: objects, process types, guarded
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
/// Index of a process type in the system.
pub type ProcessTypeId = usize;
/// Index of a location in its process type.
pub type LocationId = usize;
/// Index of a transition in its process type.
pub type TransitionId = usize;
/// Index of a live process: its number by creation.
pub type Pid = usize;

/// No more processes than this exist at once, as in SPIN.
pub const MAX_PROCESSES: usize = 255;

/// A concurrent system: shared objects, and process types with their transitions.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// That of the source.
    pub name: String,
    /// Objects that all processes can use.
    pub globals: Vec<Object>,
    /// Processes are instances of these.
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
    /// Of which it is an instance.
    pub process_type: ProcessTypeId,
    /// One value for each parameter.
    pub arguments: Vec<Expr>,
    /// A higher one goes first, if priorities are used at all.
    pub priority: u8,
}

/// A shared or local object.
#[derive(Clone, Debug)]
pub struct Object {
    /// That of the source.
    pub name: String,
    /// What it stores.
    pub kind: ObjectKind,
    /// Not meant to be part of a state (Promela's `hidden`).
    pub hidden: bool,
    /// Its declaration.
    pub span: Span,
}

/// What an object stores.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectKind {
    /// A value that is read and written.
    Variable {
        /// Which values fit.
        sort: Sort,
        /// The value of a new object.
        initial: Initial,
    },
    /// A FIFO channel; capacity 0 is rendezvous.
    Channel {
        /// Messages it can hold.
        capacity: usize,
        /// The sorts of a message.
        fields: Vec<Sort>,
    },
}

/// How a variable begins. Terms are evaluated when its owner is created, in order of declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// 0 in every part.
    Zero,
    /// A value computed from what is declared before.
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
    /// That of the source.
    pub name: String,
    /// How many arguments a new instance takes.
    pub parameters: usize,
    /// Each instance has its own.
    pub objects: Vec<Object>,
    /// Locations, by [`LocationId`].
    pub points: Vec<Location>,
    /// The location of a new instance.
    pub entry: LocationId,
    /// Those of all locations, by [`TransitionId`].
    pub transitions: Vec<Transition>,
    /// Statements of the source that no control path leads to, and where they stand: they have no
    /// transition.
    pub detached: Vec<(String, Span)>,
    /// Its declaration.
    pub span: Span,
}

/// A location: where control can be between two steps.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The labels of the source that stand here.
    pub labels: Vec<String>,
    /// A process may rest here without that being a deadlock.
    pub valid_end: bool,
    /// Whether a progress label stands here.
    pub progress: bool,
    /// Whether an accept label stands here.
    pub accept: bool,
    /// The statement that begins here.
    pub span: Span,
}

/// A step of one process from one location to another.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The location it leaves.
    pub pre: LocationId,
    /// A condition without side effects.
    pub guard: Expr,
    /// Executed in order, all or nothing.
    pub command: Vec<Operation>,
    /// The location it leads to.
    pub post: LocationId,
    /// The statement as the user wrote it, in one line.
    pub text: String,
    /// The statement.
    pub span: Span,
}

/// An operation on objects. Send and receive block; `Stop` blocks while a younger process lives;
/// the others never do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Stores a value.
    Assign {
        /// Where it is stored.
        target: Place,
        /// Evaluated before the store.
        value: Expr,
    },
    /// Appends a message, or offers a handshake if the channel has no buffer.
    Send {
        /// A handle.
        channel: Expr,
        /// One value for each field.
        message: Vec<Expr>,
        /// Inserts in order instead of at the end: Promela's `!!`.
        sorted: bool,
    },
    /// Takes or copies a message.
    Receive {
        /// A handle.
        channel: Expr,
        /// One for each field.
        patterns: Vec<Pattern>,
        /// Which message, and whether it stays.
        mode: ReceiveMode,
    },
    /// Creates a process; its number goes to `result`.
    Start {
        /// Of which it creates an instance.
        process_type: ProcessTypeId,
        /// One value for each parameter.
        arguments: Vec<Expr>,
        /// That of the new process; the default if none.
        priority: Option<Expr>,
        /// Where the number of the new process goes.
        result: Option<Place>,
    },
    /// Changes the priority of a process.
    SetPriority {
        /// The number of the process.
        process: Expr,
        /// The new priority.
        priority: Expr,
    },
    /// Fails if the condition is false.
    Assert {
        /// True if it is not 0.
        condition: Expr,
    },
    /// Writes text, without an effect on the state.
    Print {
        /// With a conversion such as `%d` for each argument.
        format: String,
        /// One for each conversion.
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
    /// Stores it.
    Bind(Place),
    /// Requires it to be equal.
    Match(Expr),
    /// Accepts any value.
    Ignore,
}

/// A variable or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The variable.
    pub root: Root,
    /// Which part of it, outermost first; empty for all of it.
    pub path: Vec<Access>,
}

/// The owner of a variable, and which it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// Of the system.
    Global(ObjectId),
    /// Of the process that executes.
    Local(ObjectId),
    /// Of another process; only read.
    Remote {
        /// The number of that process.
        process: Box<Expr>,
        /// Of which it must be an instance.
        process_type: ProcessTypeId,
        /// The index in its process type.
        object: ObjectId,
    },
}

/// A step from a value to one of its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// The field of a record, by index.
    Field(usize),
    /// The element of an array; a fault outside of it.
    Index(Expr),
}

/// What a term can read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    /// The value of a variable or of a part.
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
    /// The location of a process as a number.
    Location(Box<Expr>),
    /// Whether a process is an instance of the process type and at the point.
    At {
        /// The number of the process.
        process: Box<Expr>,
        /// Of which it must be an instance.
        process_type: ProcessTypeId,
        /// The location.
        point: LocationId,
    },
    /// The priority of a process.
    Priority(Box<Expr>),
    /// How many messages a channel holds.
    Length(Box<Expr>),
    /// Whether a channel holds no message.
    Empty(Box<Expr>),
    /// Whether a channel holds as many messages as it can.
    Full(Box<Expr>),
    /// Whether a receive with these patterns would be possible; fields without a pattern may be
    /// anything.
    Poll {
        /// A handle.
        channel: Box<Expr>,
        /// For the first fields.
        patterns: Vec<Pattern>,
        /// In any message, not only the oldest.
        anywhere: bool,
    },
}

/// A claim that only instances of `process_type` send to (or receive from) a channel, one process
/// at that.
#[derive(Clone, Debug)]
pub struct Exclusive {
    /// Whose instances claim it.
    pub process_type: ProcessTypeId,
    /// A handle.
    pub channel: Expr,
    /// Whether they claim to be the only senders; else the only receivers.
    pub sends: bool,
    /// Where it is claimed.
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

    /// All of a global variable.
    pub fn global(object: ObjectId) -> Place {
        Place { root: Root::Global(object), path: Vec::new() }
    }

    /// All of a local variable of the executing process.
    pub fn local(object: ObjectId) -> Place {
        Place { root: Root::Local(object), path: Vec::new() }
    }

    /// The term that reads this place.
    pub fn read(self) -> Expr {
        Term::Atom(Read::Place(self))
    }
}

impl Object {
    /// A variable that stands nowhere in a source.
    pub fn variable(name: &str, sort: Sort, initial: Initial) -> Object {
        let kind = ObjectKind::Variable { sort, initial };
        Object { name: name.to_string(), kind, hidden: false, span: Span::default() }
    }

    /// A channel that stands nowhere in a source.
    pub fn channel(name: &str, capacity: usize, fields: Vec<Sort>) -> Object {
        let kind = ObjectKind::Channel { capacity, fields };
        Object { name: name.to_string(), kind, hidden: false, span: Span::default() }
    }

    /// Whether it stores messages.
    pub fn is_channel(&self) -> bool {
        matches!(self.kind, ObjectKind::Channel { .. })
    }
}

impl Transition {
    /// A transition with nothing of the source attached, for systems built by hand.
    pub fn new(pre: LocationId, guard: Expr, command: Vec<Operation>, post: LocationId) -> Transition {
        Transition { pre, guard, command, post, text: String::new(), span: Span::default() }
    }
}

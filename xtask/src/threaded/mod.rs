//! Small C programs of threads: their form, their text, a seeded generator of them, and a
//! brute-force interpreter.
//!
//! `xtask fuzz-programs` compares what the interpreter finds with what `weave run` finds. The
//! interpreter shares nothing with the crate `native`: it is written from the C standard and from
//! POSIX. Every access is a step, and all orders of steps are tried (sequential consistency: weak
//! memory orders only matter for what is a data race).

pub mod ask;
pub mod clocks;
pub mod explore;
pub mod generate;
pub mod lower;
pub mod machine;
pub mod memory;
mod print;
mod prune;
pub mod shrink;
mod statement;
mod widen;

/// The first thread is `main`; each other one is created by one before it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Program {
    pub objects: Vec<Object>,
    /// Pointers through which blocks of memory are handed over.
    pub cells: usize,
    pub locks: Vec<LockKind>,
    /// Their first values.
    pub semaphores: Vec<u8>,
    pub conditions: usize,
    /// How many threads each barrier awaits.
    pub barriers: Vec<u8>,
    pub threads: Vec<Vec<Stmt>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Object {
    pub shape: Shape,
    pub storage: Storage,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// An unsigned number of this many bytes.
    Scalar(u8),
    /// The same, declared `_Atomic`.
    Atomic(u8),
    /// Size and number of elements.
    Array(u8, u8),
    /// Four bytes as one word, two halves or four bytes.
    Union,
    /// Fields of 1, 2 and 4 bytes at 0, 2 and 4.
    Record,
    /// Bit fields of 3 and 5 bits in one byte.
    Bits,
}

/// Where an object lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Storage {
    Global,
    /// On the stack of `main`, others have its address.
    Stack,
    /// Allocated by `main` before anything else.
    Heap,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LockKind {
    Mutex,
    Recursive,
    ErrorCheck,
    Spin,
    ReadWrite,
}

/// A part of an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub object: usize,
    pub part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part {
    Whole,
    Element(Index),
    Half(u8),
    Byte(u8),
    /// Of a record or of bits.
    Field(u8),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Index {
    Constant(u8),
    /// A local variable, modulo the number of elements.
    Local(Register),
}

/// A local variable of a thread: `a`, `b`, and the counters `i`, `j` of loops; the others are the
/// interpreter's own.
pub type Register = usize;

pub const REGISTERS: usize = 8;
pub const NAMES: [&str; 4] = ["a", "b", "i", "j"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Plain,
    Volatile,
    Atomic(Order),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Relaxed,
    Consume,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    pub fn acquires(self) -> bool {
        !matches!(self, Order::Relaxed | Order::Release)
    }

    /// The order of a compare-exchange that fails.
    pub fn failing(self) -> Order {
        if self == Order::SeqCst { Order::SeqCst } else { Order::Relaxed }
    }

    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// A value computed from local variables alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Constant(u64),
    Local(Register),
    Plus(Register, u64),
    Times(Register, u64),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Function {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    Exchange,
    /// To the right; only the interpreter uses it.
    Shift,
}

/// How a read-modify-write is spelt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Style {
    /// `__atomic_…`, with its order.
    Atomic(Order),
    /// `__sync_…`.
    Sync,
}

impl Style {
    pub fn order(self) -> Order {
        match self {
            Style::Atomic(order) => order,
            Style::Sync => Order::SeqCst,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hold {
    /// Alone: a mutex, a spin lock, or a read-write lock for writing.
    Alone,
    Shared,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Compare {
    Equal,
    Less,
    Odd,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Stmt {
    Local(Register, Value),
    /// `a = x`, or `a = a * 8 + x`.
    Load {
        into: Register,
        mix: bool,
        place: Place,
        mode: Mode,
    },
    Store {
        place: Place,
        mode: Mode,
        value: Value,
    },
    /// `x += value` and the like: a read and a write, unless the object is `_Atomic`.
    Update {
        place: Place,
        mode: Mode,
        function: Function,
        value: Value,
    },
    /// `y = x`.
    Copy {
        to: Place,
        from: Place,
        mode: Mode,
    },
    Rmw {
        into: Register,
        place: Place,
        function: Function,
        value: Value,
        style: Style,
    },
    /// The local variable becomes 1 if it succeeds, else 0.
    Cas {
        into: Register,
        place: Place,
        expected: u64,
        desired: Value,
        style: Style,
    },
    /// `if (x == value)`.
    Look {
        place: Place,
        mode: Mode,
        value: u64,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    If {
        left: Register,
        compare: Compare,
        right: u64,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    /// A loop of a number of rounds over a counter, left early if the place is not 0.
    Repeat {
        counter: Register,
        times: u64,
        unless: Option<(Place, Mode)>,
        body: Vec<Stmt>,
    },
    /// `while (x != value) {}`.
    Await {
        place: Place,
        mode: Mode,
        value: u64,
        yields: bool,
    },
    Locked {
        lock: usize,
        hold: Hold,
        body: Vec<Stmt>,
    },
    Try {
        lock: usize,
        hold: Hold,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    Post(usize),
    Wait(usize),
    TryWait(Register, usize),
    Count(Register, usize),
    /// Lock; wait while (or if) the place has not the value; the body; unlock.
    Condition {
        lock: usize,
        condition: usize,
        place: Place,
        value: u64,
        again: bool,
        body: Vec<Stmt>,
    },
    Notify {
        condition: usize,
        all: bool,
    },
    Barrier(usize),
    /// `memcpy` of this many bytes between the beginnings of two objects, or an assignment of
    /// records.
    Move {
        to: usize,
        from: usize,
        bytes: u8,
    },
    Fill {
        to: usize,
        byte: u8,
        bytes: u8,
    },
    /// A block of memory that no other thread sees: allocated, written, read and freed.
    Scratch {
        into: Register,
        value: Value,
    },
    /// A new block with the value goes into the cell.
    Put {
        cell: usize,
        mode: Mode,
        value: Value,
    },
    /// What the cell has is taken out, read and freed.
    Take {
        cell: usize,
        mode: Mode,
        into: Register,
    },
    /// What the cell has is read.
    Peek {
        cell: usize,
        mode: Mode,
        into: Register,
    },
    Pause,
    Spawn(usize),
    Join(usize),
    /// A child tells by its status what it finds at two places, and whether it can have a lock.
    Fork {
        into: Register,
        places: [Place; 2],
        lock: Option<usize>,
    },
    /// The process ends, whatever its threads do.
    Exit {
        at_once: bool,
    },
    /// An object that no other thread sees: allocated, initialised, used, destroyed and freed.
    Private {
        what: Private,
        into: Register,
        value: Value,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Private {
    Mutex,
    Semaphore,
    ReadWrite,
}

impl Stmt {
    /// The bodies inside.
    pub fn bodies(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::Look { then, other, .. } | Stmt::If { then, other, .. } | Stmt::Try { then, other, .. } => {
                vec![then, other]
            }
            Stmt::Repeat { body, .. } | Stmt::Locked { body, .. } | Stmt::Condition { body, .. } => {
                vec![body]
            }
            _ => Vec::new(),
        }
    }

    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::Look { then, other, .. } | Stmt::If { then, other, .. } | Stmt::Try { then, other, .. } => {
                vec![then, other]
            }
            Stmt::Repeat { body, .. } | Stmt::Locked { body, .. } | Stmt::Condition { body, .. } => {
                vec![body]
            }
            _ => Vec::new(),
        }
    }
}

impl Shape {
    pub fn bytes(self) -> usize {
        match self {
            Shape::Scalar(size) | Shape::Atomic(size) => size.into(),
            Shape::Array(size, length) => usize::from(size) * usize::from(length),
            Shape::Union => 4,
            Shape::Record => 8,
            Shape::Bits => 1,
        }
    }
}

impl Program {
    /// Which threads are over when `main` is: it joined them, or one of those did that created
    /// them.
    pub fn awaited(&self) -> Vec<bool> {
        let mut awaited = vec![false; self.threads.len()];
        awaited[0] = true;
        for creator in 0..self.threads.len() {
            for statement in &self.threads[creator] {
                if let Stmt::Join(thread) = statement {
                    awaited[*thread] = awaited[creator];
                }
            }
        }
        awaited
    }

    /// Calls `look` with every statement.
    pub fn visit(&self, look: &mut impl FnMut(&Stmt)) {
        fn all(body: &[Stmt], look: &mut impl FnMut(&Stmt)) {
            for statement in body {
                look(statement);
                statement.bodies().into_iter().for_each(|inner| all(inner, look));
            }
        }
        self.threads.iter().for_each(|body| all(body, look));
    }
}

#[cfg(test)]
mod tests;

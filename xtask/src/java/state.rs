//! A state of a program: objects, static fields, classes, threads, and which accesses of plain
//! fields each thread, monitor and volatile field knows of.

use super::ast::{Cls, Exc};
use super::code::Value;
use super::known::Known;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Object {
    pub class: Cls,
    pub fields: Vec<Value>,
    /// Who holds its monitor (or the lock that it is), how often.
    pub owner: Option<(u8, u8)>,
    /// Who waits for a notification, the first first.
    pub waiting: Vec<u8>,
    /// The thread that it is, once it was started.
    pub thread: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Init {
    Untouched,
    By(u8),
    Done,
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeId {
    Method(usize, usize),
    Initializer(usize),
    Instance(usize),
}

/// What happens with the result of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    Call,
    /// The text of an object: null becomes `null`.
    Text,
    /// An initializer: what used the class goes on with the same instruction.
    First,
    /// The fields of an instance, which stays on the stack.
    Instance,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    pub code: CodeId,
    pub pc: usize,
    pub locals: Vec<Value>,
    pub stack: Vec<Value>,
    pub purpose: Purpose,
    /// The monitor of a synchronized method.
    pub monitor: Option<u8>,
    /// The instruction has passed its gate: a class was initialized for it.
    pub again: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    Ready,
    /// Waits for a notification; how often it held the monitor.
    Waiting(u8, u8),
    /// Was notified and wants the monitor again.
    Woken(u8, u8),
    /// Its code is done; its end still notifies those who wait on its object.
    Ending,
    Ended,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Thread {
    pub frames: Vec<Frame>,
    pub status: Status,
    /// The object whose monitor its end notifies.
    pub object: Option<u8>,
    pub uncaught: Option<Exc>,
    /// A submitted task: its exception goes into its future.
    pub task: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub objects: Vec<Object>,
    /// Static fields by class and field.
    pub statics: Vec<Vec<Value>>,
    pub classes: Vec<Init>,
    pub threads: Vec<Thread>,
    pub known: Known,
    /// Something went wrong before.
    pub erred: bool,
    /// A number left its range: nothing follows.
    pub over: bool,
}

/// What went wrong in a step.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    /// An exception that nothing caught.
    Uncaught(Exc),
    Assertion,
    /// A use of null, or a misuse of a monitor or a thread, caught or not.
    Misuse,
    Range,
    /// The name of the field.
    Race(String),
    /// More objects or calls than the interpreter follows.
    TooBig,
}

impl State {
    pub fn live(&self) -> u128 {
        let live = self.threads.iter().enumerate().filter(|(_, t)| t.status != Status::Ended);
        live.fold(0, |bits, (number, _)| bits | 1 << number)
    }
}

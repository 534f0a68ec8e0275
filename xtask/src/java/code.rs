//! The instructions of the brute-force interpreter: those of a JVM, with library calls in one
//! piece. An instruction with a gate is visible to other threads, and so a step of its own.

use super::ast::{Atomic, Catch, Cls, Exc, FieldId, MethodId, Op, Type};
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    Null,
    Int(i32),
    Bool(bool),
    Str(Rc<str>),
    Ref(u8),
    Exc(Exc),
}

#[derive(Debug, Clone)]
pub enum Instr {
    Push(Value),
    Load(usize),
    Store(usize),
    /// Checks a range: (low, high).
    Check(i32, i32),
    Pop,
    Dup,
    /// a b → b a b
    DupX1,
    GetStatic(FieldId),
    PutStatic(FieldId),
    GetField(FieldId),
    PutField(FieldId),
    Initialize(usize),
    /// With this many arguments.
    New(Cls, usize),
    Bin(Op),
    Not,
    Neg,
    Jump(usize),
    /// Jumps if the popped value is this.
    Branch(bool, usize),
    Static(MethodId),
    Call(MethodId),
    Return(bool),
    Cast(Cls),
    InstanceOf(Cls),
    Unbox,
    /// The text of a value, `null` included; a call if the class has a `toString` of its own.
    Text,
    /// As `Text`, but null is an exception.
    ToString,
    Concat,
    Length,
    Equals,
    Enter,
    Exit,
    Wait,
    Notify(bool),
    Lock,
    Unlock,
    TryLock,
    Await,
    Signal(bool),
    Atomic(Atomic, Option<(i32, i32)>),
    Start,
    Join,
    Submit(bool),
    Shutdown,
    Throw(Exc),
    /// Throws what is on the stack.
    Rethrow,
    AssertFail,
    /// A turn of a loop.
    Turn,
}

/// From..to, where it is handled, and what is caught (everything if none).
#[derive(Debug, Clone)]
pub struct Handler {
    pub from: usize,
    pub to: usize,
    pub at: usize,
    pub what: Option<Catch>,
}

/// A method or an initializer.
#[derive(Debug, Clone, Default)]
pub struct Code {
    pub instrs: Vec<Instr>,
    /// Gate of each instruction; statement (for its line) of each.
    pub gates: Vec<Option<u32>>,
    pub visible: Vec<bool>,
    pub statements: Vec<u32>,
    pub handlers: Vec<Handler>,
    pub locals: usize,
    pub params: usize,
    pub synced: bool,
    pub of_class: bool,
    pub result: Option<(i32, i32)>,
}

/// What a type begins with.
pub fn default(ty: Type) -> Value {
    match ty {
        Type::Int => Value::Int(0),
        Type::Bool => Value::Bool(false),
        _ => Value::Null,
    }
}

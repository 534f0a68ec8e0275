//! The bytecode: an accumulator machine with a small stack, working on a packed state.

use crate::layout::Kind;
use logic::IntType;

/// Whose bytes an offset counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    State,
    /// The frame of the executing process.
    Frame,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Equal,
    NotEqual,
    Less,
    GreaterEqual,
}

impl Test {
    #[inline]
    pub fn passes(self, byte: u8, value: i32) -> bool {
        let byte = i32::from(byte);
        match self {
            Test::Equal => byte == value,
            Test::NotEqual => byte != value,
            Test::Less => byte < value,
            Test::GreaterEqual => byte >= value,
        }
    }
}

/// One instruction. `acc` is the accumulator; "pop" takes from the stack.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Const(i64),
    GlobalU8(u32),
    LocalU8(u32),
    Load(Base, Kind, u32),
    /// acc = the scalar at base + acc.
    LoadAt(Base, Kind),
    Push,
    StoreGlobalU8(u32),
    StoreLocalU8(u32),
    Store(Base, Kind, u32),
    /// Stores pop at base + acc.
    StoreAt(Base, Kind),
    /// acc = element acc of an array of scalars; a fault if there is none.
    Element {
        of: Base,
        kind: Kind,
        offset: u32,
        length: u32,
    },
    /// Stores pop in element acc of an array of scalars.
    StoreElement {
        of: Base,
        kind: Kind,
        offset: u32,
        length: u32,
    },
    /// acc = pop + acc * stride; a fault unless 0 <= acc < length.
    Index {
        length: u32,
        stride: u32,
    },
    /// acc = the scalar at offset pop in the frame of process acc; 0 if there is none or it is of
    /// another process type.
    RemoteLoad {
        process_type: u8,
        kind: Kind,
    },
    /// acc = the k-th argument of the process being created.
    Argument(u8),

    /// acc = pop ∘ acc.
    Binary(logic::Binary),
    /// acc = acc ∘ constant.
    AddConst(i32),
    EqualConst(i32),
    NotEqualConst(i32),
    LessConst(i32),
    GreaterEqualConst(i32),
    Negate,
    Not,
    Complement,
    /// acc = 1 unless it is 0.
    Truth,
    Wrap(IntType),

    Jump(u32),
    JumpIfZero(u32),
    JumpUnlessZero(u32),
    /// The transition is not enabled if acc is 0.
    BlockIfZero,
    /// The transition is not enabled unless the byte passes the test.
    BlockUnlessU8 {
        of: Base,
        test: Test,
        offset: u32,
        value: i32,
    },
    /// The end.
    Done,

    Myself,
    Instance(u8),
    ProcessCount,
    Last,
    Timeout,
    NonProgress,
    Accepting,
    Enabled,
    Location,
    /// acc = whether process acc is of the process type and at the point.
    At {
        process_type: u8,
        point: u16,
    },
    Priority,
    /// acc = handle of the k-th channel of the executing process.
    LocalHandle(u8),

    /// Opens the channel whose handle is acc.
    Open,
    /// Opens a global channel.
    OpenGlobal(u16),
    /// The message found is the first of a global channel.
    FoundGlobal(u16),
    Length,
    Empty,
    Full,
    /// Blocks if the open channel is full; ends with an offer if it is a rendezvous.
    Room,
    /// Adds the message of the n topmost values to the open channel.
    Enqueue {
        fields: u8,
        sorted: bool,
    },
    /// Pops what the patterns want and looks for a message; blocks if there is none.
    Find {
        pattern: u16,
    },
    /// acc = whether a receive with these patterns would find a message.
    Poll {
        pattern: u16,
    },
    /// acc = a field of the message found.
    Field(u8),
    /// Takes the message found out of the open channel.
    Remove,

    /// Creates a process with the n topmost values as arguments; acc = its number. The priority is
    /// below them.
    Start {
        process_type: u8,
        arguments: u8,
        priority: bool,
    },
    /// Puts acc aside, and takes it back.
    Keep,
    Kept,
    /// Sets the priority of process pop to acc.
    SetPriority,
    /// acc = 0 is a failed assertion.
    Assert,
    Stop,
}

/// What the patterns of a receive want of each field.
#[derive(Clone, Debug)]
pub struct PatternCode {
    pub fields: usize,
    /// The fields that must match, in the order their values were pushed.
    pub matched: Vec<u8>,
    pub anywhere: bool,
    pub copy: bool,
}

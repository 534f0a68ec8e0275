//! What transitions of threads touch, and which of them depend on each other.
//!
//! Two transitions of different threads are dependent if they touch the same object in ways that
//! are: to read it, to post to it (signals on a semaphore are independent, the paper's remark below
//! Definition 1) and to change it are to an object what Read, Increment and Write are to a
//! variable, so the table is that of [`crate::variable`].

use crate::variable::{Operation, can_be_dependent};

/// A thread, by its number, the same in all runs.
pub type Tid = usize;

/// Which of the results an operation may have: 0, or the waiter woken, the child reaped, the number
/// tossed.
pub type Outcome = i64;

/// The kind of object that an access is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A lock, condition variable, semaphore, barrier at an address.
    Sync,
    /// Bytes of memory.
    Memory,
    /// A System V semaphore: set, index.
    Sysv,
    /// A name that several processes know: family, name.
    Name,
    /// A System V message queue.
    Queue,
    /// The life of a process: all its threads need it, exit ends it.
    Process,
    /// What a parent can see of its children.
    Children,
    /// What wakes a waiting thread.
    Wake,
    /// Whether a thread is to end.
    Cancel,
    /// The life of a thread.
    Thread,
    /// A timer of a process.
    Timer,
    /// Who sleeps on a word of memory.
    Futex,
    /// A pipe, one direction of a socket pair, an event counter: its parts.
    Channel,
    /// An open file description: its parts.
    Description,
    /// The locks on a file.
    File,
    /// A number of a process.
    Descriptor,
    /// What is in a file or folder: its parts.
    Content,
}

/// An object: where it lives (a process, a shared mapping) and at which address or offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The kind of object.
    pub class: Class,
    /// Where it lives: a process or a shared mapping.
    pub space: u64,
    /// The address or offset within that space.
    pub at: u64,
}

/// How an object is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It is looked at, and stays as it is.
    Read,
    /// It gets one more of what is counted; the order of two posts does not matter.
    Post,
    /// It becomes something else.
    Change,
}

impl Access {
    /// The row of the table.
    fn operation(self) -> Operation {
        match self {
            Access::Read => Operation::Read,
            Access::Post => Operation::Increment(1),
            Access::Change => Operation::Write,
        }
    }
}

/// One access to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObjectAccess {
    /// The object; of memory, its first byte.
    pub key: Key,
    /// How many bytes it covers, or how many neighbouring objects.
    pub length: u32,
    /// How it is accessed.
    pub access: Access,
}

/// What a transition touches.
pub type Footprint = Vec<ObjectAccess>;

impl Key {
    /// The object of this class at this address of a space.
    pub fn new(class: Class, space: u64, at: u64) -> Key {
        Key { class, space, at }
    }

    /// An access of this kind to the object.
    pub fn touch(self, access: Access) -> ObjectAccess {
        ObjectAccess { key: self, length: 1, access }
    }
}

impl ObjectAccess {
    fn conflicts(&self, other: &ObjectAccess) -> bool {
        let (a, b) = (&self.key, &other.key);
        let overlap =
            a.at < b.at.saturating_add(other.length.into()) && b.at < a.at.saturating_add(self.length.into());
        let ways = (self.access.operation(), other.access.operation());
        a.class == b.class && a.space == b.space && overlap && can_be_dependent(ways.0, ways.1)
    }
}

/// Whether transitions of two different threads with these footprints may not commute.
pub fn dependent(one: &[ObjectAccess], other: &[ObjectAccess]) -> bool {
    one.iter().any(|a| other.iter().any(|b| a.conflicts(b)))
}

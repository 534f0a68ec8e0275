//! Data races: two accesses to one place in memory that nothing orders.

use objects::Tid;

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
    /// The whole block.
    Free,
    /// An operation on an object that lies there: neither reads nor writes count, but the memory
    /// must be there and be the object's.
    Use,
    /// Such an object begins or ends. The operation itself is visible.
    Init,
}

/// A place in the code, and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The address in the code.
    pub pc: u64,
    /// What the access does.
    pub way: Way,
    /// Whether the access is atomic.
    pub atomic: bool,
}

impl Spot {
    /// What the access is called.
    pub fn name(&self) -> &'static str {
        match (self.way, self.atomic) {
            (Way::Read, false) => "read",
            (Way::Read, true) => "atomic read",
            (Way::Write, false) => "write",
            (Way::Write, true) => "atomic write",
            (Way::Free, _) => "free",
            (Way::Use, _) => "operation",
            (Way::Init, _) => "begin or end",
        }
    }
}

/// Two places in the code that race; the second came later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Race {
    /// The earlier access.
    pub first: Spot,
    /// The later access.
    pub second: Spot,
}

/// Two accesses in a run that nothing orders: which places in the code, whose, and the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The two places in the code.
    pub race: Race,
    /// The threads that access the memory.
    pub threads: [Tid; 2],
    /// The address space of the memory.
    pub space: u64,
    /// The address of the memory.
    pub at: u64,
}

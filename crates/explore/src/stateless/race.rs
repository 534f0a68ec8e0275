//! Data races: two accesses to one place in memory that nothing orders.

use objects::Tid;

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Read,
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
    pub pc: u64,
    pub way: Way,
    pub atomic: bool,
}

impl Spot {
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
    pub first: Spot,
    pub second: Spot,
}

/// Two accesses in a run that nothing orders: which places in the code, whose, and the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    pub race: Race,
    pub threads: [Tid; 2],
    pub space: u64,
    pub at: u64,
}

//! Memory: atomic accesses, and plain ones that are visible because they race. The values are the
//! program's; only that it was accessed is known here.

use super::{By, Effect, Family, Model};
use crate::operation::{Access, Footprint, Key, ObjectAccess, Operation, Outcome};

/// An access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub at: Key,
    pub size: i64,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Load {
        plain: bool,
    },
    Store {
        plain: bool,
    },
    /// A block of the heap ends.
    Free,
    /// It may write only if it finds what it expects.
    Update {
        compares: bool,
    },
}

impl Op {
    /// A plain access, visible because it races.
    pub fn is_plain(&self) -> bool {
        matches!(self.does, Does::Load { plain: true } | Does::Store { plain: true } | Does::Free)
    }

    fn loads(&self) -> bool {
        matches!(self.does, Does::Load { .. })
    }

    pub fn updates(&self) -> bool {
        matches!(self.does, Does::Update { .. })
    }
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.at
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Load { .. } => "load",
            Does::Store { .. } => "store",
            Does::Free => "free",
            Does::Update { .. } => "update",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Memory(o)
            if o.at == self.at && o.loads() == self.loads() && o.updates() == self.updates())
    }

    fn touches(&self, _: &Model, _: By<'_>, _: Outcome) -> Footprint {
        let access = if self.loads() { Access::Read } else { Access::Change };
        vec![ObjectAccess { key: self.at, length: u32::try_from(self.size).unwrap_or(1).max(1), access }]
    }

    fn perform(&self, _: &mut Model, _: By<'_>, _: Outcome) -> Effect {
        Effect::default()
    }
}

//! What a statement can see: scalar places, channels, records.

use crate::program::{Expr, Place, Type};

/// What a message field or a parameter holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Scalar(Type),
    Channel(Signature),
    Record(String),
}

/// Channels of one signature can stand for each other.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Signature {
    pub(super) rendezvous: bool,
    pub(super) fields: Vec<Kind>,
}

/// A path to scalars: `name[size].field[size]…`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spot {
    pub(super) path: Vec<(String, Option<u32>)>,
    pub(super) ty: Type,
    /// Loop counters are only read: their loops end.
    pub(super) writable: bool,
    /// Hidden variables are only written: their value is no part of the state.
    pub(super) readable: bool,
}

impl Spot {
    pub(super) fn scalar(name: &str, ty: Type) -> Spot {
        Spot { path: vec![(name.to_owned(), None)], ty, writable: true, readable: true }
    }

    pub(super) fn root(&self) -> &str {
        self.path.first().map_or("", |(name, _)| name)
    }

    /// A plain variable: no array, no record.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.path.as_slice(), [(_, None)])
    }

    /// The place, with `index` choosing an element of each array on the way.
    pub(super) fn place(&self, index: &mut dyn FnMut(u32) -> Expr) -> Place {
        let parts = self.path.iter().map(|(name, size)| match size {
            Some(size) => Place::element(name, index(*size)),
            None => Place::name(name),
        });
        let nested = parts.rev().reduce(|field, outer| Place { field: Some(Box::new(field)), ..outer });
        nested.unwrap_or_else(|| Place::name(self.root()))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) size: Option<u32>,
    pub(super) signature: Signature,
    /// Global channels outlive every process: only they are sent in messages.
    pub(super) global: bool,
    /// A `chan` variable that may be given another channel.
    pub(super) variable: bool,
    /// Claimed by xr/xs: not used outside its own two processes.
    pub(super) exclusive: bool,
}

/// The names a statement can use; a block works on a clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub(super) spots: Vec<Spot>,
    pub(super) channels: Vec<Channel>,
    /// Variables of record type: name and type.
    pub(super) records: Vec<(String, String)>,
    /// Arrays of scalars that `for (i in a)` can walk.
    pub(super) arrays: Vec<String>,
}

impl Scope {
    pub(super) fn channels_of(&self, signature: &Signature) -> Vec<&Channel> {
        self.channels.iter().filter(|channel| &channel.signature == signature && !channel.exclusive).collect()
    }
}

/// Can the variable hold every value that a message field of this type can have? A message is
/// received only into such a variable, because pan restores the channel from the variable when it
/// backtracks.
pub(super) fn fits(field: &Type, variable: &Type) -> bool {
    let (field, variable) = (range(field), range(variable));
    field.0 <= variable.0 && (!field.1 || variable.1)
}

/// Bits without the sign, and whether there is one.
fn range(ty: &Type) -> (u32, bool) {
    match ty {
        Type::Bit | Type::Bool => (1, false),
        Type::Unsigned(bits) => (*bits, false),
        Type::Byte | Type::Pid | Type::Mtype(_) => (8, false),
        Type::Short => (15, true),
        Type::Int => (31, true),
        Type::Chan | Type::Record(_) => (0, false),
    }
}
